import { HistoryOutlined } from '@ant-design/icons';
import { Popover } from 'antd';
import { useEffect, useState } from 'react';
import type { Field } from '#engine/schema/resource.ts';
import type { Recalled } from '../field-services.ts';
import { shownNumber } from '#engine/values/shown-number.ts';
import type { GridModel } from './grid-model.ts';
import { faultText } from '#web/data/show-fault.ts';

interface RecallButtonProps {
  readonly model: GridModel;
  readonly lineKey: string;
  readonly column: Field;
}

/** What the cell was in the last documents alike; a click takes a value over. Asked for when it is opened (F9). */
export function RecallButton(props: RecallButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const button = (
    <button
      type="button"
      className="picker-button"
      data-recall
      tabIndex={-1}
      title={`最近的${props.column.title}（F9）`}
      aria-label={`最近的${props.column.title}`}
      aria-expanded={isOpen}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => setOpen(!isOpen)}
    >
      <HistoryOutlined />
    </button>
  );
  if (!isOpen) return button;
  return (
    <Popover
      open
      trigger="click"
      placement="bottomRight"
      title={`最近的${props.column.title}`}
      onOpenChange={setOpen}
      content={<RecallList {...props} onTaken={() => setOpen(false)} />}
    >
      {button}
    </Popover>
  );
}

function RecallList({
  model,
  lineKey,
  column,
  onTaken,
}: RecallButtonProps & { readonly onTaken: () => void }) {
  const [found, setFound] = useState<readonly Recalled[] | string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    model.services?.recall(model.placeOf(lineKey, column), column).then(
      (values) => isCurrent && setFound(values),
      (error: unknown) => isCurrent && setFound(faultText(error, '没有读到')),
    );
    return () => {
      isCurrent = false;
    };
  }, [model, lineKey, column]);
  if (found === null) return <p className="field-hint">读取中…</p>;
  if (typeof found === 'string') return <p className="field-hint">{found}</p>;
  if (found.length === 0) return <p className="field-hint">还没有可参考的单据</p>;
  return (
    <table className="recall-list">
      <tbody>
        {found.map((one) => (
          <tr key={one.id}>
            <td>{one.on}</td>
            <td>
              <button
                type="button"
                className="link-button"
                onClick={() => model.services?.openRecord(one.resource, one.id)}
              >
                {one.document}
              </button>
            </td>
            <td className="cell-number">
              {shownNumber(one.value, column, one.currency)} {one.currency}
            </td>
            <td>
              <button
                type="button"
                className="link-button"
                onClick={() => {
                  model.store.setCells([{ key: lineKey, column: column.name, value: one.value }]);
                  onTaken();
                }}
              >
                采用
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
