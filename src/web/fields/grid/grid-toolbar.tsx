import {
  CompressOutlined,
  CopyOutlined,
  DeleteOutlined,
  ExpandOutlined,
  PlusOutlined,
  RedoOutlined,
  UndoOutlined,
} from '@ant-design/icons';
import { type ReactNode, useSyncExternalStore } from 'react';
import { keysOfRange } from './grid-edits.ts';
import type { GridModel } from './grid-model.ts';
import type { GridSelectionModel } from './use-grid-selection.ts';

interface GridToolbarProps {
  readonly model: GridModel;
  readonly selection: GridSelectionModel;
  readonly isDisabled: boolean;
  readonly isFixedLength: boolean;
  readonly isFull: boolean;
  readonly onFull: () => void;
  readonly max: number;
  readonly isPasting: boolean;
  /** Further ways to lines: picking them from other documents. */
  readonly extra?: ReactNode;
}

/** What can be done to lines; each has its key or works on the selected lines. */
export function GridToolbar(props: GridToolbarProps) {
  const { model, selection, isDisabled, isFull, max } = props;
  const { store } = model;
  useSyncExternalStore(store.subscribeAny, store.canUndo);
  useSyncExternalStore(store.subscribeAny, store.canRedo);
  const count = useSyncExternalStore(store.subscribeOrder, store.order).length;
  const keys = keysOfRange(model, selection.range);
  const add = (index: number): void => {
    store.insertBlank(index);
    const column = model.columns.findIndex((one) => !one.computed && one.readOnly !== true);
    selection.moveTo({ row: index, column: Math.max(0, column) });
  };
  return (
    <div className="grid-toolbar" role="toolbar" aria-label="明细操作">
      {!isDisabled && !props.isFixedLength && (
        <>
          <GridButton icon={<PlusOutlined />} onClick={() => add(count)} disabled={count >= max}>
            添加行
          </GridButton>
          <GridButton
            onClick={() => add(selection.range?.top ?? count)}
            disabled={selection.range === null || count >= max}
          >
            插入行
          </GridButton>
          <GridButton
            icon={<CopyOutlined />}
            disabled={keys.length === 0 || count + keys.length > max}
            onClick={() => {
              const bottom = selection.range?.bottom ?? 0;
              store.copy(keys);
              selection.moveTo({ row: bottom + 1, column: selection.active?.column ?? 0 });
            }}
          >
            复制行
          </GridButton>
          <GridButton
            icon={<DeleteOutlined />}
            disabled={keys.length === 0}
            onClick={() => {
              store.remove(keys);
              selection.collapse();
            }}
          >
            删除{keys.length > 1 ? `${keys.length}行` : '行'}
          </GridButton>
          {props.extra}
        </>
      )}
      {!isDisabled && (
        <>
          <GridButton
            icon={<UndoOutlined />}
            aria-label="撤销"
            title="撤销（Ctrl+Z）"
            disabled={!store.canUndo()}
            onClick={() => store.undo()}
          />
          <GridButton
            icon={<RedoOutlined />}
            aria-label="重做"
            title="重做（Ctrl+Y）"
            disabled={!store.canRedo()}
            onClick={() => store.redo()}
          />
        </>
      )}
      <span className="grid-count">
        共 {count} 行{selection.isRange && `，选中 ${keys.length} 行`}
      </span>
      {props.isPasting && (
        <span className="grid-count" role="status">
          正在粘贴…
        </span>
      )}
      <span className="grid-spacer" />
      {!isDisabled && <span className="grid-hint">可从Excel粘贴 · Ctrl+D 向下填充 · Enter 换行</span>}
      <GridButton
        icon={isFull ? <CompressOutlined /> : <ExpandOutlined />}
        aria-label={isFull ? '退出全屏' : '全屏'}
        title={isFull ? '退出全屏（Esc）' : '全屏'}
        onClick={props.onFull}
      />
    </div>
  );
}

interface GridButtonProps {
  readonly icon?: ReactNode;
  readonly title?: string;
  readonly 'aria-label'?: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children?: ReactNode;
}

/** A native button: a grid appears with eight of them at once. */
export function GridButton({ icon, children, ...rest }: GridButtonProps) {
  return (
    <button type="button" className="grid-button" {...rest}>
      {icon}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}
