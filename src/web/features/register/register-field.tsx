import type { ReactNode } from 'react';

export interface RegisterFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly fault: string | undefined;
  readonly hint?: string;
  readonly isReadOnly?: boolean;
  readonly isDisabled?: boolean;
  readonly autoComplete?: string;
  readonly inputMode?: 'tel' | 'numeric' | 'decimal';
  readonly isOptional?: boolean;
  readonly maxLength?: number;
  /** Stands beside the input. */
  readonly action?: ReactNode;
  readonly onChange?: (value: string) => void;
  readonly onLeave?: () => void;
}

/** A labelled input with its message below. */
export function RegisterField(field: RegisterFieldProps) {
  const { id, label, value, fault, hint, isReadOnly = false, action } = field;
  return (
    <div className="register-field">
      <label htmlFor={id}>{label}</label>
      <div className="register-input">
        <input
          id={id}
          name={id}
          value={value}
          readOnly={isReadOnly}
          disabled={field.isDisabled}
          required={!isReadOnly && field.isOptional !== true}
          autoComplete={field.autoComplete ?? 'off'}
          inputMode={field.inputMode}
          maxLength={field.maxLength}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => field.onChange?.(event.target.value)}
          onBlur={field.onLeave}
        />
        {action}
      </div>
      <small
        id={`${id}-note`}
        className={fault === undefined ? 'is-hint' : undefined}
        role={fault === undefined ? undefined : 'alert'}
      >
        {fault ?? hint}
      </small>
    </div>
  );
}
