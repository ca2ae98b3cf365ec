import { Button, Modal, Radio, Switch } from 'antd';
import { useId, useMemo, useState } from 'react';
import type { Dictionary, ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import { runningNumber } from '#engine/record/running-number.ts';
import { fieldText, labelsOf } from '#web/fields/field-text.ts';
import {
  conflictsOf,
  defaultSide,
  isOpenIn,
  mergeVersions,
  shownConflicts,
  type Side,
  type VersionConflict,
} from '../form/merge-versions.ts';
import { isSameValue } from '../form/record-changes.ts';

interface StaleDialogProps {
  readonly resource: Resource;
  readonly dictionaries: Readonly<Record<string, Dictionary>>;
  readonly base: ErpRecord;
  readonly mine: ErpRecord;
  readonly theirs: ErpRecord;
  /** The choice is saved at once. */
  readonly isSavedAfter: boolean;
  readonly onMerge: (merged: ErpRecord) => void;
  readonly onClose: () => void;
}

/** 单据在别处已被修改: both versions place by place, one choice each, then the save again. */
export function StaleDialog(props: StaleDialogProps) {
  const { resource, base, mine, theirs, onMerge, onClose } = props;
  const conflicts = useMemo(
    () => conflictsOf(resource, { base, mine, theirs }),
    [resource, base, mine, theirs],
  );
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(
    () => new Map(conflicts.map((conflict) => [conflict.path, defaultSide(conflict)])),
  );
  const [isAll, setAll] = useState(false);
  const switchId = useId();
  const shown = shownConflicts(conflicts, isAll);
  const isLong = shownConflicts(conflicts, false).length < conflicts.length;
  const choose = (path: string, side: Side): void => setChosen(new Map([...chosen, [path, side]]));
  const chooseAll = (side: Side): void =>
    setChosen(new Map(conflicts.map(({ path, isClosed }) => [path, isClosed ? 'theirs' : side])));
  const lost = lostLines(resource, mine, theirs);
  const who = labelsOf(theirs)['updated_by'];
  return (
    <Modal
      open
      width={920}
      title="单据在别处已被修改，请选择要保留的内容"
      okText={props.isSavedAfter ? '按选择保存' : '按选择继续编辑'}
      cancelText="返回继续编辑"
      onOk={() => onMerge(mergeVersions(resource, { mine, theirs }, chosen))}
      onCancel={onClose}
    >
      <p>
        {typeof who === 'string' ? `${who} 在您编辑期间保存了修改。` : '您编辑期间有人保存了修改。'}
        {stateText(resource, base, theirs)}
        只有一方改动的内容已自动选好，双方都改动的请确认。
        <Button size="small" type="link" onClick={() => chooseAll('mine')}>
          全部用我的
        </Button>
        <Button size="small" type="link" onClick={() => chooseAll('theirs')}>
          全部用对方的
        </Button>
      </p>
      {isLong && (
        <p className="versions-switch">
          <Switch id={switchId} size="small" checked={isAll} onChange={setAll} />
          <label htmlFor={switchId}>
            显示全部 {conflicts.length} 项
            {!isAll && `（另有 ${conflicts.length - shown.length} 项只有一方改动，已自动选好）`}
          </label>
        </p>
      )}
      <div style={{ maxHeight: '55vh', overflow: 'auto' }}>
        <table className="versions-table">
          <thead>
            <tr>
              <th scope="col">内容</th>
              <th scope="col">原来</th>
              <th scope="col">我的</th>
              <th scope="col">对方的（已保存）</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((conflict) => (
              <tr key={conflict.path}>
                <td>
                  {conflict.title}
                  {conflict.isBoth && <span className="field-problem">（双方都改了）</span>}
                  {conflict.isClosed && <span className="field-problem">（现在不能修改）</span>}
                </td>
                <td>{valueText(props, conflict, conflict.base, base)}</td>
                <SideCell conflict={conflict} side="mine" chosen={chosen} onChoose={choose}>
                  {valueText(props, conflict, conflict.mine, mine)}
                </SideCell>
                <SideCell conflict={conflict} side="theirs" chosen={chosen} onChoose={choose}>
                  {valueText(props, conflict, conflict.theirs, theirs)}
                </SideCell>
              </tr>
            ))}
          </tbody>
        </table>
        {conflicts.length === 0 && <p>双方的内容相同。</p>}
        {conflicts.length > 0 && shown.length === 0 && <p>没有双方都改动的内容，不需要选择。</p>}
        {lost.map((text) => (
          <p key={text} className="field-problem">
            {text}
          </p>
        ))}
      </div>
    </Modal>
  );
}

