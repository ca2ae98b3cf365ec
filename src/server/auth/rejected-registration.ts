import type { RegistrationState } from '#contract/forgotten.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import type { RegistrationForm } from '#trade/registration.ts';
import type { Row, Tx } from '#server/kernel/db/database.ts';
import { rowText, rowTextOrNull } from '#server/kernel/db/row-text.ts';
import { AppError } from '#server/kernel/errors.ts';
import { readRecord, type SystemContext, updateRecordFields } from '#server/records/write/system-write.ts';

/** What its applicant may correct and send again: registered by himself, rejected, and since in nobody's review. */
const IS_REJECTED = `p.status = 'rejected' and p.source = 'register' and not p.is_deleted`;

/** Columns of a registration `p` with its account `a`, as `rejectedForm` reads them. */
export const REJECTED_COLUMNS = `${IS_REJECTED} as is_rejected, p.id, p.co_code, p.corp_type, p.credit_code, p.id_no,
  p.reject_reason, a.name as link_man, a.mobile`;

/** A registration as its applicant typed it, and why it was rejected; nothing of one that he may not send again. */
export function rejectedForm(row: Row): Pick<RegistrationState, 'reason' | 'rejected'> {
  if (row['is_rejected'] !== true) return {};
  return {
    reason: rowTextOrNull(row, 'reject_reason') ?? '',
    rejected: {
      again: rowText(row, 'id'),
      custname: rowText(row, 'name'),
      corpType: rowText(row, 'corp_type'),
      comNo: rowTextOrNull(row, 'credit_code') ?? '',
      psNo: rowTextOrNull(row, 'id_no') ?? '',
      coDeptnameCode: rowText(row, 'co_code'),
      linkMan: rowText(row, 'link_man'),
      mobile: rowText(row, 'mobile'),
    },
  };
}

/**
 * The rejected application that a form takes up again, locked: the one that it names, else the one with its code, number
 * or name. It must be of the form's company, and of the form's mobile number, which its SMS code has proven.
 * @throws ACTION_NOT_ALLOWED when the one that is named is none
 */
export async function findRejected(
  tx: Tx,
  form: RegistrationForm,
  again: string | null,
): Promise<string | null> {
  const { custname, comNo, psNo, coDeptnameCode, mobile } = form;
  const [found] = await tx.query(
    `select p.id from partner p where ${IS_REJECTED} and p.co_code = $1
       and exists (select from partner__accounts a where a.parent_id = p.id and a.mobile = $2)
       and case when $3::text is null then p.credit_code = $4 or p.id_no = $5 or p.name = $6 else p.id::text = $3 end
     order by coalesce(p.credit_code = $4, false) or coalesce(p.id_no = $5, false) desc, p.id limit 1 for update of p`,
    [coDeptnameCode, mobile, again, comNo, psNo, custname],
    'rejected_registration',
  );
  if (found !== undefined) return rowText(found, 'id');
  if (again === null) return null;
  throw new AppError('ACTION_NOT_ALLOWED', {
    message: '原注册申请已不在退回状态，或不是用该手机号码提交的，请重新查询注册进度',
  });
}

/** Writes the corrected form into the application; what the house filled in meanwhile stays. */
export async function correctRejected(
  context: SystemContext,
  { id, form }: { readonly id: string; readonly form: RegistrationForm },
): Promise<string> {
  const { custname, corpType, comNo, psNo, linkMan, mobile } = form;
  const stored = await readRecord(context, 'partner', id, true);
  const renamed = (lines: unknown) =>
    (Array.isArray(lines) ? (lines as readonly ErpRecord[]) : []).map((line) =>
      line['mobile'] === mobile ? { ...line, name: linkMan } : line,
    );
  await updateRecordFields(context, 'partner', {
    id,
    fields: {
      name: custname,
      corp_type: corpType,
      credit_code: corpType === '1' ? comNo : null,
      id_no: corpType === '2' ? psNo : null,
      contacts: renamed(stored?.['contacts']),
      accounts: renamed(stored?.['accounts']),
    },
    action: 'update',
    opinion: '网上修改',
  });
  return id;
}
