import { buffer } from 'node:stream/consumers';
import { roundDecimal } from '#engine/values/decimal.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { BankFile, DayOrder, StatementLine } from '#server/business/banking/bank-file.ts';
import { daysTaken, withFingerprints } from '#server/business/banking/line-fingerprints.ts';
import { readBankFileAside } from '#server/business/banking/read-bank-file-aside.ts';
import type { TableFormat } from '#server/business/banking/read-statement-table.ts';
import { findLinesNamed, findNamed } from '#server/business/find-named.ts';
import { updateNamed } from '#server/business/named-records.ts';
import { linesIn, textOf } from './rule-values.ts';
import { withMatches } from './statement-matches.ts';

/**
 * The file of a statement becomes its lines: what an earlier statement of the account holds is left out, the rest is
 * compared with the book. Two imports of one account wait for each other.
 */
async function readStatement(call: RuleCall): Promise<void> {
  const { record } = call;
  const id = String(record['id']);
  const accountId = textOf(record, 'account_id') ?? '';
  // Locked only when the file is read: that may take seconds.
  const { bank } = await findAccount(call, accountId);
  const formats = await formatsOf(call, bank);
  const file = await readBankFileAside(call.caller.subject.id, await uploadedFile(call), formats);
  const account = await findAccount(call, accountId, true);
  refuseOther(file, account);
  const lines = withFingerprints(file.lines);
  const known = await knownFingerprints(call, { account: account.id, own: id, lines });
  const fresh = lines.filter(
    ({ fingerprint, formerFingerprint }) => !known.has(fingerprint) && !known.has(formerFingerprint),
  );
  if (fresh.length === 0)
    throw new AppError('RULE_REFUSED', {
      message: '对账单中的流水均已导入',
      problems: [{ path: 'file', code: 'duplicate', message: `${lines.length} 笔流水都在以前的对账单中` }],
    });
  const rows = fresh.map((line): OpenRecord => ({
    row_no: line.row,
    value_date: line.date,
    amount: roundDecimal(line.amount, 2),
    balance: line.balance === null ? null : roundDecimal(line.balance, 2),
    counterparty: line.counterparty,
    counter_account: line.counterAccount,
    bank_ref: line.bankRef,
    summary: line.summary,
    fingerprint: line.fingerprint,
    entry_id: null,
    proposal_id: null,
  }));
  await updateNamed(call, 'bank_statement', {
    id,
    action: 'read',
    fields: {
      lines: await withMatches(call, account.id, rows),
      days: daysOf(file),
      skipped: lines.length - fresh.length,
    },
  });
}

/** Looks again for what the open lines of a statement may be: documents were posted meanwhile. */
async function proposeEntries(call: RuleCall): Promise<void> {
  const account = textOf(call.record, 'account_id') ?? '';
  await findAccount(call, account, true);
  const lines = linesIn(call.record, 'lines').map((line): OpenRecord => ({ ...line, proposal_id: null }));
  await updateNamed(call, 'bank_statement', {
    id: String(call.record['id']),
    action: 'match',
    fields: { lines: await withMatches(call, account, lines) },
  });
}

interface Account {
  readonly id: string;
  readonly number: string;
  readonly currency: string;
  readonly bank: string;
}

async function findAccount(call: RuleCall, id: string, isLocking = false): Promise<Account> {
  const [row] = await findNamed(call, 'company_bank_account', {
    where: { id: { eq: id } },
    fields: ['id', 'account_no', 'currency', 'bank_id'],
    isLocking,
  });
  if (row === undefined) throw new AppError('NOT_FOUND', { message: '银行账户不存在' });
  return { id, number: String(row.account_no), currency: String(row.currency), bank: String(row.bank_id) };
}

async function uploadedFile({ services, record }: RuleCall): Promise<{ bytes: Buffer; name: string }> {
  const { file: files } = record;
  const ids: readonly unknown[] = Array.isArray(files) ? files : [];
  if (ids.length !== 1)
    throw new AppError('RULE_REFUSED', {
      message: '请上传一个对账单文件',
      problems: [{ path: 'file', code: 'one_file', message: '请上传一个对账单文件' }],
    });
  const stored = await services.files.find(String(ids[0]));
  if (stored === null) throw new AppError('FILE_UNAVAILABLE');
  return { bytes: await buffer(await services.files.open(stored)), name: stored.name };
}

