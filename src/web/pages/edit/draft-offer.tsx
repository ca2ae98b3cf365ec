import { Alert, Button, Space } from 'antd';
import { useEffect, useRef } from 'react';
import { companyTime } from '#engine/values/dates.ts';
import type { Draft } from '../form/draft-store.ts';

interface DraftOfferProps {
  readonly draft: Draft;
  /** Version of the record as it is now. */
  readonly version: number | null;
  readonly onRestore: (draft: Draft) => void;
  readonly onDiscard: () => void;
}

/** Offers unsaved work of an earlier visit back; says when the record has changed since. */
export function DraftOffer({ draft, version, onRestore, onDiscard }: DraftOfferProps) {
  // What was never saved has changed nowhere else.
  const isOld = draft.pending === null && draft.base !== null && draft.version !== version;
  const place = useRef<HTMLDivElement>(null);
  // The focus of a new form may have led past it already, and without it the form looks as if all were lost.
  useEffect(() => {
    // In braces: what a browser answers is no way to undo it.
    place.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div ref={place}>
      <Alert
        type="warning"
        showIcon
        message={`发现 ${companyTime(draft.savedAt)} 未保存的内容`}
        description={isOld ? '此后单据已被修改过，恢复时逐项比较' : undefined}
        action={
          <Space>
            <Button size="small" type="primary" onClick={() => onRestore(draft)}>
              恢复
            </Button>
            <Button size="small" onClick={onDiscard}>
              丢弃
            </Button>
          </Space>
        }
      />
    </div>
  );
}
