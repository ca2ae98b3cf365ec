import { Alert } from 'antd';
import type { Watched } from '../form/form-watch.ts';
import type { Preview } from '../form/use-preview.ts';
import { useWatched } from './use-form-watch.ts';

/** What the server reminds of while one types; it stops no save. */
export function PreviewNotes({ preview }: { readonly preview: Watched<Preview | null> }) {
  const warnings = useWatched(preview)?.problems.filter((problem) => problem.level === 'warning') ?? [];
  if (warnings.length === 0) return null;
  return (
    <Alert
      type="warning"
      showIcon
      message="提醒（不影响保存）"
      description={
        <ul className="problem-list">
          {warnings.map((problem) => (
            <li key={`${problem.path} ${problem.message}`}>{problem.message}</li>
          ))}
        </ul>
      }
    />
  );
}
