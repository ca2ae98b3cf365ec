import { partnerSubject } from '#server/records/call/partner-subject.ts';
import type { FieldProblem, Subject } from '#engine/schema/resource.ts';
import { normaliseRegistration, type RegistrationForm, registrationProblems } from '#trade/registration.ts';
import type { Tx } from '#server/kernel/db/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import { inTransaction } from '#server/records/write/save-record.ts';
import { insertRecord, runSystemAction, type SystemContext } from '#server/records/write/system-write.ts';
import { keepAnswer } from '#server/records/write/keep-answer.ts';
import type { Caller, IdempotencyClaim, Services } from '#server/records/services.ts';
import { fieldProblem } from './account.ts';
import { correctRejected, findRejected } from './rejected-registration.ts';
import { requireSmsCode, spendSmsCode } from './sms-codes.ts';

/** Who asks for a registration, in one request. */
export interface RegistrationOrigin {
  readonly requestId: string;
  readonly address: string;
  /** The rejected application that this one takes up again. */
  readonly again: string | null;
  /** The key that the answer is kept under. */
  readonly idempotency: IdempotencyClaim | null;
}

/** What a registration is answered with. */
export const REGISTERED = '注册成功，请等待平台审核';

/**
 * A visitor becomes a partner that waits for review (action `register`); an application of his that was rejected is
 * corrected and waits again. The code is used up in the same transaction, so that of two submissions at once one is
 * refused.
 * @throws VALIDATION, REGISTER_CLOSED, SMS_CODE_WRONG, DUPLICATE, RULE_REFUSED; problems name the form's fields
 */
export async function registerPartner(
  services: Services,
  given: RegistrationForm,
  origin: RegistrationOrigin,
): Promise<void> {
  const form = normaliseRegistration(given);
  refuseForm(registrationProblems(form));
  await requireOpenCompany(services, form.coDeptnameCode);
  const at = services.clock();
  const { mobile, sms } = form;
  const code = await requireSmsCode(services.db, { mobile, purpose: 'register', code: sms, at });
  const caller = visitorCaller(services, form, origin);
  try {
    const work = async (tx: Tx): Promise<void> => {
      await spendSmsCode(tx, code, at);
      const rejected = await findRejected(tx, form, origin.again);
      const context = { tx, services, caller };
      const id =
        rejected === null
          ? await createPartner(context, form)
          : await correctRejected(context, { id: rejected, form });
      const opinion = rejected === null ? '网上注册' : '网上修改后重新提交';
      await runSystemAction(context, 'partner', { id, action: 'register', opinion });
    };
    await inTransaction(openSystemCall(services, caller, 'partner'), work, (tx) =>
      keepAnswer(tx, caller, null, REGISTERED),
    );
  } catch (error) {
    throw inFormTerms(error);
  }
}

async function createPartner(context: SystemContext, form: RegistrationForm): Promise<string> {
  const { custname, corpType, comNo, psNo, coDeptnameCode, linkMan, mobile } = form;
  const partner = await insertRecord(context, 'partner', {
    name: custname,
    corp_type: corpType,
    ...(corpType === '1' ? { credit_code: comNo } : { id_no: psNo }),
    co_code: coDeptnameCode,
    dept_code: coDeptnameCode,
    source: 'register',
    contacts: [{ name: linkMan, mobile, is_default: true }],
    accounts: [{ name: linkMan, mobile, status: 'disabled' }],
  });
  return String(partner['id']);
}

function refuseForm(problems: readonly FieldProblem[]): void {
  const [first] = problems;
  if (first !== undefined) throw new AppError('VALIDATION', { message: first.message, problems });
}

/** Registration is opened and closed on the company's node of the departments. @throws REGISTER_CLOSED, VALIDATION for no company */
export async function requireOpenCompany(services: Pick<Services, 'db'>, coCode: string): Promise<void> {
  const [company] = await services.db.query(
    `select allow_register from department where code = $1 and is_company and not is_deleted and status = 'active'`,
    [coCode],
    'company_registers',
  );
  if (company === undefined) refuseForm([fieldProblem('coDeptnameCode', 'unknown', '服务公司不存在')]);
  if (company?.['allow_register'] !== true) throw new AppError('REGISTER_CLOSED');
}

/** A visitor counts as a partner: what a rule keeps from partners, it keeps from visitors too. */
function visitorCaller(services: Services, form: RegistrationForm, origin: RegistrationOrigin): Caller {
  const { linkMan, coDeptnameCode } = form;
  const nobody = partnerSubject(services.definitions.catalog(), coDeptnameCode, null);
  const subject: Subject = { ...nobody, id: '', name: linkMan };
  const context = services.definitions.contextFor(subject, services.clock());
  const { requestId, address, idempotency } = origin;
  const caller = { subject, sessionId: '', context, requestId, address };
  return idempotency === null ? caller : { ...caller, idempotency };
}

/** The form's names of the record's fields. */
const FORM_FIELDS: Readonly<Record<string, keyof RegistrationForm>> = {
  name: 'custname',
  credit_code: 'comNo',
  id_no: 'psNo',
};

function inFormTerms(error: unknown): unknown {
  if (!(error instanceof AppError) || error.problems.length === 0) return error;
  const problems = error.problems.map((problem) => ({
    ...problem,
    path: FORM_FIELDS[problem.path] ?? problem.path,
  }));
  return new AppError(error.code, { message: error.message, problems, cause: error });
}
