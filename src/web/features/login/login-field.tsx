export interface LoginFieldProps {
  readonly id: string;
  readonly label: string;
  readonly fault: string | undefined;
  readonly type?: 'text' | 'password';
  readonly autoComplete: string;
  readonly inputMode?: 'text' | 'numeric';
}

/** A labelled input with its fault beside it; what is typed stays in the input, where password managers look for it. */
export function LoginField({ id, label, fault, type = 'text', autoComplete, inputMode }: LoginFieldProps) {
  return (
    <div className="login-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={id}
        type={type}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        inputMode={inputMode}
        maxLength={60}
        aria-required
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-fault`}
      />
      <small id={`${id}-fault`} role={fault === undefined ? undefined : 'alert'}>
        {fault}
      </small>
    </div>
  );
}
