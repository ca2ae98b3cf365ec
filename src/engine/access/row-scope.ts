import type { Filter } from '../schema/definition.ts';
import { ROW_SCOPES, type RowScope } from '../schema/lifecycle-definition.ts';
import type { Catalog, Resource, Subject } from '../schema/resource.ts';

/** Rows a grant opens: null is none, `{}` every row of the companies. */
export interface RowAccess {
  readonly rows: Filter | null;
  readonly companies: 'own' | 'all';
}

/** References that lead from a record without `partner_id` to its partner, in this order. */
const PARTNER_PATHS = ['shipment_id', 'buyer_id', 'customer_id', 'application_id'] as const;

/**
 * The rows of a grant: its filter or named scope, else the role's scope; narrowed for partners. Super permission puts
 * every company in the place of a named scope, and opens the conditions of a filter in every company; nobody else leaves
 * the own company, whatever a grant, a role or a person's row says.
 */
export function rowAccess(
  resource: Resource,
  subject: Subject,
  asked: {
    readonly rows: Filter | RowScope | undefined;
    readonly roleScope: string;
    readonly catalog: Pick<Catalog, 'resources'>;
  },
): RowAccess {
  if (subject.kind === 'partner') return partnerRows(resource, asked);
  const companies = subject.super_permission ? 'all' : 'own';
  if (typeof asked.rows === 'object') return { rows: asked.rows, companies };
  if (subject.super_permission) return { rows: {}, companies };
  // Records without an owner are base data of the company: a personal scope of the role does not close them.
  const scope = asked.rows ?? (hasOwner(resource) ? asRowScope(asked.roleScope) : 'company');
  return SCOPE_ROWS[overriddenScope(resource, subject, scope)](resource, subject);
}

/** Joins the rows of several grants by or; a grant for the own company stays there when another opens all. */
export function joinRows(grants: readonly RowAccess[]): RowAccess {
  const companies = grants.some((grant) => grant.companies === 'all' && grant.rows !== null) ? 'all' : 'own';
  const filters: Filter[] = [];
  for (const grant of grants) {
    if (grant.rows === null) continue;
    const isNarrower = companies === 'all' && grant.companies === 'own';
    const own: Filter = { co_code: { eq: { $: 'user.co_code' } } };
    const rows = isNarrower ? joinAnd(own, grant.rows) : grant.rows;
    if (isEverything(rows)) return { rows: {}, companies };
    if (!filters.some((filter) => JSON.stringify(filter) === JSON.stringify(rows))) filters.push(rows);
  }
  const [first, ...others] = filters;
  if (first === undefined) return { rows: null, companies };
  return { rows: others.length === 0 ? first : { or: filters }, companies };
}

/** True when every row that `inner` opens is opened by `outer` too, as far as can be told without looking at rows. */
export function coversRows(outer: RowAccess, inner: RowAccess): boolean {
  if (inner.rows === null) return true;
  if (outer.rows === null || (outer.companies === 'own' && inner.companies === 'all')) return false;
  return isEverything(outer.rows) || JSON.stringify(outer.rows) === JSON.stringify(inner.rows);
}

/** The path from a record to the partner it belongs to, as declared, else found; null when there is none. */
export function partnerPath(resource: Resource, catalog: Pick<Catalog, 'resources'>): string | null {
  if (resource.partnerPath !== undefined) return resource.partnerPath;
  if (resource.fields['partner_id']?.type === 'reference') return 'partner_id';
  for (const name of PARTNER_PATHS) {
    const target = resource.fields[name]?.to;
    if (typeof target !== 'string') continue;
    if (target === 'partner') return name;
    const beyond = catalog.resources[target.split('.')[0] ?? ''];
    if (beyond?.fields['partner_id'] !== undefined) return `${name}.partner_id`;
  }
  return null;
}

/** The same, for the partners themselves too: whose row it is by its own id. */
export function ownerPartnerPath(resource: Resource, catalog: Pick<Catalog, 'resources'>): string | null {
  return resource.resource === 'partner' ? 'id' : partnerPath(resource, catalog);
}

