import { hashPassword, randomPassword } from '#server/kernel/passwords.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { smsAfterCommit } from '#server/workflow/notices/sms-outbox.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import { findNamed } from '#server/business/find-named.ts';
import { readNamed, updateNamed } from '#server/business/named-records.ts';
import { linesIn } from './rule-values.ts';

/**
 * An approved letter opens the login account of its mobile number with the partner, and makes one where there is none;
 * a new one gets a first password by SMS. The letter remembers whether the account was opened by it.
 */
async function admitAgent(call: RuleCall): Promise<void> {
  const { record } = call;
  const mobile = String(record['agent_mobile']);
  const accounts = await accountsOf(call);
  const known = accounts.find((line) => line['mobile'] === mobile);
  if (known?.['status'] === 'active') return;
  if (known === undefined) await addAccount(call, { accounts, mobile });
  else await setStatus(call, { accounts, mobile, status: 'active' });
  await markOpened(call, String(record['id']), true);
}

/**
 * A letter that ended closes the account that it opened, unless another letter in force names the same number: that one
 * has the account from now on. An account that stood before the letter is the partner's own and stays.
 */
async function dismissAgent(call: RuleCall): Promise<void> {
  const { record } = call;
  if (record['is_account_opened'] !== true) return;
  const mobile = String(record['agent_mobile']);
  const accounts = await accountsOf(call);
  const [heir] = await findNamed(call, 'authorization_letter', {
    where: {
      id: { ne: String(record['id']) },
      partner_id: { eq: String(record['partner_id']) },
      agent_mobile: { eq: mobile },
      status: { eq: 'effective' },
    },
    fields: ['id'],
    limit: 1,
    isLocking: true,
  });
  await markOpened(call, String(record['id']), false);
  if (heir !== undefined) await markOpened(call, String(heir.id), true);
  else await setStatus(call, { accounts, mobile, status: 'disabled' });
}

/** The accounts of the letter's partner, the partner locked: two letters at once are one after the other. */
async function accountsOf(call: RuleCall): Promise<readonly ErpRecord[]> {
  const partner = await readNamed(call, 'partner', String(call.record['partner_id']), true);
  if (partner === null) throw new AppError('NOT_FOUND');
  return linesIn(partner, 'accounts');
}

async function addAccount(
  call: RuleCall,
  { accounts, mobile }: { readonly accounts: readonly ErpRecord[]; readonly mobile: string },
): Promise<void> {
  const { record } = call;
  const first = randomPassword();
  const password = await hashPassword(first);
  const added = { mobile, name: record['agent_name'], status: 'active', password };
  await updateNamed(call, 'partner', {
    id: String(record['partner_id']),
    fields: { accounts: [...accounts, added] },
  });
  smsAfterCommit(call, {
    to: mobile,
    text: `您已获授权登录平台，用本手机号在“客户登录”登录，初始密码 ${first}，登录后请立即修改。`,
  });
}

async function setStatus(
  call: RuleCall,
  change: { readonly accounts: readonly ErpRecord[]; readonly mobile: string; readonly status: string },
): Promise<void> {
  const { accounts, mobile, status } = change;
  await updateNamed(call, 'partner', {
    id: String(call.record['partner_id']),
    fields: { accounts: accounts.map((line) => (line['mobile'] === mobile ? { ...line, status } : line)) },
  });
}

async function markOpened(call: RuleCall, id: string, isOpened: boolean): Promise<void> {
  await updateNamed(call, 'authorization_letter', { id, fields: { is_account_opened: isOpened } });
}

const READS = ['authorization_letter.agent_mobile', 'partner.accounts.mobile'] as const;
const WRITES = [
  'partner.accounts.status',
  'partner.accounts.mobile',
  'partner.accounts.name',
  'authorization_letter.is_account_opened',
] as const;

/** The rules of authorisation letters, by the names that the definitions use. */
export const LETTER_RULES: RuleSet = {
  checks: {},
  effects: {
    admit_agent: {
      run: admitAgent,
      reads: [...READS, 'authorization_letter.agent_name'],
      writes: [...WRITES, 'partner.accounts.password'],
      why: 'first passwords by SMS',
    },
    dismiss_agent: {
      run: dismissAgent,
      reads: [...READS, 'authorization_letter.is_account_opened'],
      writes: [...WRITES],
      why: 'an account of several letters closes with the last',
    },
  },
};
