import { expect, it } from 'vitest';
import type { Subject } from '#engine/schema/resource.ts';
import { accessTo, type Call } from '#server/records/call/open-call.ts';
import { loadOverrides } from '#server/records/call/overrides.ts';
import { rowConditions } from '#server/records/call/row-conditions.ts';
import { writtenOnce } from '#server/records/call/written-once.ts';
import { openRows } from '#server/records/read/reader-eyes.ts';
import { needOf, type ReferenceNeed } from '#server/records/read/reference-book.ts';
import { writeLoads } from '#server/records/read/write-loads.ts';
import type { Services } from '#server/records/services.ts';
import { shippedDefinitions } from '../../resources/shipped-definitions.ts';

const { catalog } = shippedDefinitions();
const resources = Object.values(catalog?.resources ?? {});
const services = { definitions: { catalog: () => catalog }, db: {} } as unknown as Services;

const PERSON: Subject = {
  id: '00000000-0000-7000-8000-000000000001',
  personid: 'sp.aa',
  name: '业务员',
  kind: 'staff',
  role_code: 'SP',
  role_codes: ['SP'],
  co_code: 'AA',
  dept_code: 'AA01',
  dept_id: '00000000-0000-7000-8000-000000000002',
  dept_codes: ['AA01'],
  sales_ids: ['00000000-0000-7000-8000-000000000001'],
  sales_id: '00000000-0000-7000-8000-000000000001',
  partner_id: null,
  super_permission: false,
  scope_override: null,
};

/** What a person is opened of every resource, as SQL with its values; each statement has values before. */
function opened(subject: Subject, before: readonly unknown[]): readonly unknown[] {
  const context = { subject, today: '2026-10-01', now: '2026-10-01T00:00:00.000Z', params: {} };
  return resources.map((resource) => {
    const access = accessTo(services, subject, resource);
    const call = { services, caller: { subject, context }, catalog, resource, access } as unknown as Call;
    const values = [...before];
    const rows = rowConditions(call, { alias: 't', values });
    const reading = rowConditions(call, { alias: 't', values }, 'update');
    const others = openRows(call, resource.resource, { alias: 'x', values, isAnyCompany: false });
    return [resource.resource, rows, reading, others, values];
  });
}

it.each(Object.keys(catalog?.roles ?? {}))(
  'what %s is opened is written alike the first time and again',
  (role) => {
    const of = (more: Partial<Subject>): Subject => ({
      ...PERSON,
      role_code: role,
      role_codes: [role],
      ...(role === 'PT'
        ? { kind: 'partner' as const, partner_id: '00000000-0000-7000-8000-000000000003' }
        : {}),
      ...more,
    });
    const subject = of({});
    const first = opened(subject, []);
    expect(opened(subject, [])).toEqual(first);
    // Behind other values the places are others, as somebody new would get them.
    expect(opened(subject, ['a', 'b'])).toEqual(opened(of({}), ['a', 'b']));
    expect(opened(subject, [])).toEqual(first);
    // Somebody else is opened what is theirs.
    const other = of({ co_code: 'AE', sales_ids: ['00000000-0000-7000-8000-000000000009'] });
    expect(JSON.stringify(opened(other, []))).not.toContain('"AA"');
  },
);

/** What loads a buyer with its country behind it, a currency by its code, and a contract's lines. */
function loadsFor(
  subject: Subject | null,
  ids: readonly string[],
  of: { readonly services: Services } = { services },
) {
  if (catalog === undefined || catalog === null) throw new Error('nothing is shipped');
  const needs = new Map<string, ReferenceNeed>();
  const buyer = needOf(needs, 'buyer');
  buyer.columns.add('country_id').add('name_en');
  needOf(buyer.steps, 'country', 'country_id').columns.add('name');
  needOf(needs, 'currency@code').columns.add('name');
  needOf(needs, 'export_contract.items').columns.add('quantity').add('parent');
  needOf(needs, 'person').isAnyCompany = true;
  needOf(needs, 'no_such_target');
  for (const [target, need] of needs) for (const id of ids) need.ids.add(`${target} ${id}`);
  const context = { subject, today: '2026-10-01', now: '2026-10-01T00:00:00.000Z', params: {} };
  const resource = catalog.resources['export_contract'];
  if (resource === undefined) throw new Error('no contract is shipped');
  const reader =
    subject === null
      ? {}
      : {
          reader: {
            ...of,
            caller: { subject, context },
            catalog,
            resource,
            access: accessTo(of.services, subject, resource),
          } as unknown as Call,
        };
  const { text, values, loads } = writeLoads(catalog, [...needs.values()], { companies: ['AA'], ...reader });
  return {
    text,
    values,
    parts: loads.map(({ need, fields, isStep, rows }) => [
      need.target,
      fields.map(({ name }) => name),
      isStep,
      rows.size,
    ]),
  };
}