function partnerRows(
  resource: Resource,
  {
    rows,
    catalog,
  }: { readonly rows: Filter | RowScope | undefined; readonly catalog: Pick<Catalog, 'resources'> },
): RowAccess {
  const own: Filter = {};
  const path = ownerPartnerPath(resource, catalog);
  const limit: Filter =
    path === null
      ? own
      : joinAnd({ [path]: { eq: { $: 'user.partner_id' } } }, path === 'id' ? {} : handedIn(resource));
  if (typeof rows === 'object') return { rows: joinAnd(limit, rows), companies: 'own' };
  // Base data has no owner; anything else that cannot be traced to a partner stays closed.
  if (path === null) return { rows: resource.scope === 'global' ? {} : null, companies: 'own' };
  return { rows: limit, companies: 'own' };
}

/** What the house is still writing is its own: its drafts, and what it sent back to itself. */
function handedIn(resource: Resource): Filter {
  const states = statesOfWriting(resource);
  if (states.length === 0 || resource.fields['created_by'] === undefined) return {};
  // What customers write carries no person of the house.
  return { or: [{ status: { nin: states } }, { created_by: { null: true } }] };
}

/** States open to every change in which a document begins, or from which something is submitted for approval. */
function statesOfWriting({ kind, lifecycle }: Resource): readonly string[] {
  if (lifecycle === undefined) return [];
  const submitted = Object.values(lifecycle.actions).flatMap(({ approval, from }) =>
    approval === undefined ? [] : from,
  );
  const first = kind === 'document' ? [lifecycle.initial] : [];
  return [...new Set([...first, ...submitted])].filter((state) => lifecycle.states[state]?.edit === '*');
}

const SCOPE_ROWS = {
  all: () => ({ rows: {}, companies: 'own' }),
  company: () => ({ rows: {}, companies: 'own' }),
  partner: () => ({ rows: null, companies: 'own' }),
  dept: (resource) => ({
    rows: departmentRows(resource, { eq: { $: 'user.dept_code' } }),
    companies: 'own',
  }),
  dept_tree: (resource) => ({
    rows: departmentRows(resource, { in: { $: 'user.dept_codes' } }),
    companies: 'own',
  }),
  target: (resource, subject) => ({ rows: targetRows(resource, subject), companies: 'own' }),
  own: (resource) => ({ rows: ownRows(resource), companies: 'own' }),
} as const satisfies Record<RowScope, (resource: Resource, subject: Subject) => RowAccess>;

function ownRows(resource: Resource): Filter {
  const created: Filter = { created_by: { eq: { $: 'user.id' } } };
  if (resource.resource === 'person') return { id: { eq: { $: 'user.id' } } };
  if (!hasOwner(resource)) return resource.fields['created_by'] === undefined ? {} : created;
  return { or: [{ sales_id: { eq: { $: 'user.id' } } }, created] };
}

/** A chosen service target narrows to its records; otherwise the own ones and those of every target. */
function targetRows(resource: Resource, subject: Subject): Filter {
  if (!hasOwner(resource)) return ownRows(resource);
  const targets: Filter = { sales_id: { in: { $: 'user.sales_ids' } } };
  const isNarrowed = !subject.sales_ids.includes(subject.id);
  return isNarrowed ? targets : { or: [targets, { created_by: { eq: { $: 'user.id' } } }] };
}

function departmentRows(
  resource: Resource,
  comparison: NonNullable<Exclude<Filter[string], readonly Filter[]>>,
): Filter {
  return resource.fields['dept_code'] === undefined ? {} : { dept_code: comparison };
}

function overriddenScope(resource: Resource, subject: Subject, scope: RowScope): RowScope {
  const override = subject.scope_override;
  return override === null || override === '' || !hasOwner(resource) ? scope : asRowScope(override);
}

function asRowScope(text: string): RowScope {
  return ROW_SCOPES.find((scope) => scope === text) ?? 'own';
}

function hasOwner(resource: Resource): boolean {
  return resource.fields['sales_id'] !== undefined;
}

function joinAnd(first: Filter, second: Filter): Filter {
  if (isEverything(first)) return second;
  return isEverything(second) ? first : { and: [first, second] };
}

function isEverything(filter: Filter): boolean {
  return Object.keys(filter).length === 0;
}
