import { Checkbox, Modal, Select } from 'antd';
import { useState } from 'react';
import type { Field } from '#engine/schema/resource.ts';
import type { Block, BlockPlan, ColumnMapping } from './pasted-block.ts';

interface PasteDialogProps {
  readonly block: Block;
  readonly plan: BlockPlan;
  readonly columns: readonly Field[];
  readonly onPaste: (mapping: ColumnMapping, hasHeader: boolean) => void;
  readonly onClose: () => void;
}

const SHOWN_ROWS = 5;

/** Says for every pasted column where it goes, over the first rows of the block. */
export function PasteDialog({ block, plan, columns, onPaste, onClose }: PasteDialogProps) {
  // A title may be that of a column which the system writes.
  const [mapping, setMapping] = useState<ColumnMapping>(() =>
    plan.mapping.map((name) => (columns.some((column) => column.name === name) ? name : null)),
  );
  const [hasHeader, setHasHeader] = useState(plan.hasHeader);
  const width = Math.max(0, ...block.map((row) => row.length));
  const indexes = Array.from({ length: width }, (_, index) => index);
  const rows = block.length - (hasHeader ? 1 : 0);
  const mapped = mapping.filter((name) => name !== null).length;
  const missing = leftEmpty(columns, mapping);
  return (
    <Modal
      open
      width={900}
      title="粘贴到哪些列"
      okText={`粘贴 ${rows} 行`}
      cancelText="取消"
      okButtonProps={{ disabled: mapped === 0 || rows === 0 }}
      onOk={() => onPaste(mapping, hasHeader)}
      onCancel={onClose}
    >
      <Checkbox checked={hasHeader} onChange={(event) => setHasHeader(event.target.checked)}>
        第一行是标题，不粘贴
      </Checkbox>
      <div className="paste-preview">
        <table>
          <thead>
            <tr>
              {indexes.map((index) => (
                <th key={index} scope="col">
                  <Select
                    aria-label={`第${index + 1}列粘贴到`}
                    value={mapping[index] ?? ''}
                    options={[
                      { value: '', label: '不粘贴' },
                      ...columns.map((column) => ({
                        value: column.name,
                        label: column.title,
                        disabled: mapping.some((name, other) => name === column.name && other !== index),
                      })),
                    ]}
                    onChange={(name: string) =>
                      setMapping(indexes.map((at) => (at === index ? name || null : (mapping[at] ?? null))))
                    }
                    style={{ width: '100%', minWidth: 110 }}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {block.slice(0, SHOWN_ROWS + 1).map((row, at) => (
              <tr key={at} className={at === 0 && hasHeader ? 'is-header' : ''}>
                {indexes.map((index) => (
                  <td key={index}>{row[index] ?? ''}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {block.length > SHOWN_ROWS + 1 && <p className="field-hint">共 {block.length} 行，只显示前几行</p>}
      {missing.length > 0 && (
        <p className="field-hint" role="status">
          没有粘贴到的必填列：{missing.map(({ title }) => title).join('、')}。粘贴成的新行要自己补填
        </p>
      )}
    </Modal>
  );
}

/** The required columns that new lines get nothing for: neither pasted, nor filled by what is pasted, nor with a default. */
function leftEmpty(columns: readonly Field[], mapping: ColumnMapping): readonly Field[] {
  const pasted = columns.filter(({ name }) => mapping.includes(name));
  const given = new Set(pasted.flatMap(({ name, fill = {} }) => [name, ...Object.keys(fill)]));
  return columns.filter(
    (column) => column.required && column.default === undefined && !given.has(column.name),
  );
}
