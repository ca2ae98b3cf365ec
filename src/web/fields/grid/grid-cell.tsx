import { CalendarOutlined } from '@ant-design/icons';
import { memo, useState, useSyncExternalStore } from 'react';
import type { Field } from '#engine/schema/resource.ts';
import { choicesOf, type Dictionaries } from '../dictionary-context.ts';
import { fieldText, scalarText } from '../field-text.ts';
import { shownNumber } from '#engine/values/shown-number.ts';
import { editedNumber, typedDecimal, typedInteger } from '../number-text.ts';
import { selectForTyping } from '../select-for-typing.ts';
import { CellEditor } from './cell-editor.tsx';
import { CellHelp } from './cell-help.tsx';
import type { GridModel } from './grid-model.ts';
import type { CellSnapshot } from './line-cell.ts';
import { RecallButton } from './recall-button.tsx';
import { cellValue } from './pasted-block.ts';

interface GridCellProps {
  readonly model: GridModel;
  readonly lineKey: string;
  readonly column: Field;
  readonly columnIndex: number;
  /** The form that the row's inputs belong to. */
  readonly formId: string;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  /** The cell was entered by a click: its list opens at once. */
  readonly isClicked: boolean;
}

const NUMBER_TYPES: ReadonlySet<string> = new Set(['integer', 'decimal', 'money', 'percent']);

/** True for cells that always hold a native input, so that Chinese input may start on the selected cell. */
export function isTextCell(column: Field): boolean {
  if (column.options !== undefined || column.multiple === true) return false;
  // A name of the definitions is picked by what people call it.
  if (column.names !== undefined && column.names !== 'template') return false;
  return NUMBER_TYPES.has(column.type) || ['text', 'textarea', 'date'].includes(column.type);
}

/** One cell, woken only by its own changes. */
export const GridCell = memo(function GridCell(props: GridCellProps) {
  const { model, lineKey, column, isActive, isSelected } = props;
  const { store } = model;
  const cell = useSyncExternalStore(
    (listener) => store.subscribeCell(lineKey, column.name, listener),
    () => store.cell(lineKey, column.name),
  );
  const isClosed = model.isClosed(column, cell);
  const problemId = cell.problem === null ? undefined : `${lineKey}-${column.name}-problem`;
  return (
    <div
      role="gridcell"
      aria-colindex={props.columnIndex + 2}
      aria-readonly={isClosed}
      aria-selected={isActive || isSelected}
      aria-invalid={cell.problem !== null && !cell.isWarning}
      aria-describedby={problemId}
      data-row={lineKey}
      data-column={props.columnIndex}
      title={cell.problem ?? cell.reason ?? undefined}
      className={cellClass(props, cell, isClosed)}
      {...(isClosed || !isTextCell(column) ? { tabIndex: -1 } : {})}
    >
      <CellContent {...props} cell={cell} isClosed={isClosed} />
      {isActive && <CellHelp model={model} lineKey={lineKey} column={column} reason={cell.reason} />}
      {cell.problem !== null && (
        <span id={problemId} className="grid-problem">
          {cell.problem}
        </span>
      )}
    </div>
  );
});

interface CellContentProps extends GridCellProps {
  readonly cell: CellSnapshot;
  readonly isClosed: boolean;
}

function CellContent(props: CellContentProps) {
  const { model, lineKey, column, cell, isClosed, isActive } = props;
  if (cell.isHidden) return null;
  if (isClosed && column.type === 'money')
    return shownNumber(cell.value, column, model.currencyAt(lineKey, column));
  if (isClosed) return cellText(column, cell, model.dictionaries);
  if (column.type === 'date') return <DateInput {...props} />;
  if (isTextCell(column))
    return (
      <>
        <TextInput {...props} />
        {isActive && column.recalls !== undefined && <RecallButton {...props} />}
      </>
    );
  if (column.type === 'boolean')
    return (
      <input
        type="checkbox"
        form={props.formId}
        tabIndex={-1}
        aria-label={column.title}
        checked={cell.value === true}
        onChange={(event) =>
          model.store.setCells([{ key: lineKey, column: column.name, value: event.target.checked }])
        }
      />
    );
  if (isActive) return <CellEditor {...props} />;
  return cellText(column, cell, model.dictionaries);
}

