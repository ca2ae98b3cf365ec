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
  settled: 'done',
  used: 'done',
  renewed: 'done',
  rejected: 'bad',
  frozen: 'bad',
  expired: 'bad',
  terminated: 'bad',
  void: 'off',
  cancelled: 'off',
  disabled: 'off',
  superseded: 'off',
};

export const STATE_TONES = [
  'neutral',
  'waiting',
  'running',
  'good',
  'done',
  'warning',
  'bad',
  'off',
] as const;
export type StateTone = (typeof STATE_TONES)[number];

/** The tone of a state: what the definition says, else by its key, else running. */
export function stateTone(key: string, defined?: string): StateTone {
  return STATE_TONES.find((tone) => tone === defined) ?? BY_KEY[key] ?? 'running';
}
