import type { PlanLimit } from '#contract/plan.ts';
import { boundText, figureText, isForced, usedShare } from './figure-text.ts';
import { type OpenRecordAt, RecordLink } from './record-link.tsx';

export interface LimitListProps {
  readonly limits: readonly PlanLimit[];
  /** Beside the record itself its name is not told again. */
  readonly isOwn?: boolean;
  readonly onOpen: OpenRecordAt;
}

/** Limits with what is used of them: a figure, its bound, and a bar where there is a share to show. */
export function LimitList({ limits, isOwn = false, onOpen }: LimitListProps) {
  return (
    <ul className="limit-list">
      {limits.map((limit) => (
        <li
          key={`${limit.resource}-${limit.id ?? ''}-${limit.line ?? ''}-${limit.message}`}
          className={limit.level}
        >
          <span className="limit-name">
            {!isOwn && limit.id !== null && (
              <>
                {limit.title} <RecordLink {...limit} onOpen={onOpen} />{' '}
              </>
            )}
            {limit.line !== null && <>第 {limit.line} 行 </>}
            {limit.field}
          </span>
          <span className="limit-figures">
            {limit.was !== null && limit.was !== limit.figure && (
              <span className="limit-was">{figureText(limit.was, limit.currency)} → </span>
            )}
            <b>{figureText(limit.figure, limit.currency)}</b>
            <small>{boundText(limit)}</small>
          </span>
          <LimitBar limit={limit} />
          {!isOwn && isForced(limit) && <span className="limit-message">须照常入账，不受此限</span>}
          {limit.level !== 'ok' && <span className="limit-message">{limit.message}</span>}
        </li>
      ))}
    </ul>
  );
}

function LimitBar({ limit }: { readonly limit: PlanLimit }) {
  const share = usedShare(limit);
  if (share === null) return null;
  const percent = Math.round(share * 100);
  return (
    <span
      className="limit-bar"
      role="meter"
      aria-label={`${limit.field}已用 ${percent}%`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, percent)}
    >
      <i style={{ width: `${Math.min(100, percent)}%` }} />
    </span>
  );
}
