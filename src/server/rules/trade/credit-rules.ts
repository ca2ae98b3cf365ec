import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import {
  addDecimals,
  compareDecimals,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
} from '#engine/values/decimal.ts';
import { sendReviewLinks } from '#server/approvals/review-links.ts';
import { AppError } from '#server/errors.ts';
import {
  insertRecord,
  runSystemAction,
  updateRecordFields,
  writeDerivedFields,
} from '#server/operations/system-write.ts';
import type { RuleCall, RuleSet } from '../rule-registry.ts';
import { companyOf, decimalOf, textOf } from './rule-values.ts';

/** Money that may not come: terms without a bank behind them. */
export const OPEN_TERMS: ReadonlySet<string> = new Set(['OA', 'DA', 'DP', 'TT_AFTER']);
/** States in which a shipment counts as exposure. */
const EXPOSED = ['approved', 'amending', 'declared', 'shipped'] as const;
const SHIPMENT_RISK = 'shipment_risk';

interface Line extends Record<string, unknown> {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly used: string | null;
  readonly valid_to: string;
}

/** After a save: the amount of the line that is in force for this purpose. */
async function completeApplication(call: RuleCall): Promise<void> {
  const { record, resource } = call;
  const line = await currentLine(call, false);
  await writeDerivedFields(call, resource.resource, {
    id: String(record['id']),
    company: record['co_code'],
    fields: { current_amount: line === null ? null : line.amount },
  });
}

/** What is asked for fits the line that there is. Run again with the last approval: the line may have changed meanwhile. */
async function checkApplication(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { record } = call;
  const line = await currentLine(call, true);
  const kind = textOf(record, 'apply_kind');
  const asked = decimalOf(record, 'apply_amount');
  if (kind === 'new')
    return line === null || line.status === 'expired'
      ? []
      : [problem('apply_kind', '该委托方已有这一用途的额度，请选择调增、调减或延期')];
  if (line === null) return [problem('apply_kind', '该委托方还没有这一用途的额度，请选择新增')];
  if (kind !== 'extend' && line.status === 'expired')
    return [problem('apply_kind', '原额度已到期，请选择延期或新增')];
  if (kind === 'increase' && compareDecimals(asked, line.amount) <= 0)
    return [problem('apply_amount', `调增后的额度须大于现有额度 ${line.amount}`)];
  if (kind === 'decrease' && compareDecimals(asked, line.amount) >= 0)
    return [problem('apply_amount', `调减后的额度须小于现有额度 ${line.amount}`)];
  if (kind === 'decrease' && compareDecimals(asked, line.used ?? '0') < 0)
    return [problem('apply_amount', `调减后的额度不能少于已用额度 ${line.used ?? '0'}`)];
  if (kind === 'extend' && (textOf(record, 'valid_to') ?? '') <= line.valid_to)
    return [problem('valid_to', `延期后的到期日期须晚于现有到期日期 ${line.valid_to}`)];
  return [];
}

/** The last approval needs what risk control grants. */
async function checkResult(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { record } = call;
  const problems: FieldProblem[] = [];
  if (record['score'] == null) problems.push(problem('score', '请先由风控填写风险评分'));
  const granted = decimalOf(record, 'approved_amount');
  if (compareDecimals(granted, '0') <= 0) problems.push(problem('approved_amount', '请先由风控填写批复额度'));
  const line = await currentLine(call, true);
  const used = line?.used ?? '0';
  const isLive = line !== null && line.status !== 'expired';
  if (isLive && problems.length === 0 && compareDecimals(granted, used) < 0)
    problems.push(problem('approved_amount', `批复额度不能少于已用额度 ${used}`));
  return problems;
}

/** 审核通过: the line comes into being or is changed, once, with the decision's own transaction. */
async function grantLine(call: RuleCall): Promise<void> {
  const { record } = call;
  const line = await currentLine(call, true);
  const granted = {
    amount: decimalOf(record, 'approved_amount'),
    valid_to: textOf(record, 'approved_to') ?? textOf(record, 'valid_to'),
    application_id: record['id'],
    is_reminded: false,
  };
  if (textOf(record, 'apply_kind') === 'new' || line === null)
    await insertRecord(call, 'credit_line', {
      ...granted,
      partner_id: record['partner_id'],
      purpose: record['purpose'],
      valid_from: record['valid_from'],
      co_code: record['co_code'],
      dept_code: record['dept_code'],
      sales_id: record['sales_id'],
      status: 'active',
    });
  else {
    await updateRecordFields(call, 'credit_line', { id: line.id, fields: granted, action: 'change' });
    if (line.status === 'expired')
      await runSystemAction(call, 'credit_line', { id: line.id, action: 'change', opinion: '授信延期' });
  }
  await refreshUsage(call);
}

