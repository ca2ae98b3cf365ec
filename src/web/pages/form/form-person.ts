import { companyToday } from '#engine/values/dates.ts';
import type { EvaluationContext, Subject } from '#engine/schema/resource.ts';
import type { Person } from '#contract/sign-in.ts';
import { storedPerson } from '#web/data/stored-person.ts';

/**
 * Who works in the form, as far as the browser knows: enough for defaults and conditions of the form. The server
 * evaluates with its own subject and has the last word; parameters and rates are only there.
 */
export function formContextOfPerson(now: Date): EvaluationContext {
  const person = storedPerson();
  return {
    subject: person === null ? NOBODY : subjectOf(person),
    today: companyToday(now),
    now: now.toISOString(),
    params: {},
  };
}

function subjectOf(person: Person): Subject {
  return {
    id: person.id,
    personid: person.personid,
    name: person.name,
    kind: person.kind,
    role_code: person.roleId,
    role_codes: person.roleIdList,
    co_code: person.coCode,
    dept_code: person.coDeptnameCode,
    dept_codes: [person.coDeptnameCode],
    sales_ids: person.salesManList.map(({ id }) => id),
    sales_id: person.saleId ?? person.id,
    partner_id: person.partnerId ?? null,
    super_permission: person.superPermission === 1,
    scope_override: null,
  };
}

const NOBODY: Subject = {
  id: '',
  personid: '',
  name: '',
  kind: 'staff',
  role_code: '',
  role_codes: [],
  co_code: '',
  dept_code: '',
  dept_codes: [],
  sales_ids: [],
  sales_id: null,
  partner_id: null,
  super_permission: false,
  scope_override: null,
};
