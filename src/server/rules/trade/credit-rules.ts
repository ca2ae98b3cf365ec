import type { FieldProblem } from '#engine/schema/resource.ts';
import { compareDecimals } from '#engine/values/decimal.ts';
import { sendReviewLinks } from '#server/approvals/review-links.ts';
import {
  insertRecord,
  runSystemAction,
  updateRecordFields,
  writeDerivedFields,
} from '#server/operations/system-write.ts';
import type { RuleCall, RuleSet } from '../rule-registry.ts';
import { type CreditLine, findLine, refreshUsage } from './credit-exposure.ts';
import { decimalOf, textOf } from './rule-values.ts';

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

/** The line of the application's partner and purpose; locked where it is judged. */
async function currentLine(call: RuleCall, isLocking: boolean): Promise<CreditLine | null> {
  const partner = textOf(call.record, 'partner_id');
  const purpose = textOf(call.record, 'purpose');
  return partner === null || purpose === null ? null : findLine(call, { partner, purpose }, isLocking);
}

function problem(path: string, message: string): FieldProblem {
  return { path, code: 'credit', message };
}

/** The rules of credit lines, by the names that the definitions use. */
export const CREDIT_RULES: RuleSet = {
  checks: {
    check_credit_application: checkApplication,
    check_credit_result: checkResult,
  },
  effects: {
    complete_credit_application: completeApplication,
    grant_credit_line: grantLine,
    send_review_link: sendReviewLinks,
  },
};
