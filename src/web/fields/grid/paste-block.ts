import type { Field } from '#engine/schema/resource.ts';
import { choicesOf } from '../dictionary-context.ts';
import type { FieldServices } from '../field-services.ts';
import type { FieldPlace } from '../field-view.ts';
import { type GridModel, pickedCells } from './grid-model.ts';
import type { CellChange } from './line-cell.ts';
import { type Block, cellValue, type ColumnMapping } from './pasted-block.ts';
import {
  holdsName,
  nameByText,
  nameCandidates,
  notFound,
  type PastedName,
  recordByText,
  severalCalled,
} from './pasted-names.ts';

export interface PasteResult {
  readonly rows: number;
  /** Cells whose text could not be understood or is not allowed; they keep the problem beside them. */
  readonly problems: number;
  /** Texts for cells that this person may not write, or not in this state; what the system writes itself does not count. */
  readonly locked: number;
}

interface CellProblem {
  readonly key: string;
  readonly column: string;
  readonly message: string;
}

/** What is said of a paste, and whether it went in whole. */
export function pasteWords({ rows, problems, locked }: PasteResult): {
  readonly text: string;
  readonly isWhole: boolean;
} {
  if (rows === 0) return { text: '没有粘贴：这些单元格不可填写', isWhole: false };
  const faults = [
    ...(problems === 0 ? [] : [`${problems} 个单元格有误，已标红`]),
    ...(locked === 0 ? [] : [`${locked} 个单元格不可填写，未写入`]),
  ];
  return { text: [`已粘贴 ${rows} 行`, ...faults].join('，'), isWhole: faults.length === 0 };
}

const TEXTS_PER_CALL = 200;

/**
 * Writes a block into the lines from a row on, adding lines where it is longer. All references or names of a column are
 * resolved by one lookup; everything is written at once, so that it is one step back and totals run once.
 */
export async function pasteBlock(
  model: GridModel,
  block: Block,
  mapping: ColumnMapping,
  fromRow: number,
): Promise<PasteResult> {
  const { store } = model;
  const targets = mapping.map((name) => model.columns.find((column) => column.name === name) ?? null);
  const found = await resolveTexts(model, block, targets, store.keyAt(fromRow));
  return store.asOneStep(() => putBlock(model, { block, targets, found, fromRow }));
}

/** Puts what was resolved into the lines, new ones where there are too few. */
function putBlock(
  model: GridModel,
  asked: {
    readonly block: Block;
    readonly targets: readonly (Field | null)[];
    readonly found: Found;
    readonly fromRow: number;
  },
): PasteResult {
  const { store } = model;
  const { block, targets, found, fromRow } = asked;
  const missing = fromRow + block.length - store.order().length;
  // New lines in which nothing may be written would stay empty.
  if (missing > 0 && targets.some((column) => column !== null && isOpenIn(model, column)))
    store.append(missing);
  const changes: CellChange[] = [];
  const filled: CellChange[] = [];
  const problems: CellProblem[] = [];
  let locked = 0;
  for (const [offset, row] of block.entries()) {
    const key = store.keyAt(fromRow + offset);
    for (const [index, text] of row.entries()) {
      const column = targets[index] ?? null;
      if (column === null) continue;
      if (key === undefined || model.isClosed(column, store.cell(key, column.name))) {
        if (text.trim() !== '' && !isWrittenBySystem(column)) locked += 1;
        continue;
      }
      if (!isLookedUp(column)) {
        addCell(model, key, column, text, changes, problems);
        continue;
      }
      const wanted = text.trim();
      const meant = found.get(column.name)?.get(wanted.toLowerCase()) ?? notFound(wanted);
      const [own, ...fill] = pickedCells(key, column, 'picked' in meant ? meant.picked : null);
      if (own !== undefined) changes.push(own);
      filled.push(...fill);
      if ('problem' in meant && wanted !== '')
        problems.push({ key, column: column.name, message: meant.problem });
    }
  }
  const written = new Set(changes.map(({ key, column }) => `${key}:${column}`));
  // What the block says itself wins over what picking fills.
  store.setCells([...filled.filter(({ key, column }) => !written.has(`${key}:${column}`)), ...changes]);
  store.addUnread(problems);
  const refused = changes.filter(({ key, column, value }) => {
    const field = model.columns.find(({ name }) => name === column);
    return value !== null && field !== undefined && !model.checkCell(key, field);
  });
  const rows = changes.length === 0 ? 0 : block.length;
  return { rows, problems: problems.length + refused.length, locked };
}

