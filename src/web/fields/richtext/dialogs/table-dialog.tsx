import { type IDomEditor, SlateEditor, SlateElement } from '@wangeditor/editor';
import { Checkbox, Form, Input, InputNumber, Modal, Select, Space } from 'antd';
import { useState } from 'react';
import { keptOf } from '../attribute-module.ts';
import { withKept } from '../block-styles.ts';
import { parseKept } from '../kept-attributes.ts';
import { placeOf, typeOf } from '../places.ts';
import { setProperties } from '../set-properties.ts';
import { declarationsOf, withDeclarations } from '../declarations.ts';
import { Colour, PaddingField, SIDES } from './property-fields.tsx';

interface TableDialogProps {
  readonly editor: IDomEditor;
  readonly onClose: () => void;
}

const LINES = [
  { value: 'solid', label: '实线' },
  { value: 'dashed', label: '虚线' },
  { value: 'dotted', label: '点线' },
  { value: 'double', label: '双线' },
] as const;

/** Margins that place a table; text does not flow around it. */
const MARGINS: Readonly<Record<string, readonly [string, string]>> = {
  left: ['0', 'auto'],
  center: ['auto', 'auto'],
  right: ['auto', '0'],
};

/** Title, width, place, lines and ground of the table that the caret is in. */
export function TableDialog({ editor, onClose }: TableDialogProps) {
  const [place] = useState(() => placeOf(editor, /^table$/));
  const kept = parseKept(place === null ? '' : keptOf(place.node));
  const styles = declarationsOf(kept['style']);
  const [title, setTitle] = useState(kept['#caption'] ?? '');
  const [isFull, setFull] = useState(place !== null && Reflect.get(place.node, 'width') === '100%');
  const [side, setSide] = useState(sideOf(styles));
  const [border, setBorder] = useState(Number(kept['border'] ?? (Object.keys(kept).length === 0 ? 1 : 0)));
  const [line, setLine] = useState(styles['border-top-style'] ?? styles['border-style'] ?? 'solid');
  const [lineColor, setLineColor] = useState(styles['border-top-color'] ?? styles['border-color'] ?? '');
  const [ground, setGround] = useState(styles['background-color'] ?? '');
  const [padding, setPadding] = useState<number | null>(
    kept['cellpadding'] === undefined ? null : Number(kept['cellpadding']),
  );
  const [isHeaded, setHeaded] = useState(() => place !== null && hasHeader(place.node));
  if (place === null) return null;
  const save = () => {
    onClose();
    const [left, right] = MARGINS[side] ?? [null, null];
    const hasLine = border > 0 && (line !== 'solid' || lineColor !== '');
    const style = withDeclarations(kept['style'], {
      'background-color': ground === '' ? null : ground,
      'margin-left': left,
      'margin-right': right,
      'border-style': hasLine ? line : null,
      'border-color': hasLine && lineColor !== '' ? lineColor : null,
      'border-width': hasLine ? `${border}px` : null,
    });
    setProperties(
      editor,
      {
        width: isFull ? '100%' : 'auto',
        kept: withKept(keptOf(place.node), {
          '#caption': title.trim() === '' ? null : title.trim(),
          border: String(border),
          cellpadding: padding === null ? null : String(padding),
          width: isFull ? (kept['width'] ?? null) : null,
          style: style === '' ? null : style,
        }),
      },
      { at: place.path },
    );
    setHeader(editor, place.path, isHeaded);
  };
  return (
    <Modal open title="表格属性" okText="确定" cancelText="取消" onOk={save} onCancel={onClose}>
      <Form layout="horizontal" labelCol={{ span: 6 }}>
        <Form.Item label="表格标题" htmlFor="table-title">
          <Input
            id="table-title"
            autoFocus
            maxLength={100}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
            onPressEnter={save}
          />
        </Form.Item>
        <Form.Item label="宽度">
          <Checkbox checked={isFull} onChange={(event) => setFull(event.target.checked)}>
            占满整行
          </Checkbox>
          <Checkbox checked={isHeaded} onChange={(event) => setHeaded(event.target.checked)}>
            首行为标题行
          </Checkbox>
        </Form.Item>
        <Form.Item label="位置" htmlFor="table-side">
          <Select
            id="table-side"
            value={side}
            options={[...SIDES]}
            onChange={setSide}
            style={{ width: 120 }}
          />
        </Form.Item>
        <Form.Item label="边框">
          <Space>
            <InputNumber
              aria-label="边框粗细"
              min={0}
              max={10}
              precision={0}
              addonAfter="px"
              value={border}
              onChange={(value) => setBorder(value ?? 0)}
              style={{ width: 110 }}
            />
            <Select
              aria-label="线型"
              value={line}
              options={[...LINES]}
              onChange={setLine}
              style={{ width: 84 }}
            />
            <Colour label="边框颜色" value={lineColor} onChange={setLineColor} />
          </Space>
        </Form.Item>
        <Form.Item label="背景色">
          <Colour label="表格背景色" value={ground} onChange={setGround} />
        </Form.Item>
        <Form.Item label="单元格边距" htmlFor="table-padding">
          <PaddingField id="table-padding" value={padding} onChange={setPadding} />
        </Form.Item>
      </Form>
    </Modal>
  );
}

function sideOf(styles: Readonly<Record<string, string>>): string {
  const { 'margin-left': left, 'margin-right': right } = styles;
  if (left === 'auto') return right === 'auto' ? 'center' : 'right';
  return right === 'auto' ? 'left' : '';
}

function hasHeader(table: SlateElement): boolean {
  const [row] = table.children;
  if (!SlateElement.isElement(row)) return false;
  return row.children.every((cell) => Reflect.get(cell, 'isHeader') === true);
}

function setHeader(editor: IDomEditor, path: number[], isHeaded: boolean): void {
  const cells = [
    ...SlateEditor.nodes(editor, {
      at: [...path, 0],
      match: (node) => SlateElement.isElement(node) && typeOf(node) === 'table-cell',
    }),
  ];
  for (const [, at] of cells) setProperties(editor, { isHeader: isHeaded }, { at });
}
