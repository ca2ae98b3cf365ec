import { Select } from 'antd';
import type { FilterControlProps } from './field-view.ts';

/** For types that can only be asked whether they hold anything. */
export function EmptyFilter({ field, value, onChange, id }: FilterControlProps) {
  const chosen = value?.null === true ? 'empty' : value?.null === false ? 'filled' : undefined;
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      aria-label={field.title}
      allowClear
      value={chosen}
      options={[
        { value: 'filled', label: '有' },
        { value: 'empty', label: '无' },
      ]}
      onChange={(next: string | undefined) =>
        onChange(next === undefined ? undefined : { null: next === 'empty' })
      }
      style={{ width: '100%' }}
    />
  );
}
