import { fieldPaths, taintHidden } from '#engine/access/hidden-fields.ts';
import type { Field, FieldProblem } from '#engine/schema/resource.ts';
import { type Attached, linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { isMade } from '#server/records/pick/made-values.ts';
import type { Call } from '#server/records/call/open-call.ts';

/** A reference that was sent to a record which the caller may neither read nor pick. */
export interface ForeignReference {
  /** Where it stood in the record: `buyer_id`, `items.0.goods_id`. */
  readonly path: string;
  readonly field: Field;
  readonly value: unknown;
}

/**
 * Takes references out of a record that its writer set and may not set: before anything is filled, computed or judged,
 * so that neither a value nor a message tells of what lies behind them. What stood there before stays.
 */
export function takeOutForeign(
  call: Call,
  attached: Attached,
  written: { readonly record: OpenRecord; readonly previous: OpenRecord | null },
): readonly ForeignReference[] {
  const { record, previous } = written;
  const taken: ForeignReference[] = [];
  const take = (
    fields: Fields,
    holder: OpenRecord,
    at: { before: OpenRecord | null; prefix: string },
  ): void => {
    for (const name of attached.foreign.get(holder) ?? []) {
      const field = fields[name];
      const value = holder[name];
      const isOwn = at.before !== null && JSON.stringify(at.before[name]) === JSON.stringify(value);
      if (
        field === undefined ||
        isOwn ||
        isMade(holder, name) ||
        field.find !== undefined ||
        (field.standard && field.computed)
      )
        continue;
      taken.push({ path: `${at.prefix}${name}`, field, value });
      forget(holder, name);
    }
  };
  take(call.resource.fields, record, { before: previous, prefix: '' });
  for (const lines of Object.values(call.resource.fields)) {
    if (lines.type !== 'lines') continue;
    const before = new Map(linesOf(previous?.[lines.name]).map((line) => [line['id'], line]));
    for (const [index, line] of linesOf(record[lines.name]).entries())
      take(lines.fields ?? {}, line, {
        before: before.get(line['id']) ?? null,
        prefix: `${lines.name}.${index}.`,
      });
  }
  return taken;
}

/** The refusals of what was taken out: as of a record that does not exist. */
export function foreignProblems(foreign: readonly ForeignReference[]): readonly FieldProblem[] {
  return foreign.map(({ path, field }) => ({
    path,
    code: 'reference',
    message: `${field.title}不存在或不可选用`,
  }));
}

/** Puts the ids back where they stood, for a form that shows what was typed. */
export function putBack(record: OpenRecord, foreign: readonly ForeignReference[]): void {
  for (const { path, field, value } of foreign) {
    const [head = '', index] = path.split('.');
    const holder = index === undefined ? record : linesOf(record[head])[Number(index)];
    if (holder !== undefined) holder[field.name] = value;
  }
}

/**
 * A stored record may refer to what its reader does not see. What is worked out through such a reference is shown as it
 * was stored: worked out anew it would tell of the record behind as it is now.
 */
export function keepBehindForeign(
  call: Call,
  attached: Attached,
  { record, current }: { readonly record: OpenRecord; readonly current: OpenRecord },
): void {
  const keep = (holder: OpenRecord, before: OpenRecord | undefined, prefix: string): void => {
    for (const path of throughForeign(call, attached.foreign.get(holder), prefix)) {
      const name = path.slice(prefix.length);
      if (path.startsWith(prefix) && !name.includes('.')) holder[name] = before?.[name] ?? null;
      else if (!path.includes('.')) record[path] = current[path] ?? null;
    }
  };
  keep(record, current, '');
  for (const { name } of Object.values(call.resource.fields).filter(({ type }) => type === 'lines')) {
    const before = new Map(linesOf(current[name]).map((line) => [line['id'], line]));
    for (const line of linesOf(record[name])) keep(line, before.get(line['id']), `${name}.`);
  }
}

/** Paths from the head of what formulas take through some references, and of what is taken from that in turn. */
function throughForeign(
  { resource, catalog }: Call,
  names: ReadonlySet<string> | undefined,
  prefix: string,
): readonly string[] {
  const references = [...(names ?? [])].map((name) => `${prefix}${name}`);
  if (references.length === 0) return [];
  const paths = fieldPaths(resource);
  const tainted = taintHidden(resource, new Set(references), { catalog, hiddenOf: () => NOTHING });
  return [...tainted].filter((path) => paths.get(path)?.formula !== undefined);
}

const NOTHING: ReadonlySet<string> = new Set();

type Fields = Readonly<Record<string, Field>>;

function forget(holder: OpenRecord, name: string): void {
  holder[name] = null;
  for (const key of ['_paths', '_labels']) {
    const known = holder[key];
    if (typeof known !== 'object' || known === null) continue;
    holder[key] = Object.fromEntries(
      Object.entries(known).filter(([path]) => path !== name && !path.startsWith(`${name}.`)),
    );
  }
}
