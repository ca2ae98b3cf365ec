import { Button, Drawer } from 'antd';
import { type CSSProperties, useRef, useState } from 'react';
import type { Comparison } from '#engine/schema/definition.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';
import { useBoxWidth } from '../table/fitted-columns.ts';
import { useIsPhone } from '../table/use-is-phone.ts';
import { fieldsInRow } from './fields-in-row.ts';

export interface FilterFormProps {
  readonly resource: Resource;
  readonly names: readonly string[];
  readonly value: Readonly<Record<string, Comparison>>;
  readonly onSearch: (value: Readonly<Record<string, Comparison>>) => void;
}

/** The schema's filters. Enter or 查询 searches; a cleared control takes its condition away. */
export function FilterForm({ resource, names, value, onSearch }: FilterFormProps) {
  const [draft, setDraft] = useState(value);
  const [shownValue, setShownValue] = useState(value);
  // A keyword or an order that changes beside it takes nothing of what was filled in.
  if (JSON.stringify(shownValue) !== JSON.stringify(value)) {
    setShownValue(value);
    setDraft(value);
  }
  const fields = names.flatMap((name) => resource.fields[name] ?? []);
  const box = useRef<HTMLFormElement>(null);
  const { count: firstRow, columns } = fieldsInRow(useBoxWidth(box) ?? innerWidth, fields.map(isSpan));
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  if (fields.length === 0) return null;
  const set = (name: string, comparison: Comparison | undefined) =>
    setDraft(withComparison(draft, name, comparison));

  const form = (
    <form
      ref={box}
      className="filter-form"
      role="search"
      style={Object.assign<CSSProperties, object>({}, { '--filter-columns': columns })}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(draft);
        if (isPhone) setOpen(false);
      }}
    >
      {fields.slice(0, isOpen || isPhone ? undefined : firstRow).map((field) => {
        const { FilterControl } = FIELD_VIEWS[field.type];
        const id = `filter-${resource.resource}-${field.name}`;
        return (
          <div className={isSpan(field) ? 'filter-field is-span' : 'filter-field'} key={field.name}>
            <label htmlFor={id}>{field.title}</label>
            <FilterControl
              id={id}
              field={field}
              value={draft[field.name]}
              onChange={(comparison) => set(field.name, comparison)}
              place={{ resource: resource.resource, path: field.name, readRecord: () => ({}) }}
            />
          </div>
        );
      })}
      <div className="filter-actions">
        <Button type="primary" htmlType="submit">
          查询
        </Button>
        <Button
          onClick={() => {
            // What was filled in and not searched for goes too.
            setDraft({});
            onSearch({});
          }}
        >
          重置
        </Button>
        {fields.length > firstRow && !isPhone && (
          <Button type="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? '收起' : '展开'}
          </Button>
        )}
      </div>
    </form>
  );
  if (!isPhone) return form;
  const count = Object.keys(value).length;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{count === 0 ? '筛选' : `筛选（${count}）`}</Button>
      <Drawer title="筛选" placement="bottom" height="auto" open={isOpen} onClose={() => setOpen(false)}>
        {form}
      </Drawer>
    </>
  );
}

/** Whether a field is filtered by from and to day. */
function isSpan({ type }: Field): boolean {
  return type === 'date' || type === 'datetime';
}

/** The conditions with one set, or taken away. */
export function withComparison(
  value: Readonly<Record<string, Comparison>>,
  name: string,
  comparison: Comparison | undefined,
): Readonly<Record<string, Comparison>> {
  const { [name]: _, ...rest } = value;
  return comparison === undefined ? rest : { ...rest, [name]: comparison };
}
