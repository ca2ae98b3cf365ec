import { type ResourceAccess, resourceAccess } from '#engine/access/resource-access.ts';
import type { AccessOverride } from '#engine/access/role-grants.ts';
import type { Catalog, Resource, Subject } from '#engine/schema/resource.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { partnersCatalog } from '#engine/schema/partners-words.ts';
import { currentCatalog, overridesOf } from './overrides.ts';
import { AppError } from '#server/kernel/errors.ts';

/** One request on one resource: who asks, what is asked about, and what that person may do with it. */
export interface Call {
  readonly services: Services;
  readonly caller: Caller;
  readonly catalog: Catalog;
  readonly resource: Resource;
  readonly access: ResourceAccess;
  /** Nobody looks at the answer: a write gives what it saved, without labels and states. */
  readonly isUnshown?: boolean;
  /** A second person has agreed to this write. */
  readonly isConfirmed?: boolean;
}

/** Opens a call; refuses an unknown resource (404) and an operation that the role does not have (403). */
export function openCall(services: Services, caller: Caller, key: string, operation: string): Call {
  const call = openAnyCall(services, caller, key);
  if (!call.access.operations.has(operation)) throw new AppError('FORBIDDEN');
  return call;
}

/** Opens a call without asking for an operation: for lookups, approvals and checks that look for themselves. */
export function openAnyCall(services: Services, caller: Caller, key: string): Call {
  const catalog = currentCatalog(services);
  return callOn(caller.subject.kind === 'partner' ? partnersCatalog(catalog) : catalog, {
    services,
    caller,
    key,
  });
}

function callOn(
  catalog: Catalog,
  { services, caller, key }: { readonly services: Services; readonly caller: Caller; readonly key: string },
): Call {
  const resource = Object.hasOwn(catalog.resources, key) ? catalog.resources[key] : undefined;
  if (resource === undefined) throw new AppError('UNKNOWN_RESOURCE');
  return { services, caller, catalog, resource, access: accessTo(services, caller.subject, resource) };
}

/** Access of a person to a resource, remembered as long as definitions and overrides stay. */
export function accessTo(services: Services, subject: Subject, resource: Resource): ResourceAccess {
  const catalog = currentCatalog(services);
  const { access: overrides } = overridesOf(services);
  const known = rememberedFor(catalog, overrides);
  const own = opened.get(subject);
  const before = own?.known === known ? own.byResource.get(resource) : undefined;
  if (before !== undefined) return before;
  const access = sharedAccess(known, { subject, resource, catalog, overrides });
  if (own?.known === known) own.byResource.set(resource, access);
  else opened.set(subject, { known, byResource: new Map([[resource, access]]) });
  return access;
}

/** What the subject of a session has been given already, under the definitions and overrides of `known`. */
const opened = new WeakMap<
  Subject,
  { readonly known: Known; readonly byResource: Map<Resource, ResourceAccess> }
>();

type Known = Map<string, ResourceAccess>;

/** People of one role share what they may do. */
function sharedAccess(
  known: Known,
  asked: {
    readonly subject: Subject;
    readonly resource: Resource;
    readonly catalog: Catalog;
    readonly overrides: readonly AccessOverride[];
  },
): ResourceAccess {
  const { subject, resource, catalog, overrides } = asked;
  const key = [
    resource.resource,
    subject.role_code,
    subject.kind,
    subject.super_permission,
    subject.scope_override,
    subject.mandates?.join(),
    subject.sales_ids.includes(subject.id),
  ].join('|');
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered;
  const access = resourceAccess(resource, subject, { catalog, overrides });
  known.set(key, access);
  return access;
}

/** A call of the system itself: every row and field of the company is open. Used by effects, never by routes. */
export function openSystemCall(services: Services, caller: Caller, key: string): Call {
  return { ...callOn(currentCatalog(services), { services, caller, key }), access: SYSTEM_ACCESS };
}

/** True for a call of the system itself: what no person may write it may. */
export function isSystemCall(call: Pick<Call, 'access'>): boolean {
  return call.access.operations === EVERYTHING;
}

const EVERYTHING: ReadonlySet<string> = new (class extends Set<string> {
  override has(): boolean {
    return true;
  }
})();
const NOTHING: ReadonlySet<string> = new Set<string>();

const SYSTEM_ACCESS: ResourceAccess = {
  role: '',
  operations: EVERYTHING,
  rows: {},
  companies: 'own',
  rowsByOperation: new Proxy({}, { get: () => ({ rows: {}, companies: 'own' }) }),
  hidden: NOTHING,
  hiddenPaths: NOTHING,
  readOnly: NOTHING,
  lines: {},
};

const remembered = new WeakMap<Catalog, WeakMap<readonly AccessOverride[], Known>>();

function rememberedFor(catalog: Catalog, overrides: readonly AccessOverride[]): Known {
  const byOverrides = remembered.get(catalog) ?? new WeakMap<readonly AccessOverride[], Known>();
  remembered.set(catalog, byOverrides);
  const known = byOverrides.get(overrides) ?? new Map<string, ResourceAccess>();
  byOverrides.set(overrides, known);
  return known;
}
