import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { addDecimals, compareDecimals } from '#engine/values/decimal.ts';
import { formatMoney } from '#engine/values/display.ts';
import { sendReviewLinks } from '#server/business/review-links.ts';
import { insertNamed, runNamed, updateNamed } from '#server/business/named-records.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import {
  type CreditLine,
  findLine,
  refreshUsage,
  SHIPMENT_RISK,
  usedByShipments,
} from './credit-exposure.ts';
import { decimalOf, textOf } from './rule-values.ts';

/** What is asked for fits the line that there is. Run again with the last approval: the line may have changed meanwhile. */
async function checkApplication(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { record } = call;
  const line = await currentLine(call);
  const kind = textOf(record, 'apply_kind');
  if (line?.status === 'frozen') return [problem('apply_kind', '该额度已冻结，解冻后才能申请')];
  if (kind === 'new')
    return line === null || line.status === 'expired'
      ? []
      : [problem('apply_kind', '该委托方已有这一用途的额度，请选择调增、调减或延期')];
  if (line === null) return [problem('apply_kind', '该委托方还没有这一用途的额度，请选择新增')];
  if (kind !== 'extend' && line.status === 'expired')
    return [problem('apply_kind', '原额度已到期，请选择延期或新增')];
  return checkWish(call, line);
}

/** The amount and the end that are asked for suit the kind of change. */
async function checkWish(call: RuleCall, line: CreditLine): Promise<readonly FieldProblem[]> {
  const { record } = call;
  const kind = textOf(record, 'apply_kind');
  const asked = decimalOf(record, 'apply_amount');
  const more = compareDecimals(asked, line.amount);
  const current = `现有额度 ${formatMoney(line.amount)}`;
  if (kind === 'increase' && more <= 0) return [problem('apply_amount', `调增后的额度须大于${current}`)];
  if (kind === 'decrease' && more >= 0) return [problem('apply_amount', `调减后的额度须小于${current}`)];
  if (kind === 'extend' && more !== 0)
    return [problem('apply_amount', `延期的申请额度须等于${current}，改变额度请选择调增或调减`)];
  if (kind === 'extend' && (textOf(record, 'valid_to') ?? '') <= line.valid_to)
    return [problem('valid_to', `延期后的到期日期须晚于现有到期日期 ${line.valid_to}`)];
  const taken = await takenOf(call, line);
  return kind === 'decrease' && compareDecimals(asked, taken) < 0
    ? [problem('apply_amount', `调减后的额度不能少于已用额度 ${formatMoney(taken)}`)]
    : [];
}

/** What risk control grants is there and can be granted: asked for at its own level, and again by the last approval. */
async function checkResult(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { record } = call;
  const line = await currentLine(call);
  const problems = [...(await checkGrantedAmount(call, line)), ...checkGrantedEnd(call, line)];
  return record['score'] == null ? [problem('score', '请填写风险评分（由风控填写）'), ...problems] : problems;
}

/** The amount covers what is used already, so that no line begins below zero; a raised line is higher than before. */
async function checkGrantedAmount(call: RuleCall, line: CreditLine | null): Promise<readonly FieldProblem[]> {
  const { record } = call;
  const granted = decimalOf(record, 'approved_amount');
  if (compareDecimals(granted, '0') <= 0) return [problem('approved_amount', '请填写批复额度（由风控填写）')];
  const taken = await takenOf(call, textOf(record, 'apply_kind') === 'new' ? null : line);
  if (compareDecimals(granted, taken) < 0)
    return [problem('approved_amount', `批复额度不能少于已用额度 ${formatMoney(taken)}`)];
  const isRaise = line !== null && textOf(record, 'apply_kind') === 'increase';
  return isRaise && compareDecimals(granted, line.amount) <= 0
    ? [problem('approved_amount', `调增的批复额度须大于现有额度 ${formatMoney(line.amount)}`)]
    : [];
}

