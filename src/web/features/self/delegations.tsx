import { useQuery, useQueryClient } from '@tanstack/react-query';
import { App, Button, Form, Select } from 'antd';
import type { Delegation, Delegations as DelegationsAnswer } from '#contract/approval.ts';
import type { Field } from '#engine/schema/resource.ts';
import { companyToday } from '#engine/values/dates.ts';
import { callApi } from '#web/data/http.ts';
import { showFault } from '#web/data/show-fault.ts';
import { useWrite } from '#web/data/use-write.ts';
import { DATE_VIEW } from '#web/fields/date-view.tsx';
import { REFERENCE_VIEW } from '#web/fields/reference-view.tsx';
import { plainField } from '#engine/report/report-names.ts';
import { placeProblems } from './place-problems.ts';

const QUERY_KEY = ['approval-delegations'];
const NAMES = { to: 'to', valid_from: 'valid_from', valid_to: 'valid_to', kinds: 'kinds' };

interface DelegationFields {
  readonly to: string | null;
  readonly valid_from: string;
  readonly valid_to: string;
  readonly kinds?: readonly string[];
}

/** 审核委托: who decides for one while one is away and for whom one decides, a new one, and the end of one's own. */
export function Delegations({ ownId }: { readonly ownId: string }) {
  const { data } = useQuery({
    queryKey: QUERY_KEY,
    staleTime: 0,
    queryFn: () => callApi('GET /approval/delegations'),
  });
  if (data === undefined || (data.kinds.length === 0 && data.delegations.length === 0)) return null;
  return (
    <section className="details-section self-delegations">
      <h2>
        审核委托 <small>委托期间同事可以代为审核，您本人仍可审核；受托人不能再转委托</small>
      </h2>
      {data.delegations.length > 0 && <DelegationTable delegations={data.delegations} ownId={ownId} />}
      {data.kinds.length > 0 && <DelegationForm kinds={data.kinds} />}
    </section>
  );
}

function DelegationTable(props: { readonly delegations: readonly Delegation[]; readonly ownId: string }) {
  const { message, modal } = App.useApp();
  const client = useQueryClient();
  const end = async ({ id }: Delegation) => {
    try {
      await callApi('DELETE /approval/delegations/:id', { params: { id } });
      void message.success('委托已取消');
    } catch (error) {
      showFault(message, error, '委托没有取消');
    }
    await client.invalidateQueries({ queryKey: QUERY_KEY });
  };
  const ask = (given: Delegation) =>
    modal.confirm({
      title: `取消对${given.to_name}的审核委托？`,
      content: '取消后立即生效，并通知对方；已审核的单据不受影响。',
      okText: '取消委托',
      cancelText: '保留',
      okButtonProps: { danger: true },
      onOk: () => end(given),
    });
  return (
    <div className="self-table self-sessions">
      <table className="plain-table">
        <thead>
          <tr>
            <th>委托人</th>
            <th>受托人</th>
            <th>起止日期</th>
            <th>单据</th>
            <th>状态</th>
            <th style={{ width: 90 }} />
          </tr>
        </thead>
        <tbody>
          {props.delegations.map((given) => {
            const isOwn = given.from_person === props.ownId;
            const kinds = given.kinds?.map(({ title }) => title).join('、') ?? '全部单据';
            return (
              <tr key={given.id}>
                <td>{isOwn ? '本人' : given.from_name}</td>
                <td>{isOwn ? given.to_name : '本人'}</td>
                <td>
                  {given.valid_from} 至 {given.valid_to}
                </td>
                <td title={kinds}>{kinds}</td>
                <td>{given.valid_from > companyToday(new Date()) ? '未开始' : '生效中'}</td>
                <td>
                  {isOwn && (
                    <button type="button" className="cell-link" onClick={() => void ask(given)}>
                      取消
                    </button>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const COLLEAGUE: Field = {
  name: 'assignee_ids',
  title: '受托人',
  type: 'reference',
  to: 'person',
  required: true,
  standard: false,
  computed: false,
};

function DelegationForm({ kinds }: Pick<DelegationsAnswer, 'kinds'>) {
  const { message } = App.useApp();
  const client = useQueryClient();
  const [form] = Form.useForm<DelegationFields>();
  const { write, isWriting } = useWrite();
  const give = async (fields: DelegationFields) => {
    try {
      await write('POST /approval/delegations', {
        body: {
          to: fields.to ?? '',
          valid_from: fields.valid_from,
          valid_to: fields.valid_to,
          kinds: [...(fields.kinds ?? [])],
        },
      });
      void message.success('委托已生效');
      form.resetFields();
      await client.invalidateQueries({ queryKey: QUERY_KEY });
    } catch (error) {
      if (!placeProblems(form, error, NAMES)) showFault(message, error, '委托没有保存');
    }
  };
  return (
    <Form
      form={form}
      layout="vertical"
      className="delegation-form"
      initialValues={{ to: null, valid_from: companyToday(new Date()) }}
      scrollToFirstError={{ focus: true }}
      onFinish={(fields: DelegationFields) => void give(fields)}
    >
      <Form.Item name="to" label="受托人" rules={[{ required: true, message: '请选择受托人' }]}>
        <Colleague />
      </Form.Item>
      <Form.Item name="valid_from" label="开始日期" rules={[{ required: true, message: '请选择开始日期' }]}>
        <Day title="开始日期" />
      </Form.Item>
      <Form.Item name="valid_to" label="结束日期" rules={[{ required: true, message: '请选择结束日期' }]}>
        <Day title="结束日期" />
      </Form.Item>
      <Form.Item name="kinds" label="单据">
        <Select
          mode="multiple"
          allowClear
          maxTagCount="responsive"
          placeholder="全部单据"
          optionFilterProp="label"
          options={kinds.map(({ resource, title }) => ({ value: resource, label: title }))}
        />
      </Form.Item>
      <Form.Item label=" ">
        <Button type="primary" htmlType="submit" loading={isWriting}>
          新增委托
        </Button>
      </Form.Item>
    </Form>
  );
}

/** A day from today on, as a control of the form; what is no date is named below it. */
function Day(props: {
  readonly title: string;
  readonly id?: string;
  readonly value?: string | null;
  readonly onChange?: (value: string | null) => void;
}) {
  const { Control } = DATE_VIEW;
  return (
    <Control
      {...(props.id === undefined ? {} : { id: props.id })}
      field={plainField('day', 'date', props.title)}
      value={props.value ?? null}
      // By the company's clock, whatever that of the computer says.
      earliest={companyToday(new Date())}
      onChange={(value) => props.onChange?.(typeof value === 'string' ? value : null)}
    />
  );
}

/** The picker of colleagues, as a control of the form. */
function Colleague(props: {
  readonly id?: string;
  readonly value?: string | null;
  readonly onChange?: (value: string | null) => void;
}) {
  const { Control } = REFERENCE_VIEW;
  return (
    <Control
      {...(props.id === undefined ? {} : { id: props.id })}
      field={COLLEAGUE}
      value={props.value ?? null}
      onChange={(value) => props.onChange?.(typeof value === 'string' ? value : null)}
      place={{ resource: 'approval_task', path: 'assignee_ids', readRecord: () => ({}) }}
    />
  );
}
