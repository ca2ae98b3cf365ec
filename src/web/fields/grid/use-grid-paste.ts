import { type ClipboardEvent, useState } from 'react';
import { copyRange } from './grid-edits.ts';
import type { GridModel } from './grid-model.ts';
import { pasteBlock, type PasteResult } from './paste-block.ts';
import {
  type Block,
  type BlockPlan,
  blockText,
  type ColumnMapping,
  parseBlock,
  planBlock,
} from './pasted-block.ts';
import type { GridSelectionModel } from './use-grid-selection.ts';

interface GridPaste {
  readonly model: GridModel;
  readonly selection: GridSelectionModel;
  readonly max: number;
  /** Copied from only. */
  readonly isDisabled: boolean;
  readonly say: (result: PasteResult) => void;
  readonly fail: (text: string) => void;
}

interface AskedPaste {
  readonly block: Block;
  readonly plan: BlockPlan;
  readonly fromRow: number;
}

/** Copying a range out and pasting a block in, with the mapping dialog where a look is needed. */
export function useGridPaste({ model, selection, max, isDisabled, say, fail }: GridPaste) {
  const [asked, setAsked] = useState<AskedPaste | null>(null);
  const [isPasting, setPasting] = useState(false);
  const openColumns = model.columns.filter((column) => !column.computed && column.readOnly !== true);

  const run = async (block: Block, mapping: ColumnMapping, fromRow: number): Promise<void> => {
    if (fromRow + block.length > max) {
      fail(`最多${max}行，粘贴后将有${fromRow + block.length}行`);
      return;
    }
    setPasting(true);
    try {
      say(await pasteBlock(model, block, mapping, fromRow));
    } catch (error) {
      fail(error instanceof Error ? error.message : '粘贴失败，请重试');
    } finally {
      setPasting(false);
    }
  };

  /** Back to the cell that was pasted in: the next key, a step back say, belongs to the table. */
  const close = (): void => {
    setAsked(null);
    if (selection.active !== null) selection.moveTo(selection.active);
  };

  const onPaste = (event: ClipboardEvent<HTMLElement>): void => {
    if (isDisabled || !isInGrid(event)) return;
    const text = event.clipboardData.getData('text/plain');
    const block = parseBlock(text);
    const first = block[0];
    const isBlock = block.length > 1 || (first?.length ?? 0) > 1;
    if (first === undefined || (!isBlock && !selection.isRange)) return;
    event.preventDefault();
    event.stopPropagation();
    const start = selection.range ?? { top: model.store.order().length, bottom: 0, left: 0, right: 0 };
    const column = model.columns[start.left]?.name ?? '';
    // One value into a range fills the range.
    if (!isBlock && selection.range !== null) {
      const { top, bottom, left, right } = selection.range;
      const row = Array.from({ length: right - left + 1 }, () => text.trim());
      const whole = Array.from({ length: bottom - top + 1 }, () => row);
      void run(whole, planBlock(whole, model.columns, column).mapping, top);
      return;
    }
    const plan = planBlock(block, model.columns, column);
    if (plan.needsDialog) setAsked({ block, plan, fromRow: start.top });
    else void run(block, plan.mapping, start.top);
  };

  const onCopy = (event: ClipboardEvent<HTMLElement>): void => {
    if (selection.range === null || !selection.isRange || !isInGrid(event)) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', blockText(copyRange(model, selection.range)));
  };

  return {
    onPaste,
    onCopy,
    isPasting,
    asked,
    openColumns,
    cancel: close,
    confirm: (mapping: ColumnMapping, hasHeader: boolean): void => {
      if (asked === null) return;
      close();
      void run(hasHeader ? asked.block.slice(1) : asked.block, mapping, asked.fromRow);
    },
  };
}

/** A dialog that the grid opened lies over it: React tells of what happens there too. */
function isInGrid({ target, currentTarget }: ClipboardEvent<HTMLElement>): boolean {
  return target instanceof Node && currentTarget.contains(target);
}
