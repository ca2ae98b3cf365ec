import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE_FILES } from '../support/example-definitions.ts';
import { type Example, type Reply, startExample } from '../support/running-example.ts';

const WRITERS = 8;

/** The same document before and after: resource, fields, lines, a column and a state have other names. */
function anOrder(names: 'old' | 'new'): object {
  const isNew = names === 'new';
  const was = (name: string): object => (isNew ? { was: name } : {});
  return {
    resource: isNew ? 'trial_order' : 'sample_order',
    ...was('sample_order'),
    title: '样品单', kind: 'document', label: 'order_no',
    number: { field: 'order_no', pattern: '{co}YP{yyyy}{seq:5}' },
    fields: {
      order_no: { type: 'text', title: '样品单号', max: 30 },
      [isNew ? 'subject' : 'topic']: { type: 'text', title: '主题', max: 60, ...was('topic') },
      [isNew ? 'rows' : 'items']: {
        type: 'lines', title: '明细', ...was('items'),
        fields: {
          [isNew ? 'goods' : 'name']: { type: 'text', title: '品名', max: 40, ...was('name') },
          amount: { type: 'money', title: '金额', currency: 'CNY' },
        },
      },
      total: { type: 'money', title: '合计', currency: 'CNY', formula: `sum(${isNew ? 'rows' : 'items'}.amount)` },
    },
    lifecycle: {
      initial: 'draft',
      groups: { final: ['approved'] },
      states: {
        draft: { title: '草稿', edit: '*' },
        [isNew ? 'reviewing' : 'pending']: { title: '审核中', ...was('pending') },
        approved: { title: '已审核' },
      },
      actions: {
        submit: {
          title: '提交', from: ['draft'], to: isNew ? 'reviewing' : 'pending',
          approval: { approved: 'approved', rejected: 'draft', withdrawn: 'draft' },
        },
      },
    },
    access: [
      { role: 'SP', do: ['list', 'read', 'create', 'update', 'submit'], rows: 'company' },
      { role: 'DM', do: ['list', 'read', 'approve'], rows: 'company' },
    ],
    pages: [{ route: '/x/orders', kind: 'list', title: '样品单' }],
  };
} // prettier-ignore

function flowFor(resource: string): object[] {
  const level = { level_no: 1, title: '经理审核', approver_kind: 'role', role: 'DM', mode: 'any' };
  return [{ resource, name: '样品单审核', priority: 1, levels: [level] }];
}

let example: Example;
let token: string;
let manager: string;
const statuses: number[] = [];

async function call(method: string, path: string, body?: unknown, who = token): Promise<Reply> {
  const reply = await example.call(method, `/erp/api${path}`, { token: who, ...(body === undefined ? {} : { body }) });
  statuses.push(reply.status);
  return reply;
} // prettier-ignore

interface Written {
  readonly id: string;
  readonly topic: string;
  readonly isSubmitted: boolean;
}

/** Creates, comments, changes and submits orders under whatever names hold, until told to stop. */
async function write(writer: number, isDone: () => boolean): Promise<readonly Written[]> {
  const written: Written[] = [];
  let names: 'old' | 'new' = 'old';
  for (let turn = 0; !isDone(); turn += 1) {
    const [resource, field, lines, cell] = names === 'old' ? ['sample_order', 'topic', 'items', 'name'] : ['trial_order', 'subject', 'rows', 'goods']; // prettier-ignore
    const topic = `主题${writer}-${turn}`;
    const made = await call('POST', `/data/${resource}`, { [field ?? '']: topic, [lines ?? '']: [{ [cell ?? '']: '茶', amount: '2.50' }] }); // prettier-ignore
    if (made.status !== 200) {
      names = 'new';
      continue;
    }
    const { id, version } = made.body.data as { id: string; version: number };
    await call('POST', `/comments/${resource}/${id}`, { content: `评论${topic}` });
    const submitted = await call('POST', `/data/${resource}/${id}/actions/submit`, { version });
    written.push({ id, topic, isSubmitted: submitted.status === 200 });
  }
  return written;
}

const file = async (path: string): Promise<unknown> =>
  JSON.parse(await readFile(`resources/${path}`, 'utf8'));