it.each([...Object.keys(catalog?.roles ?? {}), null])(
  '%s loads the same the first time and again',
  (role) => {
    const of = (more: Partial<Subject>): Subject | null =>
      role === null
        ? null
        : {
            ...PERSON,
            role_code: role,
            role_codes: [role],
            ...(role === 'PT' ? { kind: 'partner', partner_id: '00000000-0000-7000-8000-000000000003' } : {}),
            ...more,
          };
    const subject = of({});
    const first = loadsFor(subject, ['1']);
    expect(first.parts.map(([target]) => target)).toEqual([
      'buyer',
      'country',
      'currency@code',
      'export_contract.items',
      'person',
    ]);
    const others = loadsFor(subject, ['2', '3']);
    expect(others.text).toBe(first.text);
    expect(others).toEqual(loadsFor(of({}), ['2', '3']));
    expect(JSON.stringify(others.values)).not.toContain(' 1"');
    expect(loadsFor(subject, ['1'])).toEqual(first);
  },
);

it('what a changed right opens is loaded by another statement, for the same person at once', async () => {
  const before = loadsFor(PERSON, ['1']);
  let scope = 'company';
  const changing = {
    ...services,
    definitions: { ...services.definitions, setup: () => ({ files: {}, events: {} }) },
    db: {
      query: async (_text: string, _values: unknown, name?: string) =>
        name === 'rights_now'
          ? [
              {
                resource: 'buyer',
                role: 'SP',
                actions: ['list', 'read'],
                row_scope: scope,
                hidden_fields: [],
                readonly_fields: [],
              },
            ]
          : [],
    },
  } as unknown as Services;
  await loadOverrides(changing);
  const changed = loadsFor(PERSON, ['1'], { services: changing });
  expect(changed.text).not.toBe(before.text);
  expect(loadsFor(PERSON, ['1'], { services: changing })).toEqual(changed);
  scope = 'own';
  await loadOverrides(changing);
  expect(loadsFor(PERSON, ['1'], { services: changing }).text).not.toBe(changed.text);
  expect(loadsFor(PERSON, ['1'])).toEqual(before);
});

it('a condition is written anew for another person, grant, day and place, and not otherwise', () => {
  const { SP, FN } = { SP: accessOf('SP'), FN: accessOf('FN') };
  const someone = { ...PERSON };
  const at = { key: 'rows', today: '2026-10-01', from: 0 };
  let writings = 0;
  const written = (who: Subject, access: typeof SP, place: typeof at): string => {
    const values: unknown[] = Array.from({ length: place.from });
    const context = { subject: who, today: place.today, now: `${place.today}T00:00:00.000Z`, params: {} };
    return writtenOnce({ access, context }, { key: place.key, values }, () => {
      writings += 1;
      values.push(who.id);
      return `id = $${values.length}`;
    });
  };
  expect([written(someone, SP, at), written(someone, SP, at), writings]).toEqual(['id = $1', 'id = $1', 1]);
  expect(written(someone, SP, { ...at, from: 2 })).toBe('id = $3');
  written({ ...PERSON }, SP, at);
  written(someone, FN, at);
  written(someone, SP, { ...at, today: '2026-10-02' });
  written(someone, SP, { ...at, key: 'others' });
  expect(writings).toBe(6);
});

it('a condition that reads the time is written anew every time', () => {
  const [access, someone] = [accessOf('SP'), { ...PERSON }];
  const values = ['08:00', '08:01'].map((time) => {
    const found: unknown[] = [];
    const context = { subject: someone, today: '2026-10-01', now: `2026-10-01T${time}:00.000Z`, params: {} };
    writtenOnce({ access, context }, { key: 'news', values: found }, ({ now }) => {
      found.push(now);
      return `published_at <= $${found.length}`;
    });
    return found;
  });
  expect(values).toEqual([['2026-10-01T08:00:00.000Z'], ['2026-10-01T08:01:00.000Z']]);
});

function accessOf(role: string) {
  const [resource] = resources;
  if (resource === undefined) throw new Error('no resource is shipped');
  return accessTo(services, { ...PERSON, role_code: role, role_codes: [role] }, resource);
}
