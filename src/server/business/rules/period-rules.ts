import type { Filter } from '#engine/schema/definition.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { overridesOf, paramsOf } from '#server/records/call/overrides.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { countNamed, findNamed, type WhereOf } from '#server/business/find-named.ts';
import { updateNamed } from '#server/business/named-records.ts';
import { type ForeignAccount, foreignBalances } from './foreign-balances.ts';
import type { ResourceName } from '#trade/names.ts';
import { companyOf, textOf } from './rule-values.ts';

const DIMENSIONS: Readonly<Record<string, ForeignAccount['dimension']>> = {
  BANK_FC: 'bank_account_id',
  POOL_FX: 'partner_id',
  AR_FOREIGN: 'buyer_id',
  ADV_FOREIGN: 'buyer_id',
};

/** 调汇: balances of the foreign accounts at the month's end, at the rate of its end. The voucher follows from the lines. */
async function revalueBalances(call: RuleCall): Promise<void> {
  const { record } = call;
  const lines: OpenRecord[] = [];
  const missing = new Set<string>();
  for (const account of await foreignAccounts(call))
    for (const balance of await foreignBalances(call, account, textOf(record, 'end_date') ?? '')) {
      const rate = await closingRate(call, balance.currency);
      if (rate === null) missing.add(balance.currency);
      else
        lines.push({
          account_id: account.id,
          currency: balance.currency,
          ...(account.dimension === null ? {} : { [account.dimension]: balance.dimension }),
          fc_balance: balance.foreign,
          book_cny: balance.book,
          rate,
        });
    }
  if (missing.size > 0)
    throw new AppError('RULE_REFUSED', {
      message: `缺少${[...missing].join('、')}的期末汇率，不能调汇`,
    });
  await updateNamed(call, 'accounting_period', {
    id: String(record['id']),
    action: 'revalue',
    fields: { revaluations: lines },
  });
}

async function foreignAccounts(call: RuleCall): Promise<readonly ForeignAccount[]> {
  const rows = await findNamed(call, 'account', {
    where: { is_foreign: { eq: true }, revalue: { eq: true }, status: { eq: 'active' } },
    fields: ['id', 'code', 'side', 'posting_key'],
    order: ['code'],
  });
  return rows.map((row) => ({
    id: String(row.id),
    code: String(row.code),
    isCredit: row.side === 'credit',
    dimension: DIMENSIONS[textOf(row, 'posting_key') ?? ''] ?? null,
  }));
}