interface SideCellProps {
  readonly conflict: VersionConflict;
  readonly side: Side;
  readonly chosen: ReadonlyMap<string, Side>;
  readonly onChoose: (path: string, side: Side) => void;
  readonly children: string;
}

function SideCell({ conflict, side, chosen, onChoose, children }: SideCellProps) {
  const isChosen = chosen.get(conflict.path) === side;
  return (
    <td className={isChosen ? 'is-chosen' : ''}>
      <Radio
        checked={isChosen}
        disabled={side === 'mine' && conflict.isClosed}
        onChange={() => onChoose(conflict.path, side)}
        aria-label={`${conflict.title}：${side === 'mine' ? '我的' : '对方的'}`}
      >
        {children}
      </Radio>
    </td>
  );
}

/** That the document has moved on, which decides what may still be written. */
function stateText({ lifecycle }: Resource, base: ErpRecord, theirs: ErpRecord): string {
  const [before, now] = [base, theirs].map(({ status }) => lifecycle?.states[String(status)]?.title);
  return before === undefined || now === undefined || before === now
    ? ''
    : `状态已由“${before}”变为“${now}”。`;
}

/** Lines that I added to tables that may not be written any more. */
function lostLines({ fields }: Resource, mine: ErpRecord, theirs: ErpRecord): readonly string[] {
  return Object.values(fields).flatMap(({ type, name, title }) => {
    if (type !== 'lines' || isOpenIn(theirs, name)) return [];
    const added = linesOf(mine, name).filter(({ id }) => id === undefined).length;
    return added === 0 ? [] : [`您在“${title}”新增的 ${added} 行现在不能保存`];
  });
}

/** A value of one version in words: labels of that version, a whole line by its cells. */
function valueText(
  { resource, dictionaries, base }: StaleDialogProps,
  conflict: VersionConflict,
  value: unknown,
  record: ErpRecord,
): string {
  const [name = '', id, column] = conflict.path.split('.');
  const head = resource.fields[name];
  if (head === undefined) return '';
  if (id === undefined) return textOf(head, value, record);
  const line = linesOf(record, name).find((one) => one['id'] === id);
  if (column === undefined)
    return value === null || line === undefined ? '（无此行）' : lineText(head, line, changedCells(line));
  const cell = head.fields?.[column];
  return cell === undefined ? '' : textOf(cell, value, line ?? {});

  function changedCells(shown: ErpRecord): readonly Field[] {
    const old = linesOf(base, name).find((one) => one['id'] === id);
    if (old === undefined) return [];
    const columns = Object.values(head?.fields ?? {});
    return columns.filter((cell) => !cell.computed && !isSameValue(cell, old[cell.name], shown[cell.name]));
  }

  function textOf(field: Field, shown: unknown, holder: ErpRecord): string {
    const text = fieldText(field, shown, labelsOf(holder)[field.name], dictionaries);
    return text === '' ? '（空）' : text;
  }
}

const SHOWN_CELLS = 4;

/** What a line begins with, and what was changed in it. */
function lineText(lines: Field, line: ErpRecord, changed: readonly Field[]): string {
  const numbered = runningNumber(lines);
  const cells = Object.values(lines.fields ?? {}).filter(({ name }) => name !== numbered);
  const textOf = (cell: Field): string => fieldText(cell, line[cell.name], labelsOf(line)[cell.name]);
  const first = cells.map(textOf).filter((text) => text !== '');
  const said = changed
    .filter(({ name }) => name !== numbered)
    .map((cell) => `${cell.title} ${textOf(cell) || '（空）'}`);
  return [first.slice(0, SHOWN_CELLS).join(' / '), said.join('，')].filter((text) => text !== '').join('；');
}
