import type { KeyboardEvent } from 'react';
import type { LoginTab } from '#engine/values/login-form.ts';

const TABS: readonly { readonly key: LoginTab; readonly title: string }[] = [
  { key: 'management', title: '管理登录' },
  { key: 'mobile', title: '手机登录' },
  { key: 'customer', title: '客户登录' },
];
/** How far a key moves along the tabs. */
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

export interface LoginTabsProps {
  readonly tab: LoginTab;
  readonly isReady: boolean;
  readonly onChange: (tab: LoginTab) => void;
}

/** The three ways in; one stop of the Tab key, arrows move along. */
export function LoginTabs({ tab, isReady, onChange }: LoginTabsProps) {
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = TABS.findIndex(({ key }) => key === tab);
    const next = TABS[(at + step + TABS.length) % TABS.length];
    if (next === undefined) return;
    onChange(next.key);
    document.getElementById(`tab-${next.key}`)?.focus();
  };
  return (
    <div className="login-tabs" role="tablist" aria-label="登录方式" onKeyDown={move}>
      {TABS.map(({ key, title }) => (
        <button
          key={key}
          id={`tab-${key}`}
          type="button"
          role="tab"
          aria-selected={key === tab}
          aria-controls={tabPanelId(key)}
          tabIndex={key === tab ? 0 : -1}
          disabled={!isReady}
          onClick={() => onChange(key)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

/** The id of the fields below a tab. */
export function tabPanelId(tab: LoginTab): string {
  return `panel-${tab}`;
}