/** The line of the application's partner and purpose that is not cancelled, the newest; locked where it is judged. */
async function currentLine(call: RuleCall, isLocking: boolean): Promise<Line | null> {
  const { record } = call;
  if (isLocking)
    // Two applications for a line that does not exist yet have no row to wait for.
    await call.tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `credit line ${String(record['partner_id'])} ${String(record['purpose'])}`,
    ]);
  const [line] = await call.tx.query<Line>(
    `select id, status, amount::text as amount, used::text as used, valid_to::text as valid_to from credit_line
     where co_code = $1 and partner_id = $2::uuid and purpose = $3 and status <> 'cancelled' and not is_deleted
     order by status = 'expired', created_at desc limit 1${isLocking ? ' for update' : ''}`,
    [companyOf(call), record['partner_id'], record['purpose']],
  );
  return line ?? null;
}

/** Brings the used amount of the partner's shipment line up to date; nothing where there is none. */
async function refreshUsage(call: RuleCall): Promise<void> {
  const partner = textOf(call.record, 'partner_id');
  if (partner === null || call.services.definitions.catalog().resources['credit_line'] === undefined) return;
  const line = await shipmentLine(call, partner);
  if (line === null) return;
  const used = await shipmentExposure(call, partner, null);
  if (compareDecimals(used, line.used ?? '0') === 0) return;
  await updateRecordFields(call, 'credit_line', { id: line.id, fields: { used }, action: 'used' });
}

/** The partner's line for shipments on open terms, locked; null when none is in force or frozen. */
async function shipmentLine(call: RuleCall, partner: string): Promise<Line | null> {
  const [line] = await call.tx.query<Line>(
    `select id, status, amount::text as amount, used::text as used, valid_to::text as valid_to from credit_line
     where co_code = $1 and partner_id = $2::uuid and purpose = $3 and status in ('active', 'frozen') and not is_deleted for update`,
    [companyOf(call), partner, SHIPMENT_RISK],
  );
  return line ?? null;
}

/**
 * What the partner's approved shipments on open terms have not brought in yet, in CNY at today's book rate, to the cent.
 * `except`: a shipment that is left out.
 */
async function shipmentExposure(call: RuleCall, partner: string, except: string | null): Promise<string> {
  const rows = await call.tx.query<{ currency: string; open: string }>(
    `select currency, sum(total_amount - coalesce(received_amount, 0) - coalesce(written_off_amount, 0))::text as open
     from shipment where co_code = $1 and partner_id = $2::uuid and status = any($3::text[]) and payment_term = any($4::text[])
       and not is_deleted and id is distinct from $5::uuid group by currency`,
    [companyOf(call), partner, EXPOSED, [...OPEN_TERMS], except],
  );
  return rows.reduce((sum, { currency, open }) => addDecimals(sum, inYuan(call, currency, open)), '0.00');
}

function inYuan({ caller }: RuleCall, currency: string, amount: string): string {
  const rate = caller.context.rate?.(currency, 'book', caller.context.today) ?? null;
  if (rate === null)
    throw new AppError('RULE_REFUSED', { message: `没有${currency}的记账汇率，不能计算额度占用` });
  return roundDecimal(multiplyDecimals(amount, rate), 2);
}

/**
 * How far a shipment goes beyond the partner's line for shipments on open terms: CNY, negative or zero when it is within
 * it, null when no line is in force.
 */
export async function beyondShipmentLine(call: RuleCall, shipment: ErpRecord): Promise<string | null> {
  const partner = textOf(shipment, 'partner_id');
  if (partner === null || call.services.definitions.catalog().resources['credit_line'] === undefined)
    return null;
  const line = await shipmentLine(call, partner);
  if (line === null || line.status !== 'active' || line.valid_to < call.caller.context.today) return null;
  const open = await shipmentExposure(call, partner, textOf(shipment, 'id'));
  const own = inYuan(call, textOf(shipment, 'currency') ?? 'CNY', decimalOf(shipment, 'total_amount'));
  return subtractDecimals(addDecimals(open, own), line.amount);
}

function problem(path: string, message: string): FieldProblem {
  return { path, code: 'credit', message };
}

/** The rules of credit lines, by the names that the definitions use. */
export const CREDIT_RULES: RuleSet = {
  checks: { check_credit_application: checkApplication, check_credit_result: checkResult },
  effects: {
    complete_credit_application: completeApplication,
    grant_credit_line: grantLine,
    refresh_credit_usage: refreshUsage,
    send_review_link: sendReviewLinks,
  },
};
