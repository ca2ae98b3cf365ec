import { Alert, Button } from 'antd';
import { NotFound } from '#web/app/not-found.tsx';
import { isRefused } from '#web/faults/read-fault.tsx';

export interface PageFaultProps {
  readonly error: unknown;
  /** In the words of the fault, or of the page. */
  readonly message: string;
  readonly onRetry: () => void;
}

/** Stands for a whole page that could not be read: asking again is offered only where it may help. */
export function PageFault({ error, message, onRetry }: PageFaultProps) {
  if (isRefused(error)) return <NotFound isKnown />;
  return (
    <Alert
      className="page-alert"
      type="error"
      showIcon
      message={message}
      action={<Button onClick={onRetry}>重试</Button>}
    />
  );
}
