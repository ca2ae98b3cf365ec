import type { ValueDefinitions } from '../schema/effects-definition.ts';
import type { Catalog, Resource } from '../schema/resource.ts';

/** A named key of an account resource: `@general`, or `@fund_pool.general` where two resources have the name. */
export interface AccountName {
  readonly resource: Resource;
  readonly values: ValueDefinitions;
}

type Accounts = Pick<Catalog, 'resources' | 'declaring'>;

/** The account resource and key that a name stands for; null for what is no name, unknown, or not clear. */
export function accountNamed(name: string, catalog: Accounts): AccountName | null {
  const [found, ...more] = accountsNamed(name, catalog);
  return found === undefined || more.length > 0 ? null : found;
}

/** All that a name may stand for. */
export function accountsNamed(name: string, catalog: Accounts): readonly AccountName[] {
  if (!name.startsWith('@')) return [];
  const parts = name.slice(1).split('.');
  const key = parts.at(-1) ?? '';
  const owner = parts.length > 1 ? parts[0] : undefined;
  return accountOwners(catalog).flatMap((resource) => {
    const keys = resource.account?.keys ?? {};
    const values = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (values === undefined || (owner !== undefined && resource.resource !== owner)) return [];
    return [{ resource, values }];
  });
}

/** Every named key, as it is written. */
export function accountNames(catalog: Accounts): readonly string[] {
  return accountOwners(catalog).flatMap((resource) =>
    Object.keys(resource.account?.keys ?? {}).flatMap((key) => [`@${key}`, `@${resource.resource}.${key}`]),
  );
}

/** The resources that declare accounts, and no others: whoever asks depends on these only. */
function accountOwners({ resources, declaring }: Accounts): readonly Resource[] {
  return declaring === undefined
    ? Object.values(resources)
    : declaring.accounts.flatMap((name) => resources[name] ?? []);
}
