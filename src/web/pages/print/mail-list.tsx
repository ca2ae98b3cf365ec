import { App, Button, Tag } from 'antd';
import { useEffect } from 'react';
import type { MailView } from '#contract/mails.ts';
import { companyTime } from '#engine/values/dates.ts';
import { useRead } from '#web/data/use-read.ts';
import { useWrite } from '#web/data/use-write.ts';
import { showFault } from '#web/data/show-fault.ts';
import './mail-list.css';

const STATES = {
  waiting: { color: 'processing', title: '待发' },
  sent: { color: 'success', title: '已发' },
  failed: { color: 'error', title: '失败' },
} as const;
const AGAIN_MS = 3_000;
/** What the mail server refused for now is tried again after minutes. */
const PUT_OFF_AGAIN_MS = 60_000;

/** What was sent of a record, to whom and when; a mail that failed can be sent again. */
export function MailList({ resource, id }: { readonly resource: string; readonly id: string }) {
  const { message } = App.useApp();
  const { write, isWriting } = useWrite();
  const { data, reload } = useRead(
    'GET /data/:resource/:id/mails',
    { params: { resource, id } },
    { key: ['mails', resource, id], staleTimeMs: 0 },
  );
  const waiting = data?.filter(({ status }) => status === 'waiting') ?? [];
  const isWaiting = waiting.length > 0;
  const againMs = waiting.every(isPutOff) ? PUT_OFF_AGAIN_MS : AGAIN_MS;
  useEffect(() => {
    reload();
  }, [reload]);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(reload, againMs);
    return () => clearInterval(timer);
  }, [isWaiting, againMs, reload]);
  if (data === undefined || data.length === 0) return null;
  const resend = async (mailId: string): Promise<void> => {
    try {
      await write('POST /data/:resource/:id/mails/:mailId/resend', { params: { resource, id, mailId } });
      reload();
    } catch (error) {
      showFault(message, error, '没有重发');
    }
  };
  return (
    <section className="details-section mail-list">
      <h2>已发邮件</h2>
      <ul>
        {data.map((mail) => (
          <li key={mail.id}>
            <Tag color={STATES[mail.status].color}>{stateOf(mail)}</Tag>
            {mail.isOutdated && <Tag color="warning">单据此后有变更</Tag>}
            <b>{mail.subject}</b>
            <p>
              {companyTime(mail.sentAt ?? mail.createdAt)} {mail.by} 发给{' '}
              {[...mail.to, ...mail.cc].join('、')}
            </p>
            <p>附件：{mail.attachments.join('、')}</p>
            {mail.error !== null && <p className="mail-fault">{mail.error}</p>}
            {mail.status === 'failed' && (
              <Button size="small" loading={isWriting} onClick={() => void resend(mail.id)}>
                重发
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function isPutOff({ status, error }: MailView): boolean {
  return status === 'waiting' && error !== null;
}

function stateOf(mail: MailView): string {
  const { status, way } = mail;
  if (isPutOff(mail)) return '稍后重试';
  return status === 'sent' && way === 'outbox' ? '已写入发件箱' : STATES[status].title;
}
