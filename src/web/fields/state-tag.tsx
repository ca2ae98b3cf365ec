import type { Lifecycle } from '#engine/schema/resource.ts';

interface StateTagProps {
  readonly lifecycle: Lifecycle | undefined;
  readonly state: unknown;
  readonly label?: string | undefined;
}

type Tone = 'quiet' | 'busy' | 'good' | 'bad' | 'warn';

const TONES: Readonly<Record<Tone, readonly [string, string, string]>> = {
  quiet: ['#595959', '#d9d9d9', '#fafafa'],
  busy: ['#0958d9', '#91caff', '#e6f4ff'],
  good: ['#237804', '#b7eb8f', '#f6ffed'],
  bad: ['#a8071a', '#ffa39e', '#fff1f0'],
  warn: ['#ad4e00', '#ffd591', '#fff7e6'],
};

/** The states that mean the same everywhere; a file's `color` wins. */
const STATE_TONES: Readonly<Record<string, Tone>> = {
  draft: 'quiet', disabled: 'quiet', void: 'quiet', cancelled: 'quiet', closed: 'quiet', expired: 'quiet', archived: 'quiet',
  pending: 'busy', approving: 'busy', executing: 'busy', processing: 'busy', submitted: 'busy', running: 'busy',
  active: 'good', approved: 'good', done: 'good', completed: 'good', paid: 'good', settled: 'good', effective: 'good', posted: 'good',
  rejected: 'bad', overdue: 'bad', failed: 'bad', frozen: 'bad', refused: 'bad',
  changing: 'warn', partial: 'warn', suspended: 'warn', warning: 'warn',
}; // prettier-ignore
const COLOR_TONES: Readonly<Record<string, Tone>> = {
  default: 'quiet', gray: 'quiet', grey: 'quiet', blue: 'busy', processing: 'busy', cyan: 'busy', green: 'good', success: 'good',
  red: 'bad', error: 'bad', orange: 'warn', gold: 'warn', yellow: 'warn', warning: 'warn',
}; // prettier-ignore

/** A state as a tag in its fixed colour: one element, since lists show hundreds. */
export function StateTag({ lifecycle, state, label }: StateTagProps) {
  if (typeof state !== 'string' || state === '') return null;
  const definition = lifecycle?.states[state];
  const [color, borderColor, background] = TONES[toneOf(state, definition?.color)];
  return (
    <span className="state-tag" style={{ color, borderColor, background }}>
      {label ?? definition?.title ?? state}
    </span>
  );
}

function toneOf(state: string, color: string | undefined): Tone {
  return (color === undefined ? STATE_TONES[state] : COLOR_TONES[color]) ?? 'busy';
}
