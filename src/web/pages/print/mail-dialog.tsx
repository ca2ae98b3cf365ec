import { Alert, App, Button, Checkbox, Form, Input, Modal, Select, Skeleton } from 'antd';
import { useState } from 'react';
import type { MailForm } from '#contract/mails.ts';
import { useLeaveQuestion, useUnsaved } from '#web/app/use-unsaved.ts';
import { useRead } from '#web/data/use-read.ts';
import { useWrite } from '#web/data/use-write.ts';
import { faultText, showFault } from '#web/data/show-fault.ts';
import { MailList } from './mail-list.tsx';

export interface MailedPrint {
  readonly resource: string;
  readonly id: string;
  readonly printId: string;
  readonly period: MailForm['period'];
}

/** What the form gives: nothing of what it does not show. */
type Sent = Pick<FormValues, 'to' | 'subject' | 'body'> & Partial<FormValues>;
type FormValues = Pick<MailForm, 'to' | 'cc' | 'subject' | 'body' | 'printIds' | 'fileIds'>;

/** A mail that brings a record's documents, and those that were sent before. */
export function MailDialog({
  print,
  onClose,
}: {
  readonly print: MailedPrint;
  readonly onClose: () => void;
}) {
  const { resource, id, printId } = print;
  const { data, error } = useRead(
    'GET /data/:resource/:id/print/:printId/mail',
    { params: { resource, id, printId } },
    { key: ['mail-draft', resource, id, printId] },
  );
  const [isUnsent, setUnsent] = useState(false);
  useUnsaved(isUnsent);
  const leave = useLeaveQuestion(() => isUnsent);
  return (
    <Modal
      open
      title="发邮件"
      width={720}
      footer={null}
      onCancel={() => leave(onClose)}
      maskClosable={false}
      destroyOnHidden
    >
      {error !== null && <Alert type="error" showIcon message={faultText(error, '没有读到')} />}
      {data === undefined ? (
        error === null && <Skeleton active />
      ) : (
        <>
          {data.way === 'outbox' && (
            <Alert
              type="warning"
              className="mail-way"
              showIcon
              message="没有配置邮件服务器：邮件不会送达收件人，只写入服务器数据目录的 outbox/mail 文件夹"
            />
          )}
          {data.refusal === null ? (
            <MailFields print={print} draft={data} onUnsent={setUnsent} />
          ) : (
            <Alert type="info" showIcon message={data.refusal} />
          )}
        </>
      )}
    </Modal>
  );
}

type Draft = NonNullable<ReturnType<typeof useRead<'GET /data/:resource/:id/print/:printId/mail'>>['data']>;

const ADDRESS = /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$/;
const ADDRESSES = {
  validator: async (_rule: unknown, value: readonly string[] | undefined) => {
    const wrong = (value ?? []).find((one) => !ADDRESS.test(one));
    if (wrong !== undefined) throw new TypeError(`“${wrong}”不是邮箱地址`);
  },
};

interface MailFieldsProps {
  readonly print: MailedPrint;
  readonly draft: Draft;
  /** Told whether something was typed that has gone out with no mail. */
  readonly onUnsent: (isUnsent: boolean) => void;
}

function MailFields({ print, draft, onUnsent }: MailFieldsProps) {
  const { resource, id, printId, period } = print;
  const { message } = App.useApp();
  const { write, isWriting } = useWrite();
  const [sent, setSent] = useState(0);
  const send = async (values: Sent): Promise<void> => {
    // What is typed meanwhile is unsent again.
    onUnsent(false);
    try {
      // A list that is not shown, since there is nothing to choose, is not among the values.
      const { printIds = [printId], fileIds = [], cc = [] } = values;
      const body: MailForm = {
        ...values,
        ...{ printIds, fileIds, cc },
        ...(period === undefined ? {} : { period }),
      };
      await write('POST /data/:resource/:id/mails', { params: { resource, id }, body });
      message.success(draft.way === 'smtp' ? '邮件已加入发送' : '邮件已交给发件箱文件夹');
      setSent(sent + 1);
    } catch (fault) {
      onUnsent(true);
      showFault(message, fault, '邮件没有发出');
    }
  };
  const addresses = { mode: 'tags' as const, tokenSeparators: [',', ';', ' ', '，', '；'], open: false };
  return (
    <>
      <Form<Sent>
        layout="vertical"
        initialValues={{
          to: draft.to === '' ? [] : [draft.to],
          cc: [],
          subject: draft.subject,
          body: draft.body,
          printIds: [printId],
          fileIds: draft.files.filter(({ isProposed }) => isProposed).map((file) => file.id),
        }}
        onValuesChange={() => onUnsent(true)}
        onFinish={(values) => void send(values)}
      >
        <Form.Item
          name="to"
          label="收件人"
          rules={[{ required: true, type: 'array', min: 1, message: '请填写收件人' }, ADDRESSES]}
        >
          <Select {...addresses} placeholder="邮箱地址，回车分隔" suffixIcon={null} />
        </Form.Item>
        <Form.Item name="cc" label="抄送" rules={[ADDRESSES]}>
          <Select {...addresses} placeholder="可以不填" suffixIcon={null} />
        </Form.Item>
        <Form.Item
          name="subject"
          label="主题"
          rules={[{ required: true, whitespace: true, message: '请填写主题' }]}
        >
          <Input maxLength={300} />
        </Form.Item>
        <Form.Item name="body" label="正文">
          <Input.TextArea autoSize={{ minRows: 6, maxRows: 14 }} maxLength={20_000} />
        </Form.Item>
        <Form.Item name="printIds" label="附上打印（PDF）">
          <Checkbox.Group options={draft.prints.map((one) => ({ value: one.id, label: one.title }))} />
        </Form.Item>
        {draft.files.length > 0 && (
          <Form.Item name="fileIds" label="附上单据的文件">
            <Checkbox.Group options={draft.files.map((file) => ({ value: file.id, label: file.name }))} />
          </Form.Item>
        )}
        <Button type="primary" htmlType="submit" loading={isWriting}>
          发送
        </Button>
      </Form>
      <MailList key={sent} resource={resource} id={id} />
    </>
  );
}
