import { Alert, Button, Space } from 'antd';
import { useEffect, useState } from 'react';
import { copiedValues } from '#engine/record/copied-values.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { findDrafts } from '../form/draft-store.ts';

interface GoneNoticeProps {
  readonly resource: Resource;
  /** What was typed, still there. */
  readonly typed: ErpRecord | null;
  readonly mayCreate: boolean;
  readonly onCopy: (values: ErpRecord) => void;
  readonly onLeave: () => void;
}

/** The record of a form was deleted meanwhile: what was typed goes on as a new record, or is left. */
export function GoneNotice({ resource, typed, mayCreate, onCopy, onLeave }: GoneNoticeProps) {
  const hasFiles = Object.values(resource.fields).some(({ type }) => type === 'attachment');
  const canCopy = mayCreate && typed !== null;
  const kept = typed === null ? '' : '已填写的内容没有丢失。';
  const how = canCopy ? `可复制为新的${resource.title}${hasFiles ? '（附件需重新上传）' : ''}。` : '';
  return (
    <Alert
      type="error"
      showIcon
      message={`此${resource.title}已被删除，或您已无权查看，不能再保存`}
      description={kept + how || undefined}
      action={
        <Space>
          {canCopy && (
            <Button type="primary" size="small" onClick={() => onCopy(copiedValues(resource, typed))}>
              复制为新单
            </Button>
          )}
          <Button size="small" onClick={onLeave}>
            离开
          </Button>
        </Space>
      }
    />
  );
}

/** The same where the form was not even opened: unsaved work of an earlier visit is offered. */
export function GoneRecord({
  draftKeys,
  ...props
}: Omit<GoneNoticeProps, 'typed'> & { readonly draftKeys: readonly string[] }) {
  const [typed, setTyped] = useState<ErpRecord | null>(null);
  const keys = draftKeys.join('\n');
  useEffect(() => {
    let isGone = false;
    void Promise.all(keys.split('\n').map(findDrafts)).then((drafts) => {
      const [newest] = drafts.flat();
      if (!isGone && newest !== undefined) setTyped(newest.form.record);
    });
    return () => {
      isGone = true;
    };
  }, [keys]);
  return <GoneNotice {...props} typed={typed} />;
}
