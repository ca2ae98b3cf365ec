import './faults.css';

export interface ReadFaultProps {
  /** What was asked for: 评论, 单据链. */
  readonly what: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/**
 * Stands where something would that could not be read, so that nobody takes it for nothing there; nothing without an error,
 * and nothing for whom it is not to be seen.
 */
export function ReadFault({ what, error, onRetry }: ReadFaultProps) {
  if (error === null || error === undefined || isRefused(error)) return null;
  return (
    <p role="alert" className="read-fault">
      {what}没有读到{' '}
      <button type="button" onClick={onRetry}>
        重试
      </button>
    </p>
  );
}

/** True when the answer was that there is no such record, or none for the reader: asking again helps nothing. */
export function isRefused(error: unknown): boolean {
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : null;
  return status === 403 || status === 404;
}
