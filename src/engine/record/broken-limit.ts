import type { Filter, FilterValue } from '../schema/definition.ts';

/** What a comparison with an empty side never is, so that what is empty passes here too. */
const OPPOSITES = { lt: 'gte', lte: 'gt', gt: 'lte', gte: 'lt', eq: 'ne' } as const;

/** An assertion that has no opposite as a filter. */
export class NoOpposite extends Error {
  override readonly name = 'NoOpposite';
}

/**
 * The records that break an assertion, as a filter: what `assertionHolds` refuses, so that a query finds them.
 * @throws NoOpposite for comparisons other than of order and equality
 */
export function brokenFilter(assert: Filter): Filter {
  const parts = Object.entries(assert).flatMap(([key, part]): readonly Filter[] => {
    if (part === undefined) return [];
    if (isFilterList(part)) return [{ [key === 'or' ? 'and' : 'or']: part.map(brokenFilter) }];
    return Object.entries(part).map(([operator, value]) => brokenComparison(key, operator, value));
  });
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { or: parts };
}

function brokenComparison(field: string, operator: string, value: FilterValue | undefined): Filter {
  const opposite = Object.entries(OPPOSITES).find(([name]) => name === operator)?.[1];
  if (opposite === undefined || value === undefined) throw new NoOpposite(`${field} ${operator}`);
  if (opposite !== 'ne') return { [field]: { [opposite]: value } };
  // A computed side may be empty, and then it is in no order with anything.
  if (typeof value === 'object') return { or: [{ [field]: { lt: value } }, { [field]: { gt: value } }] };
  return { and: [{ [field]: { null: false } }, { [field]: { ne: value } }] };
}

function isFilterList(part: Filter[string]): part is readonly Filter[] {
  return Array.isArray(part);
}
