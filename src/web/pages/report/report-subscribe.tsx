import { App, Button, Modal, Radio, Space } from 'antd';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { REPORT_SUBSCRIPTIONS } from '#contract/kept-rows.ts';
import type { ReportAnswer } from '#contract/reports.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { callApi } from '#web/data/http.ts';
import { showFault } from '#web/data/show-fault.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import type { ChosenParams } from './report-address.ts';

interface Subscription {
  readonly id: string;
  readonly version: string;
  readonly every: string;
  readonly ended: string | null;
}

const CHOICES = [
  { value: 'weekly', label: '每周一，上一周的数据' },
  { value: 'monthly', label: '每月 1 日，上个月的数据' },
  { value: 'none', label: '不订阅' },
];

/** 订阅: the report comes into the message centre, weekly or monthly, with the conditions that are chosen now. */
export function ReportSubscribe({
  definition,
  params,
}: {
  readonly definition: ReportAnswer;
  readonly params: ChosenParams;
}) {
  const [isOpen, setOpen] = useState(false);
  const { data, refetch } = useQuery({
    queryKey: ['report-subscription', definition.report],
    queryFn: () => ownSubscription(definition.report),
  });
  const isOn = data !== undefined && data !== null && data.ended === null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{isOn ? '已订阅' : '订阅'}</Button>
      {isOpen && data !== undefined && (
        <SubscribeDialog
          definition={definition}
          params={params}
          known={data}
          onClose={() => setOpen(false)}
          onSaved={() => void refetch()}
        />
      )}
    </>
  );
}

interface DialogProps {
  readonly definition: ReportAnswer;
  readonly params: ChosenParams;
  readonly known: Subscription | null;
  readonly onClose: () => void;
  /** It was saved, or refused as another than it is now. */
  readonly onSaved: () => void;
}

function SubscribeDialog({ definition, params, known, onClose, onSaved }: DialogProps) {
  const { message } = App.useApp();
  const [every, setEvery] = useState(known === null || known.ended !== null ? 'monthly' : known.every);
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    try {
      await subscribe(known, every === 'none' ? null : { definition, params, every });
      onClose();
      void message.success(every === 'none' ? '已取消订阅' : '已订阅，到期后在消息中心查看');
    } catch (error) {
      showFault(message, error, '没有保存');
    } finally {
      setSaving(false);
      onSaved();
    }
  };
  return (
    <Modal
      open
      title={`订阅${definition.title}`}
      okText="保存"
      confirmLoading={isSaving}
      onOk={() => void save()}
      onCancel={onClose}
    >
      {known?.ended != null && <p className="report-note">上次的订阅已结束：{known.ended}</p>}
      <Radio.Group value={every} onChange={({ target }) => setEvery(String(target.value))}>
        <Space direction="vertical">
          {CHOICES.map(({ value, label }) => (
            <Radio key={value} value={value}>
              {label}
            </Radio>
          ))}
        </Space>
      </Radio.Group>
      <p className="report-note">早上七点送到消息中心；除日期外按当前选择的条件计算。</p>
    </Modal>
  );
}

async function ownSubscription(report: number): Promise<Subscription | null> {
  const { records } = await callApi('POST /data/:resource/query', {
    params: { resource: REPORT_SUBSCRIPTIONS },
    body: { filters: { report: { eq: String(report) } }, pageSize: 1 },
  });
  const [record] = records;
  if (record === undefined) return null;
  const ended = record['ended_reason'];
  return {
    id: String(record['id']),
    version: String(record['version']),
    every: String(record['every']),
    ended: typeof ended === 'string' && ended !== '' ? ended : null,
  };
}

interface Chosen {
  readonly definition: ReportAnswer;
  readonly params: ChosenParams;
  readonly every: string;
}

/**
 * What is to be done so that what is chosen now holds. One that still comes is changed and never deleted first: when the
 * call fails it is as it was. One that has ended begins anew, as nobody but the system takes its end back.
 */
export function subscriptionCalls(
  known: Pick<Subscription, 'ended'> | null,
  isWanted: boolean,
): readonly ('create' | 'change' | 'delete')[] {
  if (known === null) return isWanted ? ['create'] : [];
  if (!isWanted) return ['delete'];
  return known.ended === null ? ['change'] : ['delete', 'create'];
}

async function subscribe(known: Subscription | null, next: Chosen | null): Promise<void> {
  const id = known?.id ?? '';
  const calls = {
    create: () =>
      callApi('POST /data/:resource', {
        params: { resource: REPORT_SUBSCRIPTIONS },
        body: { ...contentOf(next), report: next?.definition.report },
      }),
    change: () =>
      callApi('PATCH /data/:resource/:id', {
        params: { resource: REPORT_SUBSCRIPTIONS, id },
        body: { ...contentOf(next), version: Number(known?.version) },
      }),
    delete: () =>
      callApi('DELETE /data/:resource/:id', {
        params: { resource: REPORT_SUBSCRIPTIONS, id },
        query: { version: known?.version ?? '' },
      }),
  };
  for (const call of subscriptionCalls(known, next !== null)) await calls[call]();
}

function contentOf(chosen: Chosen | null): ErpRecord {
  if (chosen === null) return {};
  const { definition, params, every } = chosen;
  const lasting = definition.params.filter(({ type }) => type !== 'date').map(({ name }) => name);
  const kept = Object.entries(params).filter(([name]) => lasting.includes(name));
  return {
    name: definition.title,
    every,
    role_code: storedPerson()?.roleId ?? '',
    params: JSON.stringify(Object.fromEntries(kept)),
  };
}
