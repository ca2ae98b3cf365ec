import type { HistoryRow } from './history-row.ts';

/** What the server writes as the opinion of a step that followed another by itself. */
const BY_ITSELF = '系统';

/** What was said at a step; that nobody had to do anything where it followed by itself. */
export function StepOpinion({ opinion }: Pick<HistoryRow, 'opinion'>) {
  if (opinion === null || opinion === '') return null;
  return opinion === BY_ITSELF ? <em>（自动）</em> : <q>{opinion}</q>;
}

/** True where somebody gave a reason: what follows by itself has none. */
export function isReasoned({ opinion }: Pick<HistoryRow, 'opinion'>): boolean {
  return opinion !== null && opinion !== '' && opinion !== BY_ITSELF;
}
