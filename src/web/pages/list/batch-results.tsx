import { Modal } from 'antd';

export interface BatchResult {
  readonly id: string;
  readonly label: string;
  readonly ok: boolean;
  readonly msg: string;
}

/** The result of each row of a batch; refusals first. */
export function BatchResults({
  results,
  onClose,
}: {
  readonly results: readonly BatchResult[];
  readonly onClose: () => void;
}) {
  const refused = results.filter((result) => !result.ok);
  return (
    <Modal open title="批量操作结果" footer={null} onCancel={onClose} width={640}>
      <p>
        成功 {results.length - refused.length} 条{refused.length > 0 ? `，未完成 ${refused.length} 条` : ''}
      </p>
      <ul className="batch-results">
        {[...refused, ...results.filter((result) => result.ok)].map((result) => (
          <li key={result.id} className={result.ok ? 'ok' : 'refused'}>
            <b>{result.label}</b>
            <span>{result.ok ? '成功' : result.msg}</span>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