/** Whether a new line could be written in a column. */
function isOpenIn(model: GridModel, column: Field): boolean {
  return !model.isClosed(column, model.store.columnState(column.name));
}

function isWrittenBySystem({ computed, readOnly }: Field): boolean {
  return computed || readOnly === true;
}

function addCell(
  model: GridModel,
  key: string,
  column: Field,
  text: string,
  changes: CellChange[],
  problems: CellProblem[],
): void {
  const read = cellValue(column, text, choicesOf(column, model.dictionaries));
  if ('problem' in read) problems.push({ key, column: column.name, message: read.problem });
  changes.push({
    key,
    column: column.name,
    value: 'value' in read ? read.value : null,
    ...('label' in read ? { label: read.label } : {}),
  });
}

type Found = ReadonlyMap<string, ReadonlyMap<string, PastedName>>;

function isLookedUp(column: Field): boolean {
  return column.type === 'reference' || holdsName(column);
}

/** For every column that is looked up its texts with what each of them names. */
async function resolveTexts(
  model: GridModel,
  block: Block,
  targets: readonly (Field | null)[],
  firstKey: string | undefined,
): Promise<Found> {
  const found = new Map<string, ReadonlyMap<string, PastedName>>();
  for (const [index, column] of targets.entries()) {
    if (column === null || !isLookedUp(column) || model.services === null) continue;
    const texts = [...new Set(block.map((row) => (row[index] ?? '').trim()).filter((text) => text !== ''))];
    const place = model.placeOf(firstKey ?? '', column);
    const resolve = holdsName(column) ? resolveNames : resolveReferences;
    found.set(column.name, await resolve(model.services, place, texts));
  }
  return found;
}

type Resolve = (
  services: FieldServices,
  place: FieldPlace,
  texts: readonly string[],
) => Promise<ReadonlyMap<string, PastedName>>;

const resolveNames: Resolve = async (services, place, texts) => {
  if (texts.length === 0) return new Map();
  const candidates = await nameCandidates(services, place);
  return new Map(texts.map((text) => [text.toLowerCase(), nameByText(candidates, text)]));
};

/** Each text with the record that it names exactly. */
const resolveReferences: Resolve = async (services, place, texts) => {
  const byText = new Map<string, PastedName>();
  for (let at = 0; at < texts.length; at += TEXTS_PER_CALL)
    await resolveTogether(services, place, texts.slice(at, at + TEXTS_PER_CALL), byText);
  return byText;
};

/** An answer holds two records a text, whosever they are: when there are more, each half is asked for by itself. */
async function resolveTogether(
  services: FieldServices,
  place: FieldPlace,
  texts: readonly string[],
  byText: Map<string, PastedName>,
): Promise<void> {
  const { records, total } = await services.lookup(place, { texts });
  const isCut = total > records.length;
  if (isCut && texts.length > 1) {
    const middle = Math.ceil(texts.length / 2);
    await resolveTogether(services, place, texts.slice(0, middle), byText);
    await resolveTogether(services, place, texts.slice(middle), byText);
    return;
  }
  for (const text of texts) {
    const meant = recordByText(records, text);
    byText.set(text.toLowerCase(), isCut && 'picked' in meant ? severalCalled(text) : meant);
  }
}
