import { Alert, Button, Space } from 'antd';
import dayjs from 'dayjs';
import type { DraftState } from '../form/use-draft.ts';

interface DraftOfferProps {
  readonly draft: DraftState;
  /** Version of the record as it is now. */
  readonly version: number | null;
}

/** Offers unsaved work of an earlier visit back; says when the record has changed since. */
export function DraftOffer({ draft, version }: DraftOfferProps) {
  if (draft.offered === null) return null;
  const isOld = draft.offered.version !== version;
  return (
    <Alert
      type="warning"
      showIcon
      message={`发现 ${dayjs(draft.offered.savedAt).format('YYYY-MM-DD HH:mm')} 未保存的内容`}
      description={isOld ? '此后单据已被修改过，恢复后保存时会逐项比较' : undefined}
      action={
        <Space>
          <Button size="small" type="primary" onClick={draft.restore}>
            恢复
          </Button>
          <Button size="small" onClick={draft.discard}>
            丢弃
          </Button>
        </Space>
      }
    />
  );
}
