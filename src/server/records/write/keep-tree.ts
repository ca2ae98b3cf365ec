import { lockName } from '#server/kernel/db/lock-name.ts';
import type { TreeDefinition } from '#engine/schema/effects-definition.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { quoteName, type Tx } from '#server/records/call/statement.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { readStored } from '#server/records/read/read-stored.ts';

/** A record on its way into the database, and what it was; null for a new one. */
interface Placed {
  readonly before: OpenRecord | null;
  readonly after: OpenRecord;
}

/** So deep is looked, whatever a file allows. */
const DEEPEST = 100;

/**
 * Puts a record of a tree into its place: refuses circles and what is deeper than the tree may be, and sets path and depth
 * of `after`. Who moves a branch holds the tree until the transaction ends, so that two moves never close a circle.
 */
export async function placeInTree(tx: Tx, call: Call, { before, after }: Placed): Promise<void> {
  const { tree, label } = call.resource;
  if (tree === undefined) return;
  const hasMoved = (before?.[tree.parent] ?? null) !== (after[tree.parent] ?? null);
  if (before !== null && !hasMoved && before[label] === after[label]) return;
  await lockName(tx, `tree ${call.resource.resource}`);
  const above = await recordsAbove(tx, call, tree, after[tree.parent]);
  const title = call.resource.fields[tree.parent]?.title ?? '';
  if (above.some(({ id }) => id === after['id']))
    throw refusal(tree, 'circle', `${title}不能是本${call.resource.title}或其下级`);
  const depth = above.length + 1;
  const below =
    before === null || tree.max === undefined ? 0 : await heightBelow(tx, call, tree, after['id']);
  if (tree.max !== undefined && depth + below > tree.max)
    throw refusal(tree, 'too_deep', `${call.resource.title}最多${tree.max}级`);
  if (tree.path !== undefined)
    after[tree.path] = [...above.map(({ name }) => name).toReversed(), String(after[label] ?? '')].join('/');
  if (tree.depth !== undefined) after[tree.depth] = depth;
}

/** The records right below those whose path or depth changed, read under a lock, with the place that they have now. */
export async function recordsThatFollow(
  tx: Tx,
  call: Call,
  changes: readonly Placed[],
): Promise<readonly { readonly before: OpenRecord; readonly after: OpenRecord }[]> {
  const { tree, label, resource: key } = call.resource;
  if (tree === undefined) return [];
  const following: { before: OpenRecord; after: OpenRecord }[] = [];
  for (const { before: was, after: parent } of changes) {
    const kept = [tree.path, tree.depth].filter((name) => name !== undefined);
    if (was === null || kept.every((name) => was[name] === parent[name])) continue;
    const rows = await tx.query<{ id: string }>(
      `select id from ${quoteName(key)} where ${quoteName(tree.parent)} = $1::uuid and not is_deleted order by id`,
      [parent['id']],
    );
    for (const { id } of rows) {
      const before = await readStored(tx, everywhere(call), id, { isLocking: true });
      if (before === null) continue;
      const after: OpenRecord = { ...before };
      if (tree.path !== undefined)
        after[tree.path] = `${String(parent[tree.path])}/${String(before[label] ?? '')}`;
      if (tree.depth !== undefined) after[tree.depth] = Number(parent[tree.depth]) + 1;
      following.push({ before, after });
    }
  }
  return following;
}

function refusal(tree: TreeDefinition, code: string, message: string): AppError {
  return new AppError('RULE_REFUSED', { message, problems: [{ path: tree.parent, code, message }] });
}

/** A branch may hold records that the caller does not see. */
function everywhere(call: Call): Call {
  return { ...call, access: { ...call.access, rows: {}, companies: 'all' } };
}

/** The parent, its parent and so on, the nearest first. */
async function recordsAbove(
  tx: Tx,
  { resource }: Call,
  tree: TreeDefinition,
  parent: unknown,
): Promise<readonly { readonly id: string; readonly name: string | null }[]> {
  if (parent === null || parent === undefined) return [];
  const [table, up, label] = [resource.resource, tree.parent, resource.label].map(quoteName);
  return tx.query<{ id: string; name: string | null }>(
    `with recursive above as (
       select id, ${up} as up, ${label}::text as name, 1 as depth from ${table} where id = $1::uuid
       union all select t.id, t.${up}, t.${label}::text, a.depth + 1 from ${table} t join above a on t.id = a.up where a.depth < ${DEEPEST})
     select id, name from above order by depth`,
    [parent],
  );
}

/** How many levels lie below a record. */
async function heightBelow(tx: Tx, { resource }: Call, tree: TreeDefinition, id: unknown): Promise<number> {
  const [table, up] = [resource.resource, tree.parent].map(quoteName);
  const [row] = await tx.query<{ height: number }>(
    `with recursive below as (
       select id, 0 as depth from ${table} where id = $1::uuid
       union all select t.id, b.depth + 1 from ${table} t join below b on t.${up} = b.id where not t.is_deleted and b.depth < ${DEEPEST})
     select max(depth)::int as height from below`,
    [id],
  );
  return row?.height ?? 0;
}
