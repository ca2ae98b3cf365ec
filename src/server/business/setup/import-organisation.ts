import type { Field } from '#engine/schema/resource.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { createRecord } from '#server/records/write/save-record.ts';
import { readRecord, updateRecordFields } from '#server/records/write/system-write.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import type { Caller, Services } from '#server/records/services.ts';
import type { DemoCompany, DemoPerson } from './organisation.ts';
import { rowText } from '#server/kernel/db/row-text.ts';

type Values = Readonly<Record<string, unknown>>;

/** The roles of setup/roles.json as rows; those that exist stay as they are. */
export async function importRoles(services: Services): Promise<void> {
  const caller = systemCaller(services, '');
  for (const role of Object.values(services.definitions.catalog().roles)) {
    const { code, name, row_scope, can_represent, hidden_paths } = role;
    await createMissing(services, caller, {
      resource: 'role',
      key: { code },
      values: { name, row_scope, can_represent, hidden_paths },
    });
  }
}

/** A company with its departments and people; `password` is a hash and everybody's. Its settings are `importSettings`. */
export async function importCompany(
  services: Services,
  {
    company,
    staff,
    password,
  }: { readonly company: DemoCompany; readonly staff: readonly DemoPerson[]; readonly password: string },
): Promise<void> {
  const caller = systemCaller(services, company.code);
  const { code, name, allowRegister } = company;
  const root = await createMissing(services, caller, {
    resource: 'department',
    key: { code },
    values: { name, co_code: code, is_company: true, allow_register: allowRegister, sort_no: 0 },
  });
  const departments = new Map<string, string>([['', root]]);
  for (const [index, department] of company.departments.entries()) {
    const id = await createMissing(services, caller, {
      resource: 'department',
      key: { code: `${code}${department.suffix}` },
      values: {
        name: department.name,
        parent_id: root,
        co_code: code,
        is_company: false,
        allow_register: false,
        sort_no: index + 1,
      },
    });
    departments.set(department.suffix, id);
  }
  const people = new Map<string, string>();
  for (const person of staff)
    people.set(person.personid, await importPerson(services, caller, { person, password, departments }));
  await appoint(services, { company, people, departments });
  await setTargets(services, company.code, { staff, people });
}

async function importPerson(
  services: Services,
  caller: Caller,
  {
    person,
    password,
    departments,
  }: {
    readonly person: DemoPerson;
    readonly password: string;
    readonly departments: ReadonlyMap<string, string>;
  },
): Promise<string> {
  const roles = await services.db.query(
    'select id, code from role where code = any($1) and not is_deleted order by array_position($1, code)',
    [person.roles],
  );
  const ids = roles.map((row) => rowText(row, 'id'));
  return createMissing(services, caller, {
    resource: 'person',
    key: { personid: person.personid },
    values: {
      name: person.name,
      mobile: person.mobile,
      dept_id: departments.get(person.dept) ?? departments.get(''),
      password,
      role_ids: ids,
      default_role_id: ids[0],
      super_permission: person.isSuper === true,
    },
  });
}

/** Managers exist only after the departments they belong to. */
async function appoint(
  services: Services,
  organisation: {
    readonly company: DemoCompany;
    readonly people: ReadonlyMap<string, string>;
    readonly departments: ReadonlyMap<string, string>;
  },
): Promise<void> {
  const { company, people, departments } = organisation;
  for (const { suffix, manager } of company.departments) {
    const id = people.get(`${manager}.${company.code.toLowerCase()}`);
    const department = departments.get(suffix);
    if (id === undefined || department === undefined) continue;
    await fillEmpty(services, company.code, {
      resource: 'department',
      id: department,
      field: 'manager_id',
      value: id,
    });
  }
}

/** Fills a field that is empty, as any other write: audited, with a version. */
async function fillEmpty(
  services: Services,
  coCode: string,
  { resource, id, field, value }: { resource: string; id: string; field: string; value: unknown },
): Promise<void> {
  await services.db.transaction(async (tx) => {
    const context = { tx, services, caller: systemCaller(services, coCode) };
    const stored = (await readRecord(context, resource, id, true))?.[field] ?? null;
    if (stored === null || (Array.isArray(stored) && stored.length === 0))
      await updateRecordFields(context, resource, { id, fields: { [field]: value } });
  });
}

async function setTargets(
  services: Services,
  coCode: string,
  { staff, people }: { readonly staff: readonly DemoPerson[]; readonly people: ReadonlyMap<string, string> },
): Promise<void> {
  for (const { personid, targets = [] } of staff) {
    const id = people.get(personid);
    if (id === undefined || targets.length === 0) continue;
    const value = targets.map((target) => ({ sales_id: people.get(target), valid_from: '2020-01-01' }));
    await fillEmpty(services, coCode, { resource: 'person', id, field: 'service_targets', value });
  }
}

/** The id of the record with that key, made when it is not there. Fields that the definition does not have are left out. */
async function createMissing(
  services: Services,
  caller: Caller,
  row: { readonly resource: string; readonly key: Readonly<Record<string, string>>; readonly values: Values },
): Promise<string> {
  const [name = '', value = ''] = Object.entries(row.key)[0] ?? [];
  const found = await services.db.query(
    `select id from "${row.resource}" where "${name}" = $1 and not is_deleted`,
    [value],
  );
  if (found[0] !== undefined) return String(found[0]['id']);
  const call = withStoredSecrets(openSystemCall(services, caller, row.resource));
  const known = Object.entries({ ...row.key, ...row.values }).filter(
    ([field, given]) =>
      given !== undefined &&
      call.resource.fields[field] !== undefined &&
      !call.resource.fields[field].computed,
  );
  return String((await createRecord(call, Object.fromEntries(known)))['id']);
}

/** Longer than any hash. */
const HASH_LENGTH = 200;

/** Passwords come as hashes, which are longer than the passwords that the definition limits. */
function withStoredSecrets(call: Call): Call {
  const { resource } = call;
  const fields = Object.entries(resource.fields).map(([name, field]): [string, Field] => {
    if (field.type !== 'secret') return [name, field];
    const { min: _min, pattern: _pattern, ...open } = field;
    return [name, { ...open, max: HASH_LENGTH }];
  });
  return { ...call, isUnshown: true, resource: { ...resource, fields: Object.fromEntries(fields) } };
}