beforeAll(async () => {
  example = await startExample();
  token = await example.signIn('sp.aa');
  manager = await example.signIn('dm.aa');
  const { definitions } = example;
  const dictionaries = EXAMPLE_FILES['setup/dictionaries.json'] as object;
  const all = (await file('setup/dictionaries.json')) as Readonly<Record<string, unknown>>;
  await definitions.write('setup/dictionaries.json', { ...dictionaries, task_status: all['task_status'] });
  const task = (await file('check/approval_task.json')) as { fields: object };
  await definitions.write('check/approval_task.json', task);
  await definitions.write('user/approval_flow.json', { ...((await file('user/approval_flow.json')) as object), pages: [], secondPerson: undefined }); // prettier-ignore
  await definitions.write('setup/approval-flows.json', flowFor('sample_order'));
  await definitions.write('sales/order.json', anOrder('old'));
  await example.server.services.definitions.reload();
});
afterAll(() => example.close());

describe('a rename of resource, fields, lines and state under eight writers', () => {
  it('loses nothing, answers nobody with a fault of the server, and leaves approvals open', async () => {
    const { definitions, db } = example.server.services;
    expect(definitions.faults()).toEqual([]);
    let isDone = false;
    const writers = Array.from({ length: WRITERS }, (_, index) => write(index, () => isDone));
    const count = async (table: string): Promise<number> =>
      Number((await db.query(`select count(*)::int as n from ${table}`))[0]?.['n']);
    while ((await count('sample_order')) < 3 * WRITERS) await new Promise((done) => setTimeout(done, 50));
    await example.definitions.write('setup/approval-flows.json', flowFor('trial_order'));
    await example.definitions.write('sales/order.json', anOrder('new'));
    while (definitions.catalog().resources['trial_order'] === undefined) await definitions.reload();
    const renamed = await count('trial_order');
    while ((await count('trial_order')) < renamed + WRITERS)
      await new Promise((done) => setTimeout(done, 50));
    isDone = true;
    const written = (await Promise.all(writers)).flat();

    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(definitions.faults()).toEqual([]);
    const rows = await db.query<{ id: string; subject: string; status: string }>(
      `select id, subject, status from trial_order`,
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    expect(written.filter(({ id, topic }) => byId.get(id)?.subject !== topic)).toEqual([]);
    expect(written.filter(({ id, isSubmitted }) => byId.get(id)?.status !== (isSubmitted ? 'reviewing' : 'draft'))).toEqual([]); // prettier-ignore
    expect(rows.filter(({ status }) => !['draft', 'reviewing'].includes(status))).toEqual([]);
    expect(await count('trial_order__rows')).toBe(rows.length);
    const [numbers] = await db.query('select count(distinct order_no)::int as n from trial_order');
    expect(numbers?.['n']).toBe(rows.length);
    expect(
      await db.query(
        `select distinct x.resource from (select resource from sys_comment union all select resource from sys_approval_case
           union all select resource from approval_task union all select resource from sys_notice where resource is not null) x`,
      ),
    ).toEqual([{ resource: 'trial_order' }]);
  });

  it('lets what was submitted under the old names be decided, and shows its history under the new ones', async () => {
    const { db } = example.server.services;
    const [first] = await db.query<{ id: string; task: string }>(
      `select a.record_id as id, a.id as task from approval_task a join sys_audit s on s.record_id = a.record_id
       where s.resource = 'sample_order' and s.action = 'submit' order by a.record_id limit 1`,
    );
    const decided = await call('POST', `/approval/${first?.task}/approve`, { opinion: '同意' }, manager);
    expect(decided.body.msg).toBe('审核通过');
    const record = await call('GET', `/data/trial_order/${first?.id}`);
    expect(record.body.data).toMatchObject({ status: 'approved', total: '2.50', rows: [{ goods: '茶' }] });
    const history = await call('GET', `/data/trial_order/${first?.id}/history`);
    const entries = history.body.data as {
      action: string;
      to_status: string;
      to_title: string;
      changes: { field: string }[];
    }[];
    const submit = entries.find(({ action }) => action === 'submit');
    expect(submit).toMatchObject({ to_status: 'reviewing', to_title: '审核中' });
    const create = entries.find(({ action }) => action === 'create');
    expect(create?.changes.map(({ field }) => field.split('.')[0])).toEqual(
      expect.arrayContaining(['subject', 'rows']),
    );
    const comments = await call('GET', `/comments/trial_order/${first?.id}`, undefined, manager);
    expect(comments.body.data).toHaveLength(1);
    expect((await call('GET', `/data/sample_order/${first?.id}`)).status).toBe(404);
  });
});
