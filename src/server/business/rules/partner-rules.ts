import { publicAddress } from '#server/records/definitions/regions.ts';
import { hashPassword, randomPassword } from '#server/kernel/passwords.ts';
import { issueLoginLink, LOGIN_LINK_MINUTES } from '#server/auth/login-link.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import { updateRecordFields } from '#server/records/write/system-write.ts';
import { smsAfterCommit } from '#server/workflow/notices/sms-outbox.ts';
import { pageRoute } from '#server/records/definitions/page-route.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { findLinesNamed } from '#server/business/find-named.ts';
import { linesIn } from './rule-values.ts';

/**
 * On approval the login accounts open and their users hear of it. Who registered has no password yet and is told a first
 * one: at the end of the notice's short message, or by itself where the notice comes without one.
 */
export async function activatePartner(call: RuleCall): Promise<void> {
  const { record, services, caller } = call;
  const accounts = linesIn(record, 'accounts');
  const passwords = await openAccounts(call, accounts);
  const { byPhone: reached } = await emitEvent(call.tx, openSystemCall(services, caller, 'partner'), {
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

/**
 * A visitor has no account that notices could reach: that his registration was rejected, and why, he is told by SMS at the
 * number that he registered with.
 */
export async function tellApplicant({ action, record, ...call }: RuleCall): Promise<void> {
  if (action !== 'reject') return;
  const reason = String(record['reject_reason'] ?? '').replace(/。$/, '');
  for (const { mobile } of linesIn(record, 'accounts'))
    smsAfterCommit(call, {
      to: String(mobile),
      text: `您的企业「${String(record['name'])}」的注册申请未通过审核：${reason}。请在登录页“客户登录”中点“查询注册进度”，修改后重新提交。`,
    });
}

/** Gives, by account, what tells its user the first password. */
async function openAccounts(
  call: RuleCall,
  accounts: readonly ErpRecord[],
): Promise<ReadonlyMap<string, string>> {
  const told = new Map<string, string>();
  const known = await withPassword(call);
  const opened = new Map<string, ErpRecord>();
  for (const { id } of accounts) {
    const first = known.has(String(id)) ? null : randomPassword();
    const secret = first === null ? {} : { password: await hashPassword(first) };
    opened.set(String(id), { status: 'active', ...secret });
    if (first !== null)
      told.set(String(id), `用本手机号在“客户登录”登录，初始密码 ${first}，登录后请立即修改。`);
  }
  await updateRecordFields(call, 'partner', {
    id: String(call.record['id']),
    fields: {
      accounts: linesIn(call.record, 'accounts').map((line) => ({
        ...line,
        ...opened.get(String(line['id'])),
      })),
    },
    isSameWrite: true,
  });
  return told;
}

/** Which accounts have a password; secrets are in no record that is read. */
async function withPassword(call: RuleCall): Promise<ReadonlySet<string>> {
  const rows = await findLinesNamed(call, ['partner', 'accounts'], {
    where: { 'parent.id': { eq: String(call.record['id']) }, password: { null: false } },
    fields: ['id'],
  });
  return new Set(rows.map(({ id }) => String(id)));
}

/** A single-use login link of five minutes for one account of the partner, by SMS: to the company's own address. */
export async function sendLoginLink(call: RuleCall): Promise<void> {
  const asked = String(call.input['mobile'] ?? '');
  const active = linesIn(call.record, 'accounts').filter((line) => line['status'] === 'active');
  // Without a number: the account, where there is one only.
  const chosen = asked === '' ? active : active.filter((line) => line['mobile'] === asked);
  const [account] = chosen;
  const isUnclear = asked === '' && chosen.length > 1;
  if (account === undefined || isUnclear) {
    const message = isUnclear
      ? `有多个启用的登录账号，请填写其中一个手机号码：${active.map((line) => String(line['mobile'])).join('、')}`
      : asked === ''
        ? '该委托方没有启用的登录账号'
        : '该手机号码不是有效的登录账号';
    throw new AppError('RULE_REFUSED', {
      message,
      problems: [{ path: 'mobile', code: 'unknown', message }],
    });
  }
  const mobile = String(account['mobile']);
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
