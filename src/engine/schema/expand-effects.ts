import type { ResourceDefinition } from './definition.ts';
import type { Resource } from './resource.ts';

type Effects = Pick<
  Resource,
  'limits' | 'makes' | 'then' | 'blockers' | 'exclude' | 'postings' | 'holds' | 'vouchers'
> &
  Partial<
    Pick<
      Resource,
      'tree' | 'amendment' | 'secondPerson' | 'ledger' | 'account' | 'everyEntry' | 'voucherBook'
    >
  >;

/** What a resource does to others, with nothing left out: absent lists are empty. */
export function expandEffects(definition: ResourceDefinition): Effects {
  const { then, tree, amendment, secondPerson, ledger, account, everyEntry, voucherBook } = definition;
  return {
    limits: definition.limits ?? [],
    makes: definition.makes ?? {},
    then: {
      create: then?.create ?? [],
      update: then?.update ?? [],
      save: then?.save ?? [],
      delete: then?.delete ?? [],
    },
    blockers: definition.blockers ?? [],
    exclude: definition.exclude ?? [],
    ...(tree === undefined ? {} : { tree }),
    ...(amendment === undefined ? {} : { amendment }),
    ...(secondPerson === undefined ? {} : { secondPerson }),
    ...(ledger === undefined ? {} : { ledger }),
    ...(account === undefined ? {} : { account }),
    postings: definition.postings ?? [],
    ...(everyEntry === undefined ? {} : { everyEntry }),
    holds: definition.holds ?? [],
    vouchers: definition.vouchers ?? [],
    ...(voucherBook === undefined ? {} : { voucherBook }),
  };
}
