import { App, Button, Modal, QRCode, Table, Tag, Tooltip } from 'antd';
import { useRef, useState } from 'react';
import { companyTime } from '#engine/values/dates.ts';
import { copyShown } from '#web/data/copy-text.ts';
import type { NewUploadLink, UploadLink } from '#contract/upload-links.ts';
import { useRead } from '#web/data/use-read.ts';
import { useWrite } from '#web/data/use-write.ts';
import { showFault } from '#web/data/show-fault.ts';

export interface UploadLinkButtonProps {
  readonly resource: string;
  readonly id: string;
  readonly title: string;
}

/** Makes links by which others add images to the record without a login, shows them as a code to scan, and closes them. */
export function UploadLinkButton({ resource, id, title }: UploadLinkButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{title}</Button>
      {isOpen && (
        <UploadLinkDialog resource={resource} id={id} title={title} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

function UploadLinkDialog({
  resource,
  id,
  title,
  onClose,
}: UploadLinkButtonProps & { readonly onClose: () => void }) {
  const { message } = App.useApp();
  const params = { resource, id };
  const links = useRead(
    'GET /data/:resource/:id/upload-links',
    { params },
    { key: ['upload-links', resource, id] },
  );
  const { write, isWriting: isBusy } = useWrite();
  const [made, setMade] = useState<NewUploadLink | null>(null);
  const run = async (work: () => Promise<void>) => {
    try {
      await work();
      links.reload();
    } catch (error) {
      showFault(message, error, '没有完成，请重试');
    }
  };
  const make = () =>
    run(async () => {
      setMade(await write('POST /data/:resource/:id/upload-links', { params }));
    });
  const revoke = (link: UploadLink) =>
    run(async () => {
      await write('DELETE /data/:resource/:id/upload-links/:link', { params: { ...params, link: link.id } });
      if (made?.id === link.id) setMade(null);
    });
  const address = useRef<HTMLElement>(null);
  const copy = async () => {
    if (address.current === null) return;
    if (await copyShown(address.current)) void message.success('链接已复制');
    else void message.warning('浏览器不允许复制，链接已选中，请按 Ctrl+C 复制');
  };
  return (
    <Modal open title={title} width={640} footer={null} onCancel={onClose}>
      <p className="field-hint">
        持有链接的人不用登录就能为本单据上传图片，也只能上传图片。链接只在生成时显示一次。
      </p>
      {made === null ? (
        <Button type="primary" loading={isBusy} onClick={() => void make()}>
          生成链接
        </Button>
      ) : (
        <div className="upload-link">
          <QRCode value={made.url} size={148} />
          <div>
            <p>手机扫码上传，有效至 {companyTime(made.expiresAt)}</p>
            <code ref={address}>{made.url}</code>
            <Button onClick={() => void copy()}>复制链接</Button>
          </div>
        </div>
      )}
      <Table<UploadLink>
        size="small"
        rowKey="id"
        className="upload-links"
        loading={links.isLoading}
        dataSource={[...(links.data ?? [])]}
        pagination={false}
        locale={{ emptyText: '还没有生成过链接' }}
        columns={[
          { title: '生成', dataIndex: 'createdAt', render: (at: string) => companyTime(at) },
          { title: '生成人', dataIndex: 'createdBy' },
          { title: '有效至', dataIndex: 'expiresAt', render: (at: string) => companyTime(at) },
          { title: '图片', dataIndex: 'files', align: 'right' },
          {
            title: '',
            key: 'state',
            render: (_, link) =>
              link.isOpen ? (
                <Tooltip title="停用后，拿着链接的人不能再上传">
                  <Button size="small" danger disabled={isBusy} onClick={() => void revoke(link)}>
                    停用
                  </Button>
                </Tooltip>
              ) : (
                <Tag>已失效</Tag>
              ),
          },
        ]}
      />
    </Modal>
  );
}
