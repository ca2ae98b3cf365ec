import type { Field } from '#engine/schema/resource.ts';
import { RegisterField } from '#web/features/register/register-field.tsx';

export interface ReviewInputProps {
  readonly field: Field;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

const KEYBOARDS: Readonly<Record<string, 'numeric' | 'decimal'>> = {
  integer: 'numeric',
  decimal: 'decimal',
  money: 'decimal',
  percent: 'decimal',
};

/** A plain input for a field that the approver fills; the server judges it as any other. */
export function ReviewInput({ field, value, fault, onChange }: ReviewInputProps) {
  if (field.type === 'textarea')
    return (
      <div className="register-field is-wide">
        <label htmlFor={field.name}>{field.title}</label>
        <textarea
          id={field.name}
          rows={3}
          value={value}
          aria-invalid={fault !== undefined}
          aria-describedby={`${field.name}-note`}
          onChange={(event) => onChange(event.target.value)}
        />
        <small id={`${field.name}-note`} role={fault === undefined ? undefined : 'alert'}>
          {fault}
        </small>
      </div>
    );
  const format = field.type === 'date' ? '如 2026-01-31' : undefined;
  const hint = [format, field.hint].filter((text) => text !== undefined).join('，');
  const keyboard = KEYBOARDS[field.type];
  return (
    <RegisterField
      id={field.name}
      label={
        field.type === 'money' && typeof field.currency === 'string'
          ? `${field.title}(${field.currency})`
          : field.title
      }
      value={value}
      fault={fault}
      isOptional
      {...(keyboard === undefined ? {} : { inputMode: keyboard })}
      {...(hint === '' ? {} : { hint })}
      onChange={onChange}
    />
  );
}
