import { among } from '#server/kernel/db/among.ts';
import type { ResourceAccess } from '#engine/access/resource-access.ts';
import { targetPlace } from '#engine/schema/field-path.ts';
import type { Catalog, Resource } from '#engine/schema/resource.ts';
import { accessTo, type Call, isSystemCall } from '#server/records/call/open-call.ts';
import { bind, quoteName } from '#server/records/call/statement.ts';
import { watchedContext } from '#server/records/call/written-once.ts';
import { openRows } from './reader-eyes.ts';
import type { ReferenceNeed } from './reference-book.ts';
import { selectionOf } from './reference-selection.ts';
import type { LoadedNeed } from './remembered-rows.ts';

/** A statement that loads what is needed, and what its parts load. */
export interface Loads {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly loads: readonly LoadedNeed[];
}

/**
 * Writes the statement that loads some needs, steps behind them included; without any need it has no parts. The text is
 * the same for the same needs of the same person on the same day as long as the rights stay: ten thousand letters that
 * are put together and looked up once.
 */
export function writeLoads(
  catalog: Pick<Catalog, 'resources'>,
  needs: readonly ReferenceNeed[],
  asked: { readonly companies: readonly string[]; readonly reader?: Call },
): Loads {
  const { reader } = asked;
  if (needs.length === 0 || (reader !== undefined && isSystemCall(reader)))
    return write(catalog, needs, asked);
  const who = reader === undefined ? catalog.resources : reader.caller.subject;
  const byShape = written.get(who) ?? new Map<string, Written>();
  written.set(who, byShape);
  const shape = `${reader?.caller.context.today ?? ''} ${needs.map(shapeOf).join(' ')}`;
  const before = byShape.get(shape);
  if (before !== undefined && before.resources === catalog.resources && isStillGranted(before, reader))
    return fillIn(before, needs, asked.companies);
  const { made, isKept } = watched(asked, (watching) => write(catalog, needs, watching));
  if (!isKept) return made;
  if (byShape.size >= (reader === undefined ? MAX_WRITTEN_FOR_RULES : MAX_WRITTEN)) byShape.clear();
  byShape.set(shape, toKeep(made, catalog, reader));
  return made;
}

function watched<A extends { readonly reader?: Call }, R>(
  asked: A,
  work: (asked: A) => R,
): { readonly made: R; readonly isKept: boolean } {
  const { reader } = asked;
  if (reader === undefined) return { made: work(asked), isKept: true };
  const { context, isKept } = watchedContext(reader.caller.context);
  const made = work({ ...asked, reader: { ...reader, caller: { ...reader.caller, context } } });
  return { made, isKept: isKept() };
}

const MAX_WRITTEN = 200;
/** Rules read everybody's documents, each with other references filled in. */
const MAX_WRITTEN_FOR_RULES = 1_000;
/** By who reads; what nobody in particular reads by the catalog. */
const written = new WeakMap<object, Map<string, Written>>();

interface Written {
  readonly resources: Catalog['resources'];
  readonly text: string;
  /** With nothing where the ids of a need go. */
  readonly values: readonly unknown[];
  /** By need: where its ids go. */
  readonly idsAt: ReadonlyMap<number, number>;
  readonly parts: readonly {
    /** Which need, and the columns from it to this step. */
    readonly index: number;
    readonly steps: readonly string[];
    readonly load: Pick<LoadedNeed, 'text' | 'fields' | 'isStep'>;
  }[];
  /** What the reader may do with the targets: another grant is another statement. */
  readonly grants: readonly (readonly [Resource, ResourceAccess])[];
}

/** All of a need that the text depends on. */
function shapeOf({ target, isAnyCompany, columns, steps }: ReferenceNeed): string {
  let shape = `${target}${isAnyCompany ? '*' : ''}(${[...columns].join()}`;
  for (const [column, step] of steps) shape += `,${column}>${shapeOf(step)}`;
  return `${shape})`;
}

function isStillGranted({ grants }: Written, reader: Call | undefined): boolean {
  return (
    reader === undefined ||
    grants.every(
      ([resource, access]) => accessTo(reader.services, reader.caller.subject, resource) === access,
    )
  );
}

function fillIn(
  { text, values: kept, idsAt, parts }: Written,
  needs: readonly ReferenceNeed[],
  companies: readonly string[],
): Loads {
  const values = [...kept];
  values[0] = companies;
  for (const [index, at] of idsAt) values[at] = [...(needs[index]?.ids ?? [])];
  const loads: LoadedNeed[] = [];
  for (const { index, steps, load } of parts) {
    let need = needs[index];
    for (const column of steps) need = need?.steps.get(column);
    if (need !== undefined)
      loads.push({ need, text: load.text, fields: load.fields, isStep: load.isStep, rows: new Map() });
  }
  return { text, values, loads };
}

