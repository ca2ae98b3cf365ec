import { lockName } from '#server/kernel/db/lock-name.ts';
import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { addDecimals, compareDecimals, subtractDecimals } from '#engine/values/decimal.ts';
import { formatMoney } from '#engine/values/display.ts';
import { AppError } from '#server/kernel/errors.ts';
import { findNamed } from '#server/business/find-named.ts';
import { updateNamed, type Values } from '#server/business/named-records.ts';
import { updateRecordFields } from '#server/records/write/system-write.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { EXPOSED, exposureOf, weighExposure } from './exposure-figures.ts';
import { companyOf, decimalOf, textOf } from './rule-values.ts';

/** The purpose of the line that shipments on open terms draw on. */
export const SHIPMENT_RISK = 'shipment_risk';

/** A credit line as the rules judge it; amounts in CNY. */
export interface CreditLine {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly used: string;
  readonly occupied: string;
  readonly exposure: string;
  readonly funding: string;
  readonly receivable: string;
  readonly valid_to: string;
}

/** Whose line, for what. */
interface LineKey {
  readonly partner: string;
  readonly purpose: string;
}

/**
 * The partner's line of a purpose that is not cancelled, the one in force or frozen before those that ran out, the newest
 * first. Until the transaction ends nobody else judges, changes or makes a line of this partner and purpose;
 * a line that does not exist yet has no row to wait for.
 */
export async function findLine(call: RuleCall, { partner, purpose }: LineKey): Promise<CreditLine | null> {
  await lockName(call.tx, `credit line ${companyOf(call)} ${partner} ${purpose}`);
  const lines = await findNamed(call, 'credit_line', {
    where: { partner_id: { eq: partner }, purpose: { eq: purpose }, status: { ne: 'cancelled' } },
    fields: ['id', 'status', 'amount', 'used', 'occupied', 'exposure', 'funding', 'receivable', 'valid_to'],
    order: ['-created_at'],
    isLocking: true,
  });
  const line = lines.find(({ status }) => status !== 'expired') ?? lines[0];
  return line === undefined
    ? null
    : {
        id: String(line.id),
        status: textOf(line, 'status') ?? '',
        amount: decimalOf(line, 'amount'),
        used: decimalOf(line, 'used'),
        occupied: decimalOf(line, 'occupied'),
        exposure: decimalOf(line, 'exposure'),
        funding: decimalOf(line, 'funding'),
        receivable: decimalOf(line, 'receivable'),
        valid_to: textOf(line, 'valid_to') ?? '',
      };
}

/** What the record's partner has taken of its line for shipments, in CNY as of now, whatever the line's row says. */
export async function usedByShipments(call: RuleCall): Promise<string> {
  const partner = textOf(call.record, 'partner_id');
  return partner === null ? '0' : weighExposure(call, await exposureOf(call, partner));
}

/** Effect: brings the used amount of the partner's shipment line up to date; nothing where there is none. */
export async function refreshUsage(call: RuleCall): Promise<void> {
  const partner = textOf(call.record, 'partner_id');
  if (partner === null || !hasLines(call)) return;
  const line = await findLine(call, { partner, purpose: SHIPMENT_RISK });
  if (line === null) return;
  const figures = await exposureOf(call, partner);
  const fields = { exposure: weighExposure(call, figures), ...figures };
  const isKnown = (Object.keys(fields) as (keyof typeof fields)[]).every(
    (name) => compareDecimals(fields[name], line[name]) === 0,
  );
  if (!isKnown) await updateNamed(call, 'credit_line', { id: line.id, fields, action: 'used' });
}

/** Effect of a line's own step: the same for the record itself. */
export async function reckonExposure(call: RuleCall): Promise<void> {
  const figures = await exposureOf(call, textOf(call.record, 'partner_id') ?? '');
  const fields: Values<'credit_line'> = { exposure: weighExposure(call, figures), ...figures };
  await updateRecordFields(call, 'credit_line', {
    id: String(call.record['id']),
    fields: { ...fields },
    isSameWrite: true,
  });
}

/** How a shipment stands to its partner's line: `beyond` is CNY over it, negative or zero within it. */
type LineStanding =
  | { readonly line: 'none' }
  | { readonly line: 'frozen' }
  | { readonly line: 'active'; readonly beyond: string };

