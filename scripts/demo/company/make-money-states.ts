import { addDays } from '#engine/values/dates.ts';
import { confirmStatement } from './confirm-statement.ts';
import { beginSettlement } from './make-commissions.ts';
import type { OwnRecords } from './make-own-records.ts';
import { type End, type Kind, moneyKinds } from './money-kinds.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

/** What moves money around the ledger stands in every state that it knows: some of each, once a company. */
export async function makeMoneyStates(
  world: World,
  { accounts }: Pick<OwnRecords, 'accounts'>,
): Promise<void> {
  const kinds = await moneyKinds(world, accounts);
  for (const [place, kind] of kinds.entries()) {
    for (const [at, end] of kind.ends.entries())
      await unlessRefused(() => bring(world, kind, { end, place: at }));
    world.onStep('资金单据的各种状态', place + 1, kinds.length);
  }
  await unlessRefused(() => undoSettlement(world));
  await unlessRefused(() => passVouchersOn(world));
  await unlessRefused(() => confirmStatement(world, accounts));
}

async function bring(
  { stage }: World,
  kind: Kind,
  { end, place }: { readonly end: End; readonly place: number },
): Promise<void> {
  const { resource, by } = kind;
  const story = stage.begin(`state ${resource} ${place}`, addDays(stage.today, -kind.daysAgo));
  const values = await kind.values(story, place);
  if (values === null) return;
  const id = String((await story.create(by, resource, values))['id']);
  if (end.levels === 'none' && end.then === undefined) return;
  if (end.levels !== 'none')
    await story.approve(by, resource, {
      id,
      ...(end.levels === undefined ? {} : { levels: end.levels }),
      ...(end.rejection === undefined ? {} : { rejection: end.rejection }),
    });
  for (const { by: actor, isApproved, ...step } of end.then ?? [])
    await (isApproved === true
      ? story.approve(actor, resource, { id, ...step })
      : story.act(actor, resource, { id, ...step }));
}

/** A settlement that turned out wrong is undone; its shipment waits for the next one. */
async function undoSettlement({ stage }: World): Promise<void> {
  const rows = await stage.services.db.query<{ id: string; owner: string }>(
    `select s.id, split_part(o.personid, '.', 1) as owner from shipment s join person o on o.id = s.sales_id
     where s.co_code = $1 and s.status = 'shipped' and s.recv_progress in ('full', 'over') and s.business_type = 'agency'
       and s.export_mode = 'entrusted' and not s.is_deleted and not exists (select 1 from project_settlement x where x.shipment_id = s.id
         and not x.is_deleted) order by s.shipment_no desc limit 8`,
    [stage.company],
    'demo_undone',
  );
  let isDone = false;
  for (const [place, { id, owner }] of rows.entries())
    if (!isDone)
      await unlessRefused(async () => {
        const story = stage.begin(`undone ${place}`, addDays(stage.today, -3));
        const settlement = await beginSettlement(story, owner, id);
        await story.approve(owner, 'project_settlement', { id: settlement });
        const step = { id: settlement, action: 'reverse', opinion: '运费漏记，重新结算' };
        await story.approve('fn', 'project_settlement', step);
        isDone = true;
      });
}

/** Vouchers of the last days on their way to the ledger of the accountants, and one that is written by hand. */
async function passVouchersOn({ stage }: World): Promise<void> {
  const story = stage.begin('vouchers', addDays(stage.today, -1));
  const format = await story.create('fn', 'voucher_format', {
    ...{ name: '用友T3凭证导入', day_form: 'dash', separator: 'comma' },
    columns: [
      { title: '日期', source: 'voucher_date' },
      { title: '凭证号', source: 'voucher_no' },
      { title: '摘要', source: 'summary' },
      { title: '科目', source: 'subject_code' },
      { title: '借方', source: 'debit' },
      { title: '贷方', source: 'credit' },
    ],
  });
  const [period] = await stage.services.db.query<{ id: string }>(
    `select id from accounting_period where co_code = $1 and end_date < $2::date order by end_date desc limit 1`,
    [stage.company, stage.today],
    'demo_exported',
  );
  const exported = { period_id: period?.id, format_id: format['id'], only_new: false };
  const made = await story.create('fn', 'voucher_export', exported);
  await story.act('fn', 'voucher_export', { id: String(made['id']), action: 'write' });
  await story.create('fn', 'voucher_export', { ...exported, only_new: true });
  const vouchers = await stage.services.db.query<{ id: string }>(
    `select id from finance_voucher where co_code = $1 and status = 'generated' and not is_deleted
       and voucher_date >= date_trunc('month', $2::date)
     order by voucher_date < $3::date desc, voucher_date desc, voucher_no desc limit 3`,
    // None is passed on before it is made, where the month has others.
    [stage.company, stage.today, story.day()],
    'demo_passed_on',
  );
  for (const [place, { id }] of vouchers.entries()) {
    await story.act('fn', 'finance_voucher', { id, action: 'push' });
    if (place === 1)
      await story.act('fn', 'finance_voucher', { id, action: 'post', inputs: { ext_no: '记-0117' } });
    if (place === 2)
      await story.act('fn', 'finance_voucher', {
        id,
        action: 'fail',
        inputs: { push_msg: '科目在总账中不存在' },
      });
  }
  const rent = { currency: 'CNY', subject_name: '办公室租金' };
  await story.create('fn', 'finance_voucher', {
    ...{ voucher_date: story.day(), event_code: 'MANUAL', summary: '计提本月办公室租金' },
    entries: [
      { ...rent, subject_code: '660201', debit: '18000.00' },
      { ...rent, subject_code: '224109', credit: '18000.00' },
    ],
  });
}
