import { digitsOf } from '#engine/fields/decimal-value.ts';
import { filterToSql, type SqlEnv } from '#engine/filter/filter-to-sql.ts';
import type { RollupDefinition } from '#engine/schema/definition.ts';
import type { Catalog, Resource } from '#engine/schema/resource.ts';
import { quoteName } from '#server/records/call/statement.ts';
import { isStored, linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import { type RollupField, rollupFieldsOf } from '#server/records/derive/rollup-fields.ts';
import type { BrokenSql, Invariant } from './check-invariants.ts';

/**
 * Every figure that a record keeps over others equals what it is over (flows INV-24). Left out: what is frozen, which says
 * how it was; what is looked up by several fields or for the day, which is taken anew when the record is written; and
 * averages, which are rounded more than once.
 */
export function figureInvariants(catalog: Catalog): readonly Invariant[] {
  return Object.values(catalog.resources)
    .filter((resource) => isStored(resource))
    .flatMap((resource) =>
      rollupFieldsOf(resource).flatMap((figure) => {
        const broken = brokenSql(figure, catalog);
        if (broken === null) return [];
        return [
          { code: 'INV-24', title: `${figure.field.title}等于重新计算的结果`, of: resource.resource, broken },
        ];
      }),
    );
}

function brokenSql(figure: RollupField, catalog: Catalog): BrokenSql | null {
  const { owner, lines, field, rollup } = figure;
  const source = catalog.resources[rollup.of.split('.')[0] ?? ''];
  const isOfDay = /"[=$]"/.test(JSON.stringify(rollup.where ?? {}));
  if (source === undefined || typeof rollup.by !== 'string' || rollup.avg !== undefined) return null;
  if (field.frozen !== undefined || isOfDay || !isStored(source)) return null;
  const own = lines === null ? 't' : 'l';
  const kept = `${own}.${quoteName(field.name)}`;
  return ({ context, values }) => {
    const sum = sumSql({ rollup, source, owner: own }, { resource: source, catalog, context, values });
    const differs =
      rollup.sum === undefined && rollup.count === undefined
        ? `${kept} is distinct from (${sum})`
        : `coalesce(${kept}, 0) <> round(coalesce((${sum}), 0)::numeric, ${scaleOf(figure)})`;
    if (lines === null) return differs;
    return `exists (select 1 from ${linesTableOf(owner, lines)} l where l.co_code = t.co_code and l.parent_id = t.id and ${differs})`;
  };
}

/** What the figure should be: over the rows `s`, whose head is `p` where they are lines. */
function sumSql(
  {
    rollup,
    source,
    owner,
  }: { readonly rollup: RollupDefinition; readonly source: Resource; readonly owner: string },
  env: Omit<SqlEnv, 'alias'>,
): string {
  const [, lines] = rollup.of.split('.');
  const head = lines === undefined ? 's' : 'p';
  const column = (path: string): string =>
    path.startsWith('parent.')
      ? `${head}.${quoteName(path.slice('parent.'.length))}`
      : `s.${quoteName(path)}`;
  const from =
    lines === undefined
      ? `${tableOf(source)} s`
      : `${linesTableOf(source, lines)} s join ${tableOf(source)} p on p.id = s.parent_id`;
  const { where } = rollup;
  const conditions = [`${column(String(rollup.by))} = ${owner}.id`, `${head}.is_deleted = false`];
  if (source.scope === 'company') conditions.push(`s.co_code = t.co_code`);
  if (lines !== undefined && source.scope === 'company') conditions.push('p.co_code = t.co_code');
  if (where !== undefined)
    conditions.push(
      `(${filterToSql(where, { ...env, alias: 's', ...(lines === undefined ? {} : { lines, parentAlias: 'p' }) })})`,
    );
  return `select ${aggregateOf(rollup, column)} from ${from} where ${conditions.join(' and ')}`;
}

function aggregateOf(rollup: RollupDefinition, column: (path: string) => string): string {
  for (const name of ['sum', 'max', 'min'] as const) {
    const path = rollup[name];
    if (path !== undefined) return `${name}(${column(path)})`;
  }
  return 'count(*)';
}

function scaleOf({ field }: RollupField): number {
  return field.type === 'integer' ? 0 : digitsOf(field).scale;
}