/** Dates are typed in any usual form; the calendar is a button (or F4) away. */
function DateInput(props: CellContentProps) {
  const [isCalendar, setCalendar] = useState(false);
  if (isCalendar && props.isActive) return <CellEditor {...props} isClicked />;
  return (
    <>
      <TextInput {...props} onOpen={() => setCalendar(true)} />
      {props.isActive && (
        <button
          type="button"
          className="picker-button"
          tabIndex={-1}
          title="打开日历（F4）"
          aria-label="打开日历"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setCalendar(true)}
        >
          <CalendarOutlined />
        </button>
      )}
    </>
  );
}

interface TextInputProps extends CellContentProps {
  readonly onOpen?: () => void;
}

/** A native input. Numbers keep the typed text while they have the focus; every keystroke reaches the store. */
function TextInput({ model, lineKey, column, columnIndex, formId, cell, onOpen }: TextInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const isNumber = NUMBER_TYPES.has(column.type);
  const isDate = column.type === 'date';
  const shown = isNumber
    ? shownNumber(cell.value, column, model.currencyAt(lineKey, column))
    : scalarText(cell.value);
  // Undo, paste or Escape may replace the value under the typed text: then the value is what counts.
  const meant = typed === null ? null : isDate ? typedDate(column, typed) : valueOf(column, typed);
  const isStale = typed !== null && !isSame(meant, cell.value);
  return (
    <input
      form={formId}
      tabIndex={-1}
      aria-label={column.title}
      aria-invalid={cell.problem !== null && !cell.isWarning}
      data-text-column={columnIndex}
      value={typed === null ? shown : isStale ? (isNumber ? editedNumber(cell.value) : shown) : typed}
      inputMode={isNumber ? 'decimal' : 'text'}
      autoComplete="off"
      spellCheck={false}
      onFocus={(event) => {
        const text = isNumber ? editedNumber(cell.value) : shown;
        if (isNumber) setTyped(text);
        selectForTyping(event.target, text);
      }}
      onChange={(event) => {
        const text = event.target.value;
        setTyped(isNumber || isDate ? text : null);
        const value = isNumber
          ? valueOf(column, text)
          : isDate
            ? typedDate(column, text)
            : text === ''
              ? null
              : text;
        model.store.setCells([{ key: lineKey, column: column.name, value }], { isTyping: true });
      }}
      onKeyDown={(event) => {
        if (event.key === 'F9') {
          event.preventDefault();
          event.currentTarget.parentElement?.querySelector<HTMLElement>('[data-recall]')?.click();
        }
        if (event.key !== 'F4' || onOpen === undefined) return;
        event.preventDefault();
        onOpen();
      }}
      onBlur={() => {
        setTyped(null);
        model.store.endTyping();
        model.checkCell(lineKey, column);
      }}
    />
  );
}

/** The date that was typed so far; text that is none yet stays for the check. */
function typedDate(column: Field, text: string): unknown {
  const read = cellValue(column, text, []);
  return 'value' in read ? read.value : text;
}

function valueOf(column: Field, text: string): unknown {
  return column.type === 'integer' ? typedInteger(text) : typedDecimal(text);
}

function isSame(a: unknown, b: unknown): boolean {
  return (a ?? null) === (b ?? null);
}

/** The text that a cell shows when nobody edits it; the copy to a spreadsheet takes the same. */
export function cellText(
  column: Field,
  cell: Pick<CellSnapshot, 'value' | 'label'>,
  dictionaries: Dictionaries,
): string {
  const { value } = cell;
  if (column.type === 'boolean') return value === true ? '是' : '';
  if (column.dictionary !== undefined || column.options !== undefined) {
    const choice = choicesOf(column, dictionaries).find((one) => one.value === value);
    if (choice !== undefined) return choice.label;
  }
  return fieldText(column, value, cell.label, dictionaries);
}

function cellClass(
  { column, isActive, isSelected }: GridCellProps,
  cell: CellSnapshot,
  isClosed: boolean,
): string {
  const names = ['grid-cell'];
  if (NUMBER_TYPES.has(column.type)) names.push('is-number');
  if (isClosed) names.push('is-closed');
  else if (isTextCell(column)) names.push('is-typed');
  if (isSelected) names.push('is-selected');
  if (isActive) names.push('is-active');
  if (cell.problem !== null) names.push('has-problem');
  if (cell.isWarning) names.push('is-warning');
  if (column.type === 'boolean') names.push('is-boolean');
  return names.join(' ');
}
