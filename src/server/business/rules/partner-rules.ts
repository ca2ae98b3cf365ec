import { publicAddress } from '#server/records/definitions/regions.ts';
import { hashPassword, randomPassword } from '#server/kernel/passwords.ts';
import { issueLoginLink, LOGIN_LINK_MINUTES } from '#server/auth/login-link.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import { updateRecordFields, writeDerivedFields } from '#server/records/write/system-write.ts';
import { updateNamed } from '#server/business/named-records.ts';
import { smsAfterCommit } from '#server/workflow/notices/sms-outbox.ts';
import { pageRoute } from '#server/records/definitions/page-route.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { openRecordsWith } from './open-records.ts';
import { linesIn } from './rule-values.ts';

/**
 * 领取: at most MAX_CLAIM_PER_DAY partners a day (a claim leaves several audit rows); the person's row is locked, so that
 * two at once count each other.
 */
export async function checkClaimLimit({ tx, caller }: RuleCall): Promise<readonly FieldProblem[]> {
  await tx.query('select 1 from person where id = $1::uuid for update', [caller.subject.id]);
  const [row] = await tx.query<{ n: string }>(
    `select count(distinct record_id) as n from sys_audit where resource = any(erp_resource_names('partner')) and action = 'claim' and person_id = $1::uuid and at >= ($2 || ' 00:00:00+08')::timestamptz`,
    [caller.subject.id, caller.context.today],
  );
  const limit = Number(caller.context.params['MAX_CLAIM_PER_DAY'] ?? '5');
  return Number(row?.n ?? 0) >= limit
    ? [{ path: '', code: 'claim_limit', message: '今日领取数量已达上限' }]
    : [];
}

/** 移交: the partner and, where asked, its open documents go to another salesperson. */
export async function transferPartner(call: RuleCall): Promise<void> {
  const { record, input, tx } = call;
  const successor = String(input['new_sales_id']);
  const [person] = await tx.query<{ dept_code: string | null }>(
    'select d.code as dept_code from person p left join department d on d.id = p.dept_id where p.id = $1::uuid',
    [successor],
  );
  const fields = {
    sales_id: successor,
    ...(person?.dept_code == null ? {} : { dept_code: person.dept_code }),
  };
  const id = String(record['id']);
  await updateNamed(call, 'partner', {
    id,
    fields: { ...fields, open_pool: false, claimed_on: call.caller.context.today },
    action: 'transfer',
  });
  const open =
    input['with_records'] === false
      ? []
      : await openRecordsWith(call, { field: 'partner_id', id, also: 'sales_id' });
  for (const { resource, ids } of open)
    for (const recordId of ids)
      await updateRecordFields(call, resource.resource, {
        id: recordId,
        fields,
        action: 'transfer',
        opinion: '随委托方移交',
      });
}

/**
 * On approval the login accounts open and their users hear of it. Who registered has no password yet and is told a first
 * one: at the end of the notice's short message, or by itself where the notice comes without one.
 */
export async function activatePartner(call: RuleCall): Promise<void> {
  const { record, services, caller } = call;
  const accounts = linesIn(record, 'accounts');
  const passwords = await openAccounts(call, accounts);
  const reached = await emitEvent(call.tx, openSystemCall(services, caller, 'partner'), {
    event: 'PARTNER_ACTIVATED',
    record: { ...record },
    private: passwords,
  });
  for (const { id, mobile } of accounts) {
    const password = passwords.get(String(id));
    if (password === undefined || reached.has(String(id))) continue;
    smsAfterCommit(call, {
      to: String(mobile),
      text: `您的企业「${String(record['name'])}」已通过审核。${password}`,
    });
  }
}

/** Gives, by account, what tells its user the first password. */
async function openAccounts(
  call: RuleCall,
  accounts: readonly ErpRecord[],
): Promise<ReadonlyMap<string, string>> {
  const told = new Map<string, string>();
  const lines = [];
  for (const { id } of accounts) {
    const first = (await hasPassword(call, id)) ? null : randomPassword();
    const secret = first === null ? {} : { password: await hashPassword(first) };
    lines.push({ id, status: 'active', ...secret });
    if (first !== null)
      told.set(String(id), `用本手机号在“客户登录”登录，初始密码 ${first}，登录后请立即修改。`);
  }
  await writeDerivedFields(call, 'partner', {
    id: String(call.record['id']),
    lines: { accounts: lines },
  });
  return told;
}

async function hasPassword({ tx }: RuleCall, accountId: unknown): Promise<boolean> {
  const [row] = await tx.query(
    'select password is not null as has from partner__accounts where id = $1::uuid',
    [accountId],
  );
  return row?.['has'] === true;
}

/** 终止 closes the accounts and ends their sessions. */
export async function closePartner(call: RuleCall): Promise<void> {
  const accounts = linesIn(call.record, 'accounts');
  await writeDerivedFields(call, 'partner', {
    id: String(call.record['id']),
    lines: { accounts: accounts.map((account) => ({ id: account['id'], status: 'disabled' })) },
  });
  await call.services.following.endSessions(
    call.tx,
    accounts.map((account) => String(account['id'])),
  );
}

/** A single-use login link of five minutes for one account of the partner, by SMS: to the company's own address. */
export async function sendLoginLink(call: RuleCall): Promise<void> {
  const mobile = String(call.input['mobile'] ?? '');
  const account = linesIn(call.record, 'accounts').find(
    (line) => line['mobile'] === mobile && line['status'] === 'active',
  );
  if (account === undefined)
    throw new AppError('RULE_REFUSED', {
      message: '该手机号码不是有效的登录账号',
      problems: [{ path: 'mobile', code: 'unknown', message: '该手机号码不是有效的登录账号' }],
    });
  const address = publicAddress(call.services, String(call.record['co_code']));
  const link = await issueLoginLink(call.tx, {
    id: String(account['id']),
    mobile,
    at: call.services.clock(),
  });
  smsAfterCommit(call, {
    to: mobile,
    text: `登录链接（${LOGIN_LINK_MINUTES}分钟内一次有效）：${address}${pageRoute(call.services.definitions, 'login')}?${link}`,
  });
}