function toKeep(
  { text, values, parts, idsAt }: FreshLoads,
  catalog: Pick<Catalog, 'resources'>,
  reader: Call | undefined,
): Written {
  const places = new Set(idsAt.values());
  const resources = new Set(
    parts.flatMap(({ load }) => {
      const [target = ''] = load.need.target.split('@');
      return targetPlace(target, catalog)?.resource ?? [];
    }),
  );
  return {
    resources: catalog.resources,
    text,
    values: values.map((value, at) => (at === 0 || places.has(at) ? null : value)),
    idsAt,
    parts: parts.map(({ index, steps, load: { text: part, fields, isStep } }) => ({
      index,
      steps,
      load: { text: part, fields, isStep },
    })),
    grants:
      reader === undefined
        ? []
        : [...resources].map((resource) => [
            resource,
            accessTo(reader.services, reader.caller.subject, resource),
          ]),
  };
}

/** A need put into SQL, or a step behind one. */
interface Part {
  readonly index: number;
  readonly steps: readonly string[];
  readonly load: LoadedNeed;
}

interface FreshLoads extends Loads {
  readonly parts: readonly Part[];
  readonly idsAt: ReadonlyMap<number, number>;
}

function write(
  catalog: Pick<Catalog, 'resources'>,
  needs: readonly ReferenceNeed[],
  { companies, reader }: { readonly companies: readonly string[]; readonly reader?: Call },
): FreshLoads {
  const values: unknown[] = [companies];
  const parts: Part[] = [];
  const idsAt = new Map<number, number>();
  for (const [index, need] of needs.entries()) {
    const at = values.length;
    const own = partsOf(catalog, { need, values, reader, index, from: parts.length, steps: [] });
    if (own.length > 0) idsAt.set(index, at);
    parts.push(...own);
  }
  const texts = parts.map(({ load }) => load.text);
  // PostgreSQL refuses a parameter that no part uses.
  const end = texts.some((text) => text.includes(OF_COMPANIES)) ? '' : UNUSED_COMPANIES;
  return {
    text: `${texts.join(' union all ')}${end}`,
    values,
    loads: parts.map(({ load }) => load),
    parts,
    idsAt,
  };
}

const OF_COMPANIES = `co_code = ${among('$1', 'text')}`;
const UNUSED_COMPANIES = ' union all select null, null, null where false and $1::text[] is null';

/** The part of the statement that loads a need, and those of the steps behind it. */
function partsOf(
  catalog: Pick<Catalog, 'resources'>,
  asked: Pick<Part, 'index' | 'steps'> & {
    readonly need: ReferenceNeed;
    readonly values: unknown[];
    readonly reader: Call | undefined;
    /** How many parts stand before it. */
    readonly from: number;
    /** Of a step: `any` over its ids. */
    readonly ids?: string;
  },
): readonly Part[] {
  const { need, values, reader, from, index, steps } = asked;
  const found = selectionOf(catalog, need);
  if (found === null) return [];
  const { target, fields, isByValue, head, columns, table, key } = found;
  const ids = asked.ids ?? among(bind(values, [...need.ids]), key.type);
  const company = (alias: string): string =>
    found.isScoped && !need.isAnyCompany ? ` and ${alias}.${OF_COMPANIES}` : '';
  const isClosable = reader !== undefined && !isByValue;
  const open = isClosable
    ? `, coalesce(${openRows(reader, target, { alias: 't', values, isAnyCompany: need.isAnyCompany })}, false) as _open`
    : '';
  const text = `select ${from} as part, ${head}${open}${columns} from ${table} t where t.${key.column} = ${ids}${company('t')}) x`;
  const load = { need, text, rows: new Map(), fields, isStep: asked.ids !== undefined };
  const parts: Part[] = [{ index, steps, load }];
  for (const [column, step] of need.steps) {
    if (fields.every((field) => field.name !== column)) continue;
    const next = `any(array(select s.${quoteName(column)} from ${table} s where s.${key.column} = ${ids}${company('s')}))`;
    const behind = { need: step, values, reader, index, from: from + parts.length, ids: next };
    parts.push(...partsOf(catalog, { ...behind, steps: [...steps, column] }));
  }
  return parts;
}
