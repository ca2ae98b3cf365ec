import { among } from '#server/kernel/db/among.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { bind, quoteName, statementName, type Tx } from '#server/records/call/statement.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import { sameKeySql } from '#server/records/call/same-key.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { rollupBounds, type RollupField, rollupKeys } from './rollup-fields.ts';
import type { Change } from './refresh-rollups.ts';

/** Records of one resource whose figures moved. */
interface Touched {
  readonly owner: Resource;
  readonly heads: Set<string>;
  readonly fields: RollupField[];
}

/** The records that keep figures over changed ones, by resource, with the figures to be taken anew. */
export async function touchedOwners(
  tx: Tx,
  rollups: readonly RollupField[],
  changes: readonly Change[],
): Promise<ReadonlyMap<string, Touched>> {
  const touched = new Map<string, Touched>();
  for (const rollup of rollups) {
    const heads = await headsOf(tx, rollup, changes);
    if (heads.length === 0) continue;
    const entry = touched.get(rollup.owner.resource) ?? { owner: rollup.owner, heads: new Set(), fields: [] };
    for (const id of heads) entry.heads.add(id);
    entry.fields.push(rollup);
    touched.set(rollup.owner.resource, entry);
  }
  return touched;
}

/** The records whose figure a change concerns. */
async function headsOf(tx: Tx, rollup: RollupField, changes: readonly Change[]): Promise<readonly string[]> {
  if (typeof rollup.rollup.by !== 'string') return headsByKeys(tx, rollup, changes);
  const ids = affectedIds(rollup, changes);
  if (ids.length === 0 || rollup.lines === null) return ids;
  const text = `select distinct l.parent_id as id from ${linesTableOf(rollup.owner, rollup.lines)} l where l.id = ${among('$1')}`;
  const rows = await tx.query(text, [ids], statementName(text));
  return rows.map((row) => String(row['id']));
}

/** The rows of a changed record that a figure is over: the record, or its lines. */
function rowsOf({ rollup }: RollupField, record: OpenRecord | null): readonly OpenRecord[] {
  if (record === null) return [];
  const [, lines] = rollup.of.split('.');
  const isOfHead = lines === undefined || rollupKeys(rollup).every((key) => key.startsWith('parent.'));
  return isOfHead ? [record] : linesOf(record[lines]).map((line) => ({ ...line, _parent: record }));
}

function keyOf(row: OpenRecord, key: string): unknown {
  if (!key.startsWith('parent.')) return row[key];
  const parent = row['_parent'];
  const head = typeof parent === 'object' && parent !== null ? (parent as OpenRecord) : row;
  return head[key.slice('parent.'.length)];
}

function affectedIds(rollup: RollupField, changes: readonly Change[]): readonly string[] {
  const [key = ''] = rollupKeys(rollup.rollup);
  const ids = new Set<string>();
  for (const record of changes.flatMap(({ before, after }) => [before, after]))
    for (const row of rowsOf(rollup, record)) {
      const value = keyOf(row, key);
      if (typeof value === 'string') ids.add(value);
    }
  return [...ids];
}

/** Owners whose own fields equal those of the changed rows; a key that is computed cannot be looked up and is left to its owner's own writes. */
async function headsByKeys(
  tx: Tx,
  rollup: RollupField,
  changes: readonly Change[],
): Promise<readonly string[]> {
  const { owner, lines, field } = rollup;
  const by = typeof rollup.rollup.by === 'string' ? {} : rollup.rollup.by;
  const own = Object.entries(by).filter(([, path]) => /^(parent\.)?[a-z][a-z0-9_]*$/.test(path));
  const isOfOwnKind = rollup.rollup.of.split('.')[0] === owner.resource;
  const ids = new Set<string>();
  const asked = new Set<string>();
  for (const record of changes.flatMap(({ before, after }) => [before, after]))
    for (const row of rowsOf(rollup, record)) {
      // Records of one kind that add one another up: those without a key (yet) do not belong together.
      if (isOfOwnKind && own.length > 0 && own.every(([theirs]) => (keyOf(row, theirs) ?? null) === null))
        continue;
      const company = (record ?? row)['co_code'];
      const values: unknown[] = [];
      const conditions = own.map(([theirs, path]) => {
        const isHead = lines === null || path.startsWith('parent.');
        const name = path.replace(/^parent\./, '');
        const own = isHead ? owner.fields[name] : owner.fields[lines]?.fields?.[name];
        const column = `${isHead ? 't' : 'l'}.${quoteName(name)}`;
        return sameKeySql(column, { field: own, value: keyOf(row, theirs) }, values);
      });
      if (owner.scope === 'company' && typeof company === 'string')
        conditions.push(`t.co_code = ${bind(values, company)}`);
      // A figure that is fixed in all but a few states is taken for the records in these alone.
      if (field.frozen !== undefined)
        conditions.push(`t.status = any(${bind(values, [...field.frozen.open])})`);
      // Only days after a movement begin with another balance: what it cannot concern is not looked at.
      for (const { theirs, sign, own: bound } of rollupBounds(rollup.rollup))
        conditions.push(`${bind(values, keyOf(row, theirs) ?? null)} ${sign} t.${quoteName(bound)}`);
      const seen = JSON.stringify([conditions, values]);
      if (asked.has(seen)) continue;
      asked.add(seen);
      const from =
        lines === null
          ? `${tableOf(owner)} t`
          : `${tableOf(owner)} t join ${linesTableOf(owner, lines)} l on l.parent_id = t.id`;
      const text = `select distinct t.id from ${from} where not t.is_deleted and ${conditions.join(' and ')}`;
      for (const found of await tx.query(text, values, statementName(text))) ids.add(String(found['id']));
    }
  return [...ids];
}