/** How a shipment stands to its partner's line for shipments on open terms, which stays locked. */
async function standingOf(call: RuleCall, shipment: ErpRecord): Promise<LineStanding> {
  const partner = textOf(shipment, 'partner_id');
  if (partner === null || !hasLines(call)) return { line: 'none' };
  const line = await findLine(call, { partner, purpose: SHIPMENT_RISK });
  if (line === null || line.status === 'expired' || line.valid_to < call.caller.context.today)
    return { line: 'none' };
  if (line.status === 'frozen') return { line: 'frozen' };
  const { funding, receivable } = await exposureOf(call, partner, textOf(shipment, 'id'));
  const taken = weighExposure(call, { funding, receivable: addDecimals(receivable, ownExposure(shipment)) });
  return { line: 'active', beyond: subtractDecimals(taken, line.amount) };
}

/** Whether risk control has to decide: beyond the line, the line is frozen, or nobody covers the risk at all. */
function isBeyond(standing: LineStanding, shipment: ErpRecord): boolean {
  if (standing.line === 'none') return shipment['is_uninsured'] === true;
  return standing.line === 'frozen' || compareDecimals(standing.beyond, '0') > 0;
}

/** A shipment is judged at its last approval, and at each change from then on. */
export function checkShipmentCredit(call: RuleCall): Promise<readonly FieldProblem[]> {
  const isSaved = call.action === 'create' || call.action === 'update';
  return isSaved ? checkRaisedExposure(call) : checkApproved(call);
}

/**
 * 提交: exposure as of now. On open terms the partner's shipment_risk line decides, with everything that is still to be
 * received; without a line in force an insured shipment is within it. The last approval looks again.
 */
export async function markExposure(call: RuleCall): Promise<void> {
  const { record } = call;
  const isOver = isExposing(record) && isBeyond(await standingOf(call, record), record);
  await updateRecordFields(call, 'shipment', {
    id: String(record['id']),
    fields: { exposure_over: isOver },
    isSameWrite: true,
  });
}

/**
 * Last approval of a shipment: what was submitted as within the line is still within it. The line is locked, so of two
 * that fit only one by one the second is refused. What was submitted as beyond it, risk control has decided.
 */
async function checkApproved(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { record } = call;
  if (!isExposing(record) || record['exposure_over'] === true) return [];
  const standing = await standingOf(call, record);
  if (!isBeyond(standing, record)) return [];
  const advice = '请驳回后重新提交，由风控按超敞口审核';
  return [{ path: 'total_amount', code: 'credit', message: `${shortageText(standing)}；${advice}` }];
}

/**
 * A change of an approved shipment takes no more of the line than is left: no risk control decides about it. What it
 * leaves as it was or lowers is free.
 */
async function checkRaisedExposure(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { record: after, previous: before } = call;
  if (before === undefined || !EXPOSED.some((status) => status === after['status'])) return [];
  if (!isExposing(after)) return [];
  const wasOpen = isExposing(before);
  if (wasOpen && compareDecimals(ownExposure(after), ownExposure(before)) <= 0) return [];
  const standing = await standingOf(call, after);
  if (!isBeyond(standing, after) || (standing.line === 'none' && wasOpen)) return [];
  return [{ path: 'total_amount', code: 'credit', message: `${shortageText(standing)}，不能变更` }];
}

/** Why a shipment does not fit. */
function shortageText(standing: LineStanding): string {
  if (standing.line === 'none') return '委托方没有生效中的出运敞口额度';
  return standing.line === 'frozen'
    ? '授信额度已冻结'
    : `授信额度不足，超出${formatMoney(standing.beyond)}元`;
}

/** Open terms at the company's risk. */
function isExposing(shipment: ErpRecord): boolean {
  return shipment['is_open_terms'] === true && shipment['risk_bearer'] === 'company';
}

/** What a shipment itself adds, in CNY; nothing without a book rate is a refusal, not zero. */
function ownExposure(shipment: ErpRecord): string {
  if (shipment['exposure_cny'] != null) return decimalOf(shipment, 'exposure_cny');
  const currency = textOf(shipment, 'currency') ?? '';
  throw new AppError('RULE_REFUSED', { message: `没有${currency}的记账汇率，不能计算额度占用` });
}

/** Definitions may leave credit lines out. */
function hasLines(call: RuleCall): boolean {
  return call.services.definitions.catalog().resources['credit_line'] !== undefined;
}
