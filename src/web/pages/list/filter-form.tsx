import { Button } from 'antd';
import { useState } from 'react';
import type { Comparison } from '#engine/schema/definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';

/** Fields of the first row; the rest opens on demand. */
const FIRST_ROW = 4;

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
  if (shownValue !== value) {
    setShownValue(value);
    setDraft(value);
  }
  const fields = names.flatMap((name) => resource.fields[name] ?? []);
  const hasHiddenCondition = fields.slice(FIRST_ROW).some((field) => value[field.name] !== undefined);
  const [isOpen, setOpen] = useState(hasHiddenCondition);
  if (fields.length === 0) return null;
  const set = (name: string, comparison: Comparison | undefined) =>
    setDraft(withComparison(draft, name, comparison));

  return (
    <form
      className="filter-form"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(draft);
      }}
    >
      {fields.slice(0, isOpen ? undefined : FIRST_ROW).map((field) => {
        const { FilterControl } = FIELD_VIEWS[field.type];
        const id = `filter-${resource.resource}-${field.name}`;
        return (
          <div className="filter-field" key={field.name}>
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
        <Button onClick={() => onSearch({})}>重置</Button>
        {fields.length > FIRST_ROW && (
          <Button type="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? '收起' : '展开'}
          </Button>
        )}
      </div>
    </form>
  );
}

function withComparison(
  value: Readonly<Record<string, Comparison>>,
  name: string,
  comparison: Comparison | undefined,
): Readonly<Record<string, Comparison>> {
  const { [name]: _, ...rest } = value;
  return comparison === undefined ? rest : { ...rest, [name]: comparison };
}