function checkGrantedEnd(call: RuleCall, line: CreditLine | null): readonly FieldProblem[] {
  const { record, caller } = call;
  const end = endOf(record) ?? '';
  if (end < caller.context.today) return [problem('approved_to', '批复到期日不能早于今天')];
  return line !== null && textOf(record, 'apply_kind') === 'extend' && end <= line.valid_to
    ? [problem('approved_to', `延期的批复到期日须晚于现有到期日期 ${line.valid_to}`)]
    : [];
}

/** The last day of what is granted. */
function endOf(record: ErpRecord): string | null {
  return textOf(record, 'approved_to') ?? textOf(record, 'valid_to');
}

/** What the partner has taken of the line; shipments count as of now, whether there is a line yet or not. */
async function takenOf(call: RuleCall, line: CreditLine | null): Promise<string> {
  if (textOf(call.record, 'purpose') === SHIPMENT_RISK) return usedByShipments(call);
  return line === null ? '0' : addDecimals(line.used, line.occupied);
}

/** 审核通过: the line comes into being or is changed, once, with the decision's own transaction. */
async function grantLine(call: RuleCall): Promise<void> {
  const { record } = call;
  const line = await currentLine(call);
  const granted = {
    amount: decimalOf(record, 'approved_amount'),
    valid_to: endOf(record),
    application_id: record['id'],
  };
  if (textOf(record, 'apply_kind') === 'new' || line === null) {
    // The shipments count on the new line; the old one has run out.
    if (line !== null && textOf(record, 'purpose') === SHIPMENT_RISK)
      await updateNamed(call, 'credit_line', { id: line.id, fields: { exposure: '0' }, action: 'used' });
    await insertNamed(call, 'credit_line', {
      ...granted,
      partner_id: record['partner_id'],
      purpose: record['purpose'],
      valid_from: record['valid_from'],
      co_code: record['co_code'],
      dept_code: record['dept_code'],
      sales_id: record['sales_id'],
      status: 'active',
    });
  } else
    await runNamed(call, 'credit_line', {
      id: line.id,
      action: 'change',
      inputs: { changes: granted },
      opinion: `额度申请 ${textOf(record, 'app_no') ?? ''}`,
    });
  await refreshUsage(call);
}

/** The line of the application's partner and purpose, locked. */
async function currentLine(call: RuleCall): Promise<CreditLine | null> {
  const partner = textOf(call.record, 'partner_id');
  const purpose = textOf(call.record, 'purpose');
  return partner === null || purpose === null ? null : findLine(call, { partner, purpose });
}

function problem(path: string, message: string): FieldProblem {
  return { path, code: 'credit', message };
}

/** The rules of credit lines, by the names that the definitions use. */
export const CREDIT_RULES: RuleSet = {
  checks: {
    check_credit_application: {
      run: checkApplication,
      reads: [
        'credit_line.amount',
        'credit_line.used',
        'credit_line.occupied',
        'credit_line.valid_to',
        'credit_line.status',
      ],
      why: 'judges against exposure at today’s rate, under a lock of a line that may not exist yet',
    },
    check_credit_result: {
      run: checkResult,
      reads: ['credit_line.amount', 'credit_line.used', 'credit_line.occupied', 'credit_line.valid_to'],
      why: 'judges against exposure at today’s rate, under a lock of a line that may not exist yet',
    },
  },
  effects: {
    grant_credit_line: {
      run: grantLine,
      reads: ['credit_line_application.approved_amount', 'credit_line_application.approved_to'],
      writes: [
        'credit_line!change',
        'credit_line.amount',
        'credit_line.exposure',
        'credit_line.valid_to',
        'credit_line.application_id',
      ],
      why: 'makes the line or changes the one that is there, under a lock',
    },
    send_review_link: {
      run: sendReviewLinks,
      reads: ['approval_task.assignee_ids', 'person.mobile'],
      why: 'one-time links by SMS',
    },
  },
};
