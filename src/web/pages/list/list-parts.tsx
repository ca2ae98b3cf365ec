import { Tabs } from 'antd';
import type { Comparison } from '#engine/schema/definition.ts';
import type { Field } from '#engine/schema/resource.ts';
import { useChoices } from '#web/fields/dictionary-context.ts';
import { ALL_PARTS, partChosen, withPart } from './list-part.ts';

export interface ListPartsProps {
  readonly field: Field;
  readonly value: Readonly<Record<string, Comparison>>;
  readonly onChange: (value: Readonly<Record<string, Comparison>>) => void;
}

/** The kinds of a list's records as its tabs: each is the filter of its kind, and stands in the address like one. */
export function ListParts({ field, value, onChange }: ListPartsProps) {
  const choices = useChoices(field);
  return (
    <Tabs
      size="small"
      className="list-parts"
      activeKey={partChosen(value, field.name) ?? ''}
      items={[{ key: ALL_PARTS, label: '全部' }, ...choices.map(({ value: key, label }) => ({ key, label }))]}
      onChange={(part) => onChange(withPart(value, field.name, part))}
    />
  );
}
