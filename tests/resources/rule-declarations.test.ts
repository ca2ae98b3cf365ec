import { describe, expect, it } from 'vitest';
import { targetPlace } from '#engine/schema/field-path.ts';
import { OPERATION_WRITES } from '#server/business/operation-writes.ts';
import { RULE_SETS } from '#server/business/rules/all-rules.ts';
import type { Declaration } from '#server/records/rules/rule-registry.ts';
import type { Catalog } from '#engine/schema/resource.ts';
import { shippedDefinitions } from './shipped-definitions.ts';

const rules = RULE_SETS.flatMap(
  ({ checks = {}, effects = {} }): readonly (readonly [string, Declaration])[] => [
    ...Object.entries(checks),
    ...Object.entries(effects),
  ],
);

/** What a declared name speaks of, or why it speaks of nothing. */
function faultOf(catalog: Catalog, name: string): string | null {
  const [, place = '', mark = '', rest = ''] = /^([a-z_*]+)([.!])(.+)$/.exec(name) ?? [];
  const resources = place === '*' ? Object.values(catalog.resources) : [catalog.resources[place]];
  const isKnown = resources.some((resource) => {
    if (resource === undefined) return false;
    if (mark === '!') return resource.lifecycle?.actions[rest] !== undefined;
    if (rest === '*') return true;
    if (rest.startsWith('status:')) return resource.lifecycle?.states[rest.slice(7)] !== undefined;
    const [head = '', column] = rest.split('.');
    if (column === undefined) return resource.fields[head] !== undefined;
    return (
      targetPlace(`${resource.resource}.${head}`, catalog) !== null &&
      resource.fields[head]?.fields?.[column] !== undefined
    );
  });
  return isKnown ? null : `"${name}" is nothing of the catalog`;
}

describe('named rules', () => {
  const { catalog } = shippedDefinitions();
  if (catalog === null) throw new Error('resources/ has faults');

  it.each(rules)('%s declares what there is, and why it is code', (_name, { reads, writes = [], why }) => {
    expect(
      [...reads, ...writes].map((name) => faultOf(catalog, name)).filter((fault) => fault !== null),
    ).toEqual([]);
    expect(why.length).toBeGreaterThan(10);
  });

  it('are each named by a definition', () => {
    const named = new Set(JSON.stringify(catalog).match(/"[a-z_]+"/g));
    expect(rules.map(([name]) => name).filter((name) => !named.has(`"${name}"`))).toEqual([]);
  });

  it('and operations declare what there is', () => {
    expect(OPERATION_WRITES.map((name) => faultOf(catalog, name)).filter((fault) => fault !== null)).toEqual(
      [],
    );
  });
});
