import { Segmented } from 'antd';
import { useState } from 'react';
import type { ImportPreview, ImportRowView } from '#contract/transfer.ts';

const KIND_TITLES = { create: '新增', update: '更新', error: '错误' } as const;
const SHOWN_ROWS = 500;

/** The judged rows of a file, all or of one kind; errors first where there are some. */
export function PreviewRows({ preview }: { readonly preview: ImportPreview }) {
  const [kind, setKind] = useState<'all' | ImportRowView['kind']>(preview.counts.error > 0 ? 'error' : 'all');
  const { counts } = preview;
  return (
    <>
      <Segmented
        value={kind}
        onChange={(next) => setKind(next)}
        options={[
          { value: 'all' as const, label: `全部 ${counts.create + counts.update + counts.error}` },
          { value: 'create' as const, label: `新增 ${counts.create}` },
          { value: 'update' as const, label: `更新 ${counts.update}` },
          { value: 'error' as const, label: `错误 ${counts.error}` },
        ]}
      />
      <ImportRows rows={preview.rows.filter((row) => kind === 'all' || row.kind === kind)} />
    </>
  );
}

/** Rows of a file with what becomes of them and why. */
export function ImportRows({ rows }: { readonly rows: readonly ImportRowView[] }) {
  return (
    <div className="import-rows">
      <table className="plain-table">
        <thead>
          <tr>
            <th style={{ width: 70 }}>行号</th>
            <th style={{ width: 70 }}>结果</th>
            <th>记录与原因</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN_ROWS).map((row) => (
            <tr key={row.row}>
              <td>{row.row < 0 ? `明细表 ${-row.row}` : row.row}</td>
              <td className={`import-${row.kind}`}>{KIND_TITLES[row.kind]}</td>
              <td>
                {row.label}
                {row.errors?.map((error) => (
                  <div key={`${error.cell ?? ''}${error.column}${error.message}`} className="import-error">
                    {error.cell !== undefined && <b>{error.cell}</b>} {error.column}
                    {error.column === '' ? '' : '：'}
                    {error.message}
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > SHOWN_ROWS && <p>只显示前 {SHOWN_ROWS} 行，其余见错误文件。</p>}
    </div>
  );
}
