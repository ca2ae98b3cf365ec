import { WarningOutlined } from '@ant-design/icons';
import { Popover } from 'antd';
import { useFormPlace } from '../form/form-context.ts';
import { focusPath } from '../form/form-focus.ts';
import type { Watched } from '../form/form-watch.ts';
import { gatheredTexts } from '../form/problem-text.ts';
import type { Preview } from '../form/use-preview.ts';
import { useWatched } from './use-form-watch.ts';

/**
 * What the server reminds of while one types; it stops no save. It stands in the bar: above the sections it would push
 * down the line that one is typing in.
 */
export function Reminders({ preview }: { readonly preview: Watched<Preview | null> }) {
  const place = useFormPlace();
  const warnings = useWatched(preview)?.problems.filter((problem) => problem.level === 'warning') ?? [];
  const texts = gatheredTexts(place.store.resource, warnings);
  const [first] = texts;
  return (
    <span role="status" className="form-reminders">
      {first !== undefined && (
        <Popover
          trigger="click"
          placement="bottomLeft"
          title="提醒（不影响保存）"
          content={
            <ul className="problem-list is-popup">
              {texts.map(({ text, path }) => (
                <li key={text}>
                  <button type="button" className="link-button" onClick={() => focusPath(place, path)}>
                    {text}
                  </button>
                </li>
              ))}
            </ul>
          }
        >
          <button type="button" className="form-reminder" title={first.text}>
            <WarningOutlined />
            <span className="form-reminder-text">{first.text}</span>
            {texts.length > 1 && <span>等 {texts.length} 条</span>}
          </button>
        </Popover>
      )}
    </span>
  );
}
