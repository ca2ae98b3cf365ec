import type { Resource } from '../schema/resource.ts';
import { operationsOf, withImplied } from './role-grants.ts';

/** What the file of a resource gives to a role, summed up for people. */
export interface ShippedGrant {
  readonly actions: readonly string[];
  readonly hidden_fields: readonly string[];
  readonly readonly_fields: readonly string[];
  /** Some of it holds only for certain rows, fields to write or lines: an overriding row cannot say that. Of customers it stays. */
  readonly isConditional: boolean;
}

/** The grants of one role in a file, without any overriding row. `isStaff`: grants to everybody (`*`) count too. */
export function shippedGrant(resource: Resource, role: string, isStaff: boolean): ShippedGrant {
  const grants = resource.access.filter((grant) => {
    const roles = typeof grant.role === 'string' ? [grant.role] : grant.role;
    return roles.includes(role) || (isStaff && roles.includes('*'));
  });
  const actions = grants.flatMap((grant) => [
    ...operationsOf(resource, { do: withImplied(resource, grant.do) }),
  ]);
  return {
    actions: [...new Set(actions)],
    hidden_fields: everywhere(grants.map((grant) => grant.hide ?? [])),
    readonly_fields: everywhere(grants.map((grant) => grant.readOnly ?? [])),
    isConditional:
      isStaff &&
      grants.some(
        (grant) => typeof grant.rows === 'object' || grant.write !== undefined || grant.lines !== undefined,
      ),
  };
}

/** The operations and actions of a resource that may be granted, in the order in which people read them. */
export function grantableOperations(resource: Resource): readonly string[] {
  const actions = Object.values(resource.lifecycle?.actions ?? {});
  const own = actions.filter((action) => action.system !== true).map((action) => action.key);
  const isApproved = actions.some((action) => action.approval !== undefined);
  const isWritten = !['view', 'ledger', 'log'].includes(resource.kind);
  const operations = [
    ...['list', 'read'],
    ...(isWritten ? ['create', 'update', 'delete', 'import'] : []),
    ...['export', 'print', 'name'],
    ...own.filter((key) => key === 'submit'),
    ...(isApproved ? ['withdraw', 'approve'] : []),
    ...own,
  ];
  return [...new Set(operations)];
}

/** What every one of the grants names. */
function everywhere(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  return first.filter((name) => others.every((list) => list.includes(name)));
}
