import type { StateColor } from '#engine/schema/lifecycle-definition.ts';

/** Fixed colours of states, so that the same state looks the same in every list. */
const BY_KEY: Readonly<Record<string, StateTone>> = {
  draft: 'neutral',
  pending: 'waiting',
  submitted: 'waiting',
  amending: 'waiting',
  applying: 'waiting',
  expiring: 'warning',
  approved: 'good',
  active: 'good',
  effective: 'good',
  confirmed: 'good',
  signed: 'good',
  examined: 'good',
  executing: 'running',
  declared: 'running',
  shipped: 'running',
  converted: 'running',
  delegated: 'running',
  completed: 'done',
  paid: 'done',
  posted: 'done',
  settled: 'done',
  used: 'done',
  renewed: 'done',
  rejected: 'bad',
  frozen: 'bad',
  expired: 'bad',
  terminated: 'bad',
  failed: 'bad',
  bank_failed: 'bad',
  push_failed: 'bad',
  void: 'off',
  cancelled: 'off',
  reversed: 'off',
  revoked: 'off',
  withdrawn: 'off',
  abandoned: 'off',
  disabled: 'off',
  superseded: 'off',
};

export type StateTone = 'neutral' | 'waiting' | 'running' | 'good' | 'done' | 'warning' | 'bad' | 'off';

/** What the colours of the definitions mean. */
const BY_COLOR: Readonly<Record<Exclude<StateColor, 'default'>, StateTone>> = {
  blue: 'running',
  geekblue: 'running',
  purple: 'running',
  cyan: 'running',
  processing: 'running',
  green: 'good',
  lime: 'good',
  success: 'good',
  orange: 'warning',
  gold: 'warning',
  warning: 'warning',
  red: 'bad',
  volcano: 'bad',
  magenta: 'bad',
  error: 'bad',
};

/** The tone of a state: what the definition says, else by its key, else running. */
export function stateTone(key: string, color?: StateColor): StateTone {
  const own = BY_KEY[key];
  // Grey, and struck through only where nothing came of the document.
  if (color === 'default') return own === 'off' ? own : 'neutral';
  return color === undefined ? (own ?? 'running') : BY_COLOR[color];
}
