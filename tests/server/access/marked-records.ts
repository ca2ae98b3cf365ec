import { headColumns, lineColumns, linesOf } from '#server/kernel/db/table-columns.ts';
import { quoteName } from '#server/kernel/db/sql-identifiers.ts';
import { uuidv7 } from '#server/records/call/record-id.ts';
import { searchColumns } from '#server/records/derive/search-index.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import type { Tx } from '#server/records/call/statement.ts';
import type { Services } from '#server/records/services.ts';
import type { Catalog, Field, Resource } from '#engine/schema/resource.ts';

/** A value that occurs nowhere else, and the field that holds it. */
export interface Mark {
  readonly resource: string;
  /** From the head: `risk_level`, `items.cost`. */
  readonly path: string;
  readonly set: string;
}

/** One record of every resource that a partner, or a company, owns: every value in it occurs once in the whole database. */
export interface MarkedSet {
  readonly name: string;
  readonly company: string;
  /** Ids by resource, and of their line by `resource.lines`. */
  readonly ids: ReadonlyMap<string, string>;
}

export interface Marked {
  readonly marks: ReadonlyMap<string, Mark>;
  readonly sets: readonly MarkedSet[];
}

/** Whose records a set has. */
export interface SetOwner {
  readonly name: string;
  readonly company: string;
  /** Sales person. */
  readonly owner: string;
}

/** Finds every mark in an answer. */
export const MARKS = /mk\d{6}z|(?<![\d.])73\d{7}(?!\d)/g;

/** Base data that all companies share belongs to this set. */
export const SHARED = 'shared';

/**
 * Writes the sets by SQL, past every rule: each stored field of each resource and of one line of each of its lists has a
 * value of its own, references lead to the records of the same set.
 */
export async function markEverything(services: Services, owners: readonly SetOwner[]): Promise<Marked> {
  const catalog = services.definitions.catalog();
  const marks = new Map<string, Mark>();
  const stored = Object.values(catalog.resources).filter(({ kind }) => kind !== 'view');
  const shared = idsOf(stored.filter(({ scope }) => scope === 'global'));
  const sets: MarkedSet[] = [];
  await services.db.transaction(async (tx) => {
    const maker = new Maker(tx, catalog, marks);
    await maker.write({ name: SHARED, company: '', owner: '' }, shared, shared);
    sets.push({ name: SHARED, company: '', ids: shared });
    for (const owner of owners) {
      const own = idsOf(stored.filter(({ scope }) => scope === 'company'));
      await maker.write(owner, own, new Map([...shared, ...own]));
      sets.push({ name: owner.name, company: owner.company, ids: own });
    }
  });
  return { marks, sets };
}

function idsOf(resources: readonly Resource[]): ReadonlyMap<string, string> {
  return new Map(
    resources.flatMap((resource) => [
      [resource.resource, uuidv7(new Date())] as const,
      ...linesOf(resource).map(({ name }) => [`${resource.resource}.${name}`, uuidv7(new Date())] as const),
    ]),
  );
}

class Maker {
  #count = 0;

  constructor(
    readonly tx: Tx,
    readonly catalog: Catalog,
    readonly marks: Map<string, Mark>,
  ) {}

  async write(
    owner: SetOwner,
    own: ReadonlyMap<string, string>,
    all: ReadonlyMap<string, string>,
  ): Promise<void> {
    for (const [key, id] of own) {
      const resource = this.catalog.resources[key];
      if (resource === undefined) continue;
      const values = this.valuesOf(resource, Object.values(resource.fields), { owner, all, lines: null });
      const fixed = { id, version: 1, ...this.ownedBy(resource, owner), ...stateOf(resource) };
      const record = { ...values, ...fixed, ...pointing(resource, all) };
      const search = searchColumns(this.catalog, resource, record);
      const columns = new Set(headColumns(resource).map(({ name }) => name));
      await this.insert(tableOf(resource), columns, { ...record, ...search });
      await this.audit(resource, record, owner);
      for (const list of linesOf(resource)) {
        const cells = this.valuesOf(resource, Object.values(list.fields ?? {}), {
          owner,
          all,
          lines: list.name,
        });
        const line = { ...cells, id: all.get(`${key}.${list.name}`), parent_id: id, line_order: 1 };
        const known = new Set(lineColumns(resource, list.name).map(({ name }) => name));
        const company = resource.scope === 'company' ? { co_code: owner.company } : {};
        await this.insert(linesTableOf(resource, list.name), known, { ...line, ...company });
      }
    }
  }

