import { Segmented } from 'antd';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { chosenValues } from '#web/fields/dictionary-view.tsx';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';
import type { ConditionRow } from './condition-model.ts';

export interface ConditionValueProps {
  readonly resource: Resource;
  readonly field: Field;
  readonly row: ConditionRow;
  readonly onChange: (value: unknown) => void;
}

/** The control for what a condition compares with: none for 为空, two for 介于, a list for 属于, else the field's own. */
export function ConditionValue({ resource, field, row, onChange }: ConditionValueProps) {
  const place = { resource: resource.resource, path: field.name, readRecord: () => ({}) };
  const { Control, FilterControl } = FIELD_VIEWS[field.type];
  const single: Field = { ...field, multiple: false, required: false };
  if (row.operator === 'null')
    return (
      <Segmented
        value={row.value !== false}
        options={[
          { label: '是', value: true },
          { label: '否', value: false },
        ]}
        onChange={onChange}
      />
    );
  if (row.operator === 'between') {
    const [from, to] = Array.isArray(row.value) ? row.value : [undefined, undefined];
    return (
      <div className="condition-between">
        <Control field={single} value={from} onChange={(value) => onChange([value, to])} place={place} />
        <span>至</span>
        <Control field={single} value={to} onChange={(value) => onChange([from, value])} place={place} />
      </div>
    );
  }
  if (SEVERAL.has(row.operator))
    return (
      <FilterControl
        field={field}
        value={Array.isArray(row.value) ? { in: row.value } : undefined}
        onChange={(comparison) => onChange(comparison === undefined ? undefined : chosenValues(comparison))}
        place={place}
      />
    );
  return <Control field={single} value={row.value} onChange={(value) => onChange(value)} place={place} />;
}

const SEVERAL: ReadonlySet<string> = new Set(['in', 'nin', 'hasAny', 'under']);