/** The last mid rate of the month, or the book rate of the next one, as REVALUE_RATE says. */
async function closingRate(call: RuleCall, currency: string): Promise<string | null> {
  const end = textOf(call.record, 'end_date') ?? '';
  const params = paramsOf(overridesOf(call.services), companyOf(call), end);
  const isNext = params['REVALUE_RATE'] === 'next_book';
  const from = isNext ? dayAfter(end) : (textOf(call.record, 'start_date') ?? '');
  const to = isNext ? lastOf(dayAfter(end)) : end;
  const [row] = await findNamed(call, 'currency_rate', {
    where: {
      currency: { eq: currency },
      kind: { eq: isNext ? 'book' : 'mid' },
      date: { gte: from, lte: to },
    },
    fields: ['rate'],
    order: [isNext ? 'date' : '-date'],
    limit: 1,
  });
  return row === undefined ? null : String(row.rate);
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** The last day of a day's month. */
function lastOf(day: string): string {
  const [year = '', month = ''] = day.split('-');
  return new Date(Date.UTC(Number(year), Number(month), 0)).toISOString().slice(0, 10);
}

interface PeriodCheck {
  readonly name: string;
  readonly count: number;
  /** Where what is not there yet is listed: of this resource, under this filter. */
  readonly of: ResourceName;
  readonly which: Filter;
}

/** What a month needs before it is closed, with how many are not there yet and which. */
async function periodChecks(call: RuleCall): Promise<readonly PeriodCheck[]> {
  const period_id = { eq: String(call.record['id']) };
  const where = { period_id, status: { in: ['draft', 'failed'] as const } };
  return [
    await missing(call, 'finance_voucher', { name: '未生成或推送失败的凭证', which: where }),
    ...(await pendingChecks(call)),
    await balanceCheck(call, textOf(call.record, 'end_date') ?? ''),
  ];
}

async function missing<R extends ResourceName>(
  call: RuleCall,
  of: R,
  { name, which }: { readonly name: string; readonly which: WhereOf<R> },
): Promise<PeriodCheck> {
  return { name, count: await countNamed(call, of, which), of, which };
}

/** Documents of the month that would post when they are approved. */
async function pendingChecks(call: RuleCall): Promise<readonly PeriodCheck[]> {
  const { record } = call;
  const during = { gte: textOf(record, 'start_date') ?? '', lte: textOf(record, 'end_date') ?? '' };
  const status = { eq: 'pending' } as const;
  const stock = { in: ['in', 'return'] as const };
  return [
    await missing(call, 'receipt_split', { name: '待审核的收汇分割', which: { status, split_date: during } }),
    await missing(call, 'fx_settlement', { name: '待审核的结汇水单', which: { status, deal_date: during } }),
    await missing(call, 'domestic_receipt', {
      name: '待审核的国内收款',
      which: { status, value_date: during },
    }),
    await missing(call, 'finance_charge', {
      name: '待审核的财务费用',
      which: { status, charge_date: during },
    }),
    await missing(call, 'warehouse_entry', {
      name: '待审核的进仓单或退仓单',
      which: { status, entry_date: during, doc_type: stock },
    }),
    await missing(call, 'fund_transfer', {
      name: '待审核的划拨流水',
      which: { status, transfer_date: during },
    }),
    await missing(call, 'other_receivable_invoice', {
      name: '待审核的其他应收发票',
      which: { status, bill_date: during },
    }),
    await missing(call, 'sales_invoice', {
      name: '待审核的销售发票',
      which: { status, billing_date: during },
    }),
  ];
}

/** Accounts whose balance of the last day is not checked, or moved since; those without any balance of the day are accounts, not balances. */
async function balanceCheck(call: RuleCall, day: string): Promise<PeriodCheck> {
  const accounts = await findNamed(call, 'company_bank_account', {
    where: { status: { eq: 'active' } },
    fields: ['id'],
  });
  const balances = await findNamed(call, 'bank_balance', {
    where: { balance_date: { eq: day } },
    fields: ['account_id', 'status', 'is_moved'],
  });
  const isChecked = (row: (typeof balances)[number]): boolean =>
    row.status === 'done' && row.is_moved !== true;
  const checked = new Set(balances.filter(isChecked).map((row) => row.account_id));
  const known = new Set(balances.map((row) => row.account_id));
  const open = accounts.map(({ id }) => String(id)).filter((id) => !checked.has(id));
  const name = '期末余额未核对的银行账户';
  return open.every((id) => known.has(id))
    ? {
        ...{ name, count: open.length, of: 'bank_balance' },
        which: { balance_date: { eq: day }, account_id: { in: open } },
      }
    : { name, count: open.length, of: 'company_bank_account', which: { id: { in: open } } };
}

async function listChecks(call: RuleCall): Promise<void> {
  const checks = await periodChecks(call);
  await updateNamed(call, 'accounting_period', {
    id: String(call.record['id']),
    action: 'list_checks',
    fields: { checks: checks.map((check) => ({ ...check, passed: check.count === 0 })) },
  });
}

async function checkReady(call: RuleCall): Promise<readonly FieldProblem[]> {
  return (await periodChecks(call)).flatMap(({ name, count }) =>
    count === 0
      ? []
      : [{ path: '', code: 'period', message: `会计期间检查未通过，不能结账：${name} ${count} 项` }],
  );
}

/** The rules of the month end, by the names that the definitions use. */
export const PERIOD_RULES: RuleSet = {
  checks: {
    check_period_ready: {
      run: checkReady,
      reads: [
        'finance_voucher.status',
        'bank_balance.status',
        'bank_balance.is_moved',
        'company_bank_account.status',
      ],
      why: 'accounts without any balance of the day are asked for too',
    },
  },
  effects: {
    list_period_checks: {
      run: listChecks,
      reads: [
        'finance_voucher.status',
        'bank_balance.status',
        'bank_balance.is_moved',
        'company_bank_account.status',
      ],
      writes: [
        'accounting_period.checks.name',
        'accounting_period.checks.count',
        'accounting_period.checks.passed',
        'accounting_period.checks.of',
        'accounting_period.checks.which',
      ],
      why: 'counts over several resources as a list',
    },
    revalue_balances: {
      run: revalueBalances,
      reads: ['finance_voucher.entries.fc_amount', 'account.is_foreign', 'currency_rate.rate'],
      writes: [
        'accounting_period.revaluations.account_id',
        'accounting_period.revaluations.currency',
        'accounting_period.revaluations.bank_account_id',
        'accounting_period.revaluations.partner_id',
        'accounting_period.revaluations.buyer_id',
        'accounting_period.revaluations.fc_balance',
        'accounting_period.revaluations.book_cny',
        'accounting_period.revaluations.rate',
      ],
      why: 'groups entries by account, currency and dimension',
    },
  },
};
