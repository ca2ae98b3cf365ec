import { FilterOutlined } from '@ant-design/icons';
import { Button, Popover } from 'antd';
import { useRef, useState } from 'react';
import type { Comparison } from '#engine/schema/definition.ts';
import type { Field } from '#engine/schema/resource.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';

export interface HeadFilterProps {
  readonly resource: string;
  readonly field: Field;
  readonly value: Comparison | undefined;
  readonly onChange: (value: Comparison | undefined) => void;
}

const UNFILTERED: ReadonlySet<string> = new Set([
  'textarea',
  'json',
  'attachment',
  'richtext',
  'lines',
  'secret',
]);

/** A filter in the head of its column; made only when it is opened. */
export function HeadFilter(props: HeadFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const { field, value } = props;
  if (UNFILTERED.has(field.type)) return null;
  const button = (
    <button
      type="button"
      tabIndex={-1}
      className={value === undefined ? 'head-filter' : 'head-filter is-set'}
      aria-label={`按${field.title}筛选`}
      aria-expanded={isOpen}
      onClick={() => setOpen(true)}
    >
      <FilterOutlined />
    </button>
  );
  if (!isOpen) return button;
  return (
    <Popover
      open
      trigger="click"
      placement="bottomLeft"
      onOpenChange={setOpen}
      afterOpenChange={(isShown) => isShown && body.current?.querySelector('input')?.focus()}
      content={
        <div ref={body}>
          <FilterBody {...props} onDone={() => setOpen(false)} />
        </div>
      }
    >
      {button}
    </Popover>
  );
}

function FilterBody({
  resource,
  field,
  value,
  onChange,
  onDone,
}: HeadFilterProps & { readonly onDone: () => void }) {
  const [draft, setDraft] = useState(value);
  const { FilterControl } = FIELD_VIEWS[field.type];
  const apply = (next: Comparison | undefined): void => {
    onChange(next);
    onDone();
  };
  return (
    <form
      className="head-filter-body"
      onKeyDown={(event) => {
        // An open list ends first.
        if (event.key === 'Escape' && !isListOpen(event.target)) onDone();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        apply(draft);
      }}
    >
      <b>{field.title}</b>
      <div className="head-filter-control">
        <FilterControl
          field={field}
          value={draft}
          onChange={setDraft}
          place={{ resource, path: field.name, readRecord: () => ({}) }}
        />
      </div>
      <div className="filter-actions">
        <Button size="small" onClick={() => apply(undefined)}>
          清除
        </Button>
        <Button size="small" type="primary" htmlType="submit">
          筛选
        </Button>
      </div>
    </form>
  );
}

function isListOpen(target: EventTarget): boolean {
  return target instanceof Element && target.getAttribute('aria-expanded') === 'true';
}