async function formatsOf(call: RuleCall, bank: string): Promise<readonly TableFormat[]> {
  const rows = await findNamed(call, 'bank_format', {
    where: { bank_id: { eq: bank }, status: { eq: 'active' } },
    fields: [
      'name',
      'date_title',
      'day_order',
      'amount_kind',
      'amount_title',
      'in_title',
      'out_title',
      'mark_title',
      'in_marks',
      'balance_title',
      'party_title',
      'party_account_title',
      'ref_title',
      'summary_title',
    ],
    order: ['name'],
  });
  return rows.map((row) => ({
    name: String(row.name),
    date: textOf(row, 'date_title') ?? '',
    amounts: choiceOf(row.amount_kind, ['signed', 'two', 'marked'], 'two'),
    amount: textOf(row, 'amount_title') ?? '',
    income: textOf(row, 'in_title') ?? '',
    expense: textOf(row, 'out_title') ?? '',
    mark: textOf(row, 'mark_title') ?? '',
    incomeMarks: (textOf(row, 'in_marks') ?? '').split('|'),
    balance: textOf(row, 'balance_title') ?? '',
    counterparty: textOf(row, 'party_title') ?? '',
    counterAccount: textOf(row, 'party_account_title') ?? '',
    bankRef: textOf(row, 'ref_title') ?? '',
    summary: textOf(row, 'summary_title') ?? '',
    dayOrder: choiceOf<DayOrder>(row.day_order, ['ymd', 'dmy', 'mdy'], 'ymd'),
  }));
}

function choiceOf<Choice extends string>(given: unknown, choices: readonly Choice[], other: Choice): Choice {
  return choices.find((choice) => choice === given) ?? other;
}

/** An account number without blanks and signs. */
function plainNumber(number: string): string {
  return number.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase();
}

/** A file that names its account is refused at another one. */
function refuseOther({ account, currency }: BankFile, own: Account): void {
  const isOther = account !== null && !plainNumber(account).endsWith(plainNumber(own.number));
  const isForeign = currency !== null && currency !== own.currency;
  if (!isOther && !isForeign) return;
  const message = isOther
    ? `对账单的账号 ${account} 与所选账户不符`
    : `对账单的币种 ${currency ?? ''} 与所选账户不符`;
  throw new AppError('RULE_REFUSED', {
    message,
    problems: [{ path: 'account_id', code: 'account', message }],
  });
}

async function knownFingerprints(
  call: RuleCall,
  asked: { readonly account: string; readonly own: string; readonly lines: readonly StatementLine[] },
): Promise<ReadonlySet<string>> {
  const days = daysTaken(asked.lines);
  const rows = await findLinesNamed(call, ['bank_statement', 'lines'], {
    where: {
      'parent.account_id': { eq: asked.account },
      'parent.id': { ne: asked.own },
      value_date: { gte: days.from, lte: days.to },
    },
    fields: ['fingerprint'],
  });
  return new Set(rows.map((row) => String(row.fingerprint)));
}

/** The last balance that the bank tells of each day. */
function daysOf({ lines }: BankFile): readonly OpenRecord[] {
  const days = new Map<string, string>();
  for (const { date, balance } of lines) if (balance !== null) days.set(date, roundDecimal(balance, 2));
  return [...days].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([day, closing]) => ({ day, closing }));
}

/** The rules of bank statements, by the names that the definitions use. */
export const STATEMENT_RULES: RuleSet = {
  effects: {
    read_bank_statement: {
      run: readStatement,
      reads: [
        'bank_statement.file',
        'bank_format.date_title',
        'bank_entry.amount',
        'company_bank_account.account_no',
      ],
      writes: [
        'bank_statement.lines.row_no',
        'bank_statement.lines.value_date',
        'bank_statement.lines.amount',
        'bank_statement.lines.balance',
        'bank_statement.lines.counterparty',
        'bank_statement.lines.counter_account',
        'bank_statement.lines.bank_ref',
        'bank_statement.lines.summary',
        'bank_statement.lines.fingerprint',
        'bank_statement.lines.proposal_id',
        'bank_statement.days.day',
        'bank_statement.days.closing',
        'bank_statement.skipped',
      ],
      why: 'reads files of banks',
    },
    propose_entries: {
      run: proposeEntries,
      reads: ['bank_statement.lines.amount', 'bank_entry.amount', 'bank_entry.bank_ref'],
      writes: ['bank_statement.lines.proposal_id'],
      why: 'pairs two lists by likeness, each member once',
    },
  },
};
