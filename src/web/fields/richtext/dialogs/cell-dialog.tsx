import { type IDomEditor, SlateEditor, SlateElement, type SlatePath } from '@wangeditor/editor';
import { Form, Modal, Radio, Select } from 'antd';
import { useState } from 'react';
import { keptOf } from '../attribute-module.ts';
import { withKept } from '../block-styles.ts';
import { parseKept } from '../kept-attributes.ts';
import { placeOf } from '../places.ts';
import { setProperties } from '../set-properties.ts';
import { cellAt } from '../table-cells.ts';
import { declarationsOf, withDeclarations } from '../declarations.ts';
import { Colour, PaddingField, SIDES } from './property-fields.tsx';

interface CellDialogProps {
  readonly editor: IDomEditor;
  readonly onClose: () => void;
}

interface Cell {
  readonly node: SlateElement;
  readonly path: SlatePath;
}

const VERTICALS = [
  { value: '', label: '不设置' },
  { value: 'top', label: '靠上' },
  { value: 'middle', label: '居中' },
  { value: 'bottom', label: '靠下' },
] as const;

type Range = 'cell' | 'row' | 'column' | 'table';

/** Alignment, ground and padding of the cell that the caret is in, of its row, its column or the whole table. */
export function CellDialog({ editor, onClose }: CellDialogProps) {
  const [place] = useState(() => placeOf(editor, /^table-cell$/));
  // Asked while the caret is in the cell: the fields of the dialog may take it away.
  const [found] = useState(() => cellAt(editor));
  const kept = parseKept(place === null ? '' : keptOf(place.node));
  const styles = declarationsOf(kept['style']);
  const [align, setAlign] = useState(textOf(place?.node, 'textAlign') || (kept['align'] ?? ''));
  const [vertical, setVertical] = useState(styles['vertical-align'] ?? kept['valign'] ?? '');
  const [ground, setGround] = useState(textOf(place?.node, 'backgroundColor') || (kept['bgcolor'] ?? ''));
  const [padding, setPadding] = useState<number | null>(
    styles['padding-top'] === undefined ? null : Number.parseInt(styles['padding-top'], 10),
  );
  const [range, setRange] = useState<Range>('cell');
  if (place === null) return null;
  const save = () => {
    onClose();
    SlateEditor.withoutNormalizing(editor, () => {
      for (const { node, path } of cellsOf(editor, { place, found }, range)) {
        const style = withDeclarations(parseKept(keptOf(node))['style'], {
          'text-align': align === '' ? null : align,
          'background-color': ground === '' ? null : ground,
          'vertical-align': vertical === '' ? null : vertical,
          padding: padding === null ? null : `${padding}px`,
        });
        setProperties(
          editor,
          {
            textAlign: align === '' ? undefined : align,
            backgroundColor: ground === '' ? undefined : ground,
            kept: withKept(keptOf(node), {
              align: null,
              valign: null,
              bgcolor: null,
              style: style === '' ? null : style,
            }),
          },
          { at: path },
        );
      }
    });
  };
  return (
    <Modal open title="单元格属性" okText="确定" cancelText="取消" onOk={save} onCancel={onClose}>
      <Form layout="horizontal" labelCol={{ span: 6 }}>
        <Form.Item label="应用于">
          <Radio.Group
            value={range}
            onChange={(event) => setRange(event.target.value)}
            options={[
              { value: 'cell', label: '单元格' },
              { value: 'row', label: '整行' },
              { value: 'column', label: '整列' },
              { value: 'table', label: '整个表格' },
            ]}
          />
        </Form.Item>
        <Form.Item label="水平对齐" htmlFor="cell-align">
          <Select
            id="cell-align"
            value={align}
            options={[...SIDES]}
            onChange={setAlign}
            style={{ width: 120 }}
          />
        </Form.Item>
        <Form.Item label="垂直对齐" htmlFor="cell-vertical">
          <Select
            id="cell-vertical"
            value={vertical}
            options={[...VERTICALS]}
            onChange={setVertical}
            style={{ width: 120 }}
          />
        </Form.Item>
        <Form.Item label="背景色">
          <Colour label="单元格背景色" value={ground} onChange={setGround} />
        </Form.Item>
        <Form.Item label="内边距" htmlFor="cell-padding">
          <PaddingField id="cell-padding" value={padding} onChange={setPadding} />
        </Form.Item>
      </Form>
    </Modal>
  );
}

/** The cells of the range; one that is merged belongs to every row and column that it covers. */
function cellsOf(
  editor: IDomEditor,
  { place, found }: { readonly place: Cell; readonly found: ReturnType<typeof cellAt> },
  range: Range,
): readonly Cell[] {
  if (range === 'cell' || found === null) return [place];
  const { cell: own, grid } = found;
  return grid
    .filter(
      (cell) =>
        range === 'table' ||
        (range === 'row' ? meet(cell.row, cell.rows, own.row) : meet(cell.column, cell.columns, own.column)),
    )
    .flatMap(({ path }) => {
      const [node] = SlateEditor.node(editor, path);
      return SlateElement.isElement(node) ? [{ node, path }] : [];
    });
}

function meet(start: number, count: number, at: number): boolean {
  return start <= at && at < start + count;
}

function textOf(node: object | undefined, name: string): string {
  const value: unknown = node === undefined ? '' : Reflect.get(node, name);
  return typeof value === 'string' ? value : '';
}
