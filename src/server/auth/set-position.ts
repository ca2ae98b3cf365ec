import type { Person, PositionForm } from '#contract/sign-in.ts';
import { companyToday } from '#engine/values/dates.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from './app-services.ts';
import type { Account } from './account.ts';
import { findPartnerAccountById } from './partner-accounts.ts';
import type { Candidate, Session, SessionOrigin } from './session-store.ts';
import { openPosition } from './sign-in.ts';
import { findStaffById } from './staff-accounts.ts';

/**
 * Chooses person, role and service target of a session, or switches the role of a full one (a customer's: the customer);
 * the old token dies. @throws POSITION_REFUSED
 */
export async function setPosition(
  services: AppServices,
  session: Session,
  form: PositionForm,
  origin: SessionOrigin,
): Promise<Person> {
  const candidate = chooseCandidate(session, form.id ?? '');
  const account = await loadAccount(services, candidate);
  const held = account.roles.map(({ code }) => code);
  const roleCodes = form.roleIdList?.length ? form.roleIdList : held;
  const roleCode =
    form.roleId === undefined || form.roleId === null || form.roleId === '' ? roleCodes[0] : form.roleId;
  if (roleCode === undefined || ![...roleCodes, roleCode].every((code) => held.includes(code)))
    throw new AppError('POSITION_REFUSED');
  const salesId = form.saleId === undefined || form.saleId === '' ? null : form.saleId;
  // Customers act for nobody but themselves.
  if (salesId !== null && candidate.kind === 'partner') throw new AppError('POSITION_REFUSED');
  return openPosition(
    services,
    { candidate, roleCode, roleCodes: [...new Set([...roleCodes, roleCode])], salesId },
    {
      origin,
      createdAt: session.createdAt,
      replaces: session.id,
      // Who stands for several customers with one number and password goes from one to the other.
      ...(candidate.kind === 'partner' ? { candidates: session.candidates } : {}),
    },
  );
}

/** Without an id it is whoever the session belongs to, or the only one it may become. */
function chooseCandidate({ candidates, subject }: Session, id: string): Candidate {
  const wanted = id === '' ? (subject?.id ?? (candidates.length === 1 ? candidates[0]?.id : '')) : id;
  const chosen = candidates.find((one) => one.id === wanted);
  if (chosen === undefined) throw new AppError('POSITION_REFUSED');
  return chosen;
}

async function loadAccount(services: AppServices, candidate: Candidate): Promise<Account> {
  const account =
    candidate.kind === 'partner'
      ? await findPartnerAccountById(services, candidate.id)
      : await findStaffById(services.db, candidate.id, companyToday(services.clock()));
  if (account === null) throw new AppError('POSITION_REFUSED');
  return account;
}