  ownedBy(resource: Resource, { company, owner }: SetOwner): Record<string, unknown> {
    if (resource.scope !== 'company') return {};
    return {
      co_code: company,
      dept_code: company,
      sales_id: owner === '' ? null : owner,
      business_type: 'agency',
      show_to_partner: true,
    };
  }

  valuesOf(
    resource: Resource,
    fields: readonly Field[],
    at: {
      readonly owner: SetOwner;
      readonly all: ReadonlyMap<string, string>;
      readonly lines: string | null;
    },
  ): Record<string, unknown> {
    return Object.fromEntries(
      fields.map((field) => {
        const path = at.lines === null ? field.name : `${at.lines}.${field.name}`;
        return [
          field.name,
          this.valueOf(field, { resource: resource.resource, path, set: at.owner.name }, at.all),
        ];
      }),
    );
  }

  valueOf(field: Field, mark: Mark, all: ReadonlyMap<string, string>): unknown {
    if (field.type === 'reference') {
      const id = typeof field.to === 'string' ? all.get(field.to) : undefined;
      if (id === undefined) return null;
      return field.multiple === true ? [id] : id;
    }
    const text = this.next(field);
    if (text === null) return null;
    // An amount is found by its whole part, however many digits follow.
    const key = text.split('.')[0] ?? text;
    if (this.marks.has(key)) return this.valueOf(field, mark, all);
    this.marks.set(key, mark);
    if (field.type === 'richtext') return `<p>${text}</p>`;
    return field.multiple === true ? [text] : text;
  }

  next(field: Field): string | null {
    const make = TEXTS[field.type];
    if (make === undefined || field.options !== undefined) return null;
    if (field.type === 'decimal' && (field.precision ?? 18) - (field.scale ?? 2) < 9) return null;
    return make((this.#count += 1));
  }

  /** Who looks at the history sees every value once more. */
  async audit(resource: Resource, record: Readonly<Record<string, unknown>>, owner: SetOwner): Promise<void> {
    const changes = Object.values(resource.fields).flatMap(({ name, title, type }) =>
      type === 'lines' || type === 'secret' || record[name] === null
        ? []
        : [{ field: name, title, old: null, new: record[name] }],
    );
    await this.tx.execute(
      `insert into sys_audit (id, resource, record_id, co_code, action, changes) values ($1, $2, $3, $4, 'update', $5)`,
      [uuidv7(new Date()), resource.resource, record['id'], owner.company, JSON.stringify(changes)],
    );
  }

  async insert(
    table: string,
    columns: ReadonlySet<string>,
    values: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const names = Object.keys(values).filter((name) => columns.has(name) && values[name] !== null);
    const places = names.map((_name, index) => `$${index + 1}`);
    await this.tx.execute(
      `insert into ${table} (${names.map(quoteName).join(', ')}) values (${places.join(', ')})`,
      names.map((name) => values[name]),
    );
  }
}

const digits = (n: number): string => String(n).padStart(6, '0');
/** Seven digits without an order: what is worked out of two marks is hardly ever a third. */
const scattered = (n: number): string => {
  const mixed = Math.imul(n ^ (n >>> 7) ^ 0x5bd1e995, 0x2c1b3c6d) >>> 0;
  return String((Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) >>> 0) % 10_000_000).padStart(7, '0');
};
const TEXTS: Readonly<Record<string, ((n: number) => string) | undefined>> = {
  text: (n) => `mk${digits(n)}z`,
  textarea: (n) => `mk${digits(n)}z`,
  richtext: (n) => `mk${digits(n)}z`,
  secret: (n) => `mk${digits(n)}z`,
  integer: (n) => `73${scattered(n)}`,
  decimal: (n) => `73${scattered(n)}.00`,
  money: (n) => `73${scattered(n)}.00`,
};

/** In force where that is a state; what configures the server has no effect. */
function stateOf({ kind, lifecycle, fields }: Resource): Record<string, unknown> {
  if (fields['status'] === undefined) return {};
  const states = lifecycle?.states ?? {};
  const wanted =
    kind === 'config' ? ['disabled'] : ['active', 'effective', 'approved', 'posted', 'published'];
  return { status: wanted.find((name) => Object.hasOwn(states, name)) ?? lifecycle?.initial ?? 'disabled' };
}

/** Fields that name another record by its resource and id: one of a shipment. */
function pointing({ fields }: Resource, all: ReadonlyMap<string, string>): Record<string, unknown> {
  const pointers = Object.values(fields).flatMap(({ name, to }) =>
    typeof to === 'object' && to !== null ? [[name, to.by] as const] : [],
  );
  return Object.fromEntries(
    pointers.flatMap(([name, by]) => [
      [name, all.get('shipment') ?? null],
      [by, 'shipment'],
    ]),
  );
}
