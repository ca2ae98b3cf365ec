import { useState } from 'react';

export interface LoginFieldProps {
  readonly id: string;
  readonly label: string;
  readonly fault: string | undefined;
  readonly type?: 'text' | 'password';
  /** Whether a password can be shown yet. */
  readonly isReady?: boolean;
  readonly autoComplete: string;
  readonly inputMode?: 'text' | 'numeric';
}

/** A labelled input with its fault beside it; what is typed stays in the input, where password managers look for it. */
export function LoginField(props: LoginFieldProps) {
  const { id, label, fault, type = 'text', isReady = true, autoComplete, inputMode } = props;
  const [isShown, setShown] = useState(false);
  return (
    <div className="login-field">
      <label htmlFor={id}>{label}</label>
      <span className="login-input">
        <input
          id={id}
          name={id}
          type={isShown ? 'text' : type}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          inputMode={inputMode}
          maxLength={60}
          aria-required
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-fault`}
        />
        {type === 'password' && (
          <button
            type="button"
            className="login-eye"
            tabIndex={-1}
            aria-label={isShown ? '隐藏内容' : '显示内容'}
            aria-pressed={isShown}
            disabled={!isReady}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? '隐藏' : '显示'}
          </button>
        )}
      </span>
      <small id={`${id}-fault`} role={fault === undefined ? undefined : 'alert'}>
        {fault}
      </small>
    </div>
  );
}
