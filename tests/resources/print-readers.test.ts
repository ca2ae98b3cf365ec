import { expect, it } from 'vitest';
import { resourceAccess } from '#engine/access/resource-access.ts';
import { cutText, templateTexts } from '#engine/print/placeholders.ts';
import type { Field, Resource, Subject } from '#engine/schema/resource.ts';
import { shippedDefinitions } from './shipped-definitions.ts';

const { catalog, setup } = shippedDefinitions();
const RESOURCES = catalog?.resources ?? {};
type Fields = Readonly<Record<string, Field>>;

/** What a paper names and a reader is not to know. */
const KEPT_FROM: ReadonlySet<string> = new Set([
  // Projects are of the company's own business, which has no customers.
  'fund_pool/statement PT project',
  'project_settlement/statement PT project',
  'shipment/detail_sheet PT customs_broker',
]);

function personIn(role: string): Subject {
  const isPartner = role === 'PT';
  return {
    ...{
      id: '00000000-0000-7000-8000-000000000001',
      personid: 'x.aa',
      name: '某人',
      co_code: 'AA',
      dept_code: 'AA',
    },
    kind: isPartner ? 'partner' : 'staff',
    role_code: role,
    role_codes: [role],
    dept_codes: ['AA'],
    sales_ids: [],
    sales_id: null,
    partner_id: isPartner ? '00000000-0000-7000-8000-000000000002' : null,
    super_permission: false,
    scope_override: null,
  };
}

const known = new Map<string, ReadonlySet<string>>();

function operationsOf(resource: Resource, role: string): ReadonlySet<string> {
  if (catalog === null || catalog === undefined) throw new TypeError('the shipped definitions have faults');
  const key = `${resource.resource} ${role}`;
  const found = known.get(key) ?? resourceAccess(resource, personIn(role), { catalog }).operations;
  known.set(key, found);
  return found;
}

/** The record on the way of a path that the role may not read, and what of it the path asks for. */
function closedAt(fields: Fields, [name = '', ...rest]: readonly string[], role: string): string | null {
  const field = fields[name];
  if (field === undefined || rest.length === 0) return null;
  if (field.type === 'lines') return closedAt(field.fields ?? {}, rest, role);
  if (field.type !== 'reference' || typeof field.to !== 'string') return null;
  const [key = '', lines] = field.to.split('.');
  const target = RESOURCES[key];
  if (target === undefined) return null;
  const operations = operationsOf(target, role);
  if (operations.has('read') || operations.has('list'))
    return closedAt(lines === undefined ? target.fields : (target.fields[lines]?.fields ?? {}), rest, role);
  const names = [target.label, ...target.caption];
  return operations.has('name') && names.includes(rest.join('.')) ? null : key;
}

function linesAt(resource: Resource, path: string): Fields {
  return path.split('.').reduce<Fields>((fields, name) => {
    const field = fields[name];
    if (field?.type === 'lines') return field.fields ?? {};
    return RESOURCES[String(field?.to)]?.fields ?? {};
  }, resource.fields);
}

it('whoever may print a paper is shown every record that it names', () => {
  const closed = new Set<string>();
  for (const resource of Object.values(RESOURCES))
    for (const print of resource.print)
      for (const role of Object.keys(catalog?.roles ?? {})) {
        const template = setup.prints[print.template];
        if (template === undefined || !operationsOf(resource, role).has('print')) continue;
        for (const { text, lines } of templateTexts(template))
          for (const part of cutText(text)) {
            if (typeof part === 'string') continue;
            const names = part.path.split('.');
            const starts = [resource.fields, ...(lines === null ? [] : [linesAt(resource, lines)])];
            const keys = starts.flatMap((fields) => closedAt(fields, names, role) ?? []);
            for (const key of keys) closed.add(`${resource.resource}/${print.id} ${role} ${key}`);
          }
      }
  expect(closed).toEqual(KEPT_FROM);
});

it('whoever lays out a set of papers may print each of them', () => {
  const set = RESOURCES['document_set'];
  const laidOut = Object.entries(set?.lifecycle?.actions ?? {}).filter(([, { effects }]) =>
    (effects ?? []).some((name) => ['assemble_documents', 'recheck_documents'].includes(name)),
  );
  expect(laidOut.length).toBeGreaterThan(0);
  const closed = setup.documentSets.flatMap(({ resource, papers }) =>
    papers.flatMap(({ of = resource }) =>
      Object.keys(catalog?.roles ?? {}).flatMap((role) => {
        const printed = RESOURCES[of];
        if (set === undefined || printed === undefined) return [`${of}?`];
        const acts = laidOut.filter(([action]) => operationsOf(set, role).has(action));
        return acts.length === 0 || operationsOf(printed, role).has('print') ? [] : [`${role} ${of}`];
      }),
    ),
  );
  expect(closed).toEqual([]);
});
