import { canSee } from '#engine/access/resource-access.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { formulaOf, sourceOf } from '#engine/filter/resolve-operand.ts';
import { readPath, type Scope } from '#engine/filter/scope.ts';
import type { Comparison, Filter } from '#engine/schema/definition.ts';
import type { ValueDefinitions } from '#engine/schema/effects-definition.ts';
import { formulaReads } from '#engine/schema/formula-reads.ts';
import type { PickSource } from '#engine/schema/pick-sources.ts';
import type { Field } from '#engine/schema/resource.ts';
import { bindFilter } from '#server/records/call/bind-filter.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { lineConditions, rowConditions } from '#server/records/call/row-conditions.ts';
import { bind, quoteName } from '#server/records/call/statement.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import { labelExpression } from '#server/records/read/label-expression.ts';
import { eyesOn, openRows } from '#server/records/read/reader-eyes.ts';
import { keywordConditions } from '#server/records/list/keyword-conditions.ts';
import { offeredMake } from './source-record.ts';

/** Where the open lines of a source stand: `t` is its head, `l` the line. */
export class PickWhere {
  readonly values: unknown[] = [];
  readonly conditions: string[];
  readonly #source: Call;
  readonly #pick: PickSource;

  /** Rows that the caller may read, in a state from which lines are made, and open by the make's own filters. */
  constructor(source: Call, pick: PickSource) {
    this.#source = source;
    this.#pick = pick;
    const { values } = this;
    const { make, of, key } = pick;
    this.conditions = [...rowConditions(source, { alias: 't', values })];
    if (of !== null)
      this.conditions.push(...lineConditions(source, of, { alias: 'l', parentAlias: 't', values }));
    const action = offeredMake(source.resource, key)?.action ?? null;
    if (action !== null) this.conditions.push(`t.status = any(${bind(values, action.from)}::text[])`);
    this.head(action?.when);
    if (make.each === undefined) this.head(make.when);
    else this.line(make.when);
    if (make.each === undefined && of !== null) this.line(make.lines?.[this.#listed() ?? '']?.where);
  }

  get from(): string {
    const { resource, of } = this.#pick;
    const head = `${tableOf(resource)} t`;
    if (of === null) return head;
    const company = resource.scope === 'company' ? ' and l.co_code = t.co_code' : '';
    return `${head} join ${linesTableOf(resource, of)} l on l.parent_id = t.id${company}`;
  }

  get where(): string {
    return this.conditions.length === 0 ? 'true' : this.conditions.join(' and ');
  }

  /** A filter over the source's head. */
  head(filter: Filter | undefined): void {
    if (filter === undefined || Object.keys(filter).length === 0) return;
    const { resource, catalog, caller } = this.#source;
    const place = { resource, catalog, alias: 't', context: caller.context, values: this.values };
    this.conditions.push(`(${filterToSql(filter, place)})`);
  }

  /** A filter over its line, or over the head where that is what gives the line. */
  line(filter: Filter | undefined): void {
    const { of } = this.#pick;
    if (of === null) return this.head(filter);
    if (filter === undefined || Object.keys(filter).length === 0) return;
    const { resource, catalog, caller } = this.#source;
    const place = { resource, catalog, alias: 'l', parentAlias: 't', lines: of, context: caller.context };
    this.conditions.push(`(${filterToSql(filter, { ...place, values: this.values })})`);
  }

  /** A filter whose `source.x` is the record that the lines are for. */
  bound(filter: Filter, scope: Scope): void {
    const { resource, of } = this.#pick;
    const target = of === null ? resource.resource : `${resource.resource}.${of}`;
    this.line(bindFilter(filter, target, { ...scope, source: scope }));
  }

  /**
   * What the target's own columns ask of the records that they will refer to, as far as the form says it: the line
   * itself is not there yet. `scope` stands on a line of the form.
   */
  references(list: Field, values: ValueDefinitions, scope: Scope): void {
    for (const [name, value] of Object.entries(values)) {
      const where = list.fields?.[name]?.where;
      if (where === undefined || (value !== 'id' && value !== 'parent.id')) continue;
      const known = knownConditions(where, scope);
      if (value === 'id') this.bound(known, scope);
      else this.head(bindFilter(known, this.#pick.resource.resource, scope));
    }
  }

  /** Lines that are not these. */
  except(ids: readonly string[]): void {
    const alias = this.#pick.of === null ? 't' : 'l';
    if (ids.length > 0) this.conditions.push(`not (${alias}.id = any(${bind(this.values, ids)}::uuid[]))`);
  }

  /** Number, names and texts of the document, texts of the line and what its references are called. */
  search(keyword: string): void {
    const { values } = this;
    const like = bind(values, `%${keyword.replace(/[\\%_]/g, '\\$&')}%`);
    const texts = this.#lineTexts().map((text) => `${text} ilike ${like}`);
    const head = keywordConditions(keyword, values).join(' and ');
    this.conditions.push(`((${head})${texts.map((text) => ` or ${text}`).join('')})`);
  }

  #lineTexts(): readonly string[] {
    const { resource, of } = this.#pick;
    if (of === null) return [];
    const source = this.#source;
    return Object.values(resource.fields[of]?.fields ?? {}).flatMap((cell): readonly string[] => {
      if (!canSee(source.access, `${of}.${cell.name}`) || cell.stored === false) return [];
      if (cell.type === 'text' && cell.multiple !== true && cell.mask === undefined)
        return [`l.${quoteName(cell.name)}`];
      if (cell.type !== 'reference' || typeof cell.to !== 'string' || cell.to.includes('.')) return [];
      if (cell.multiple === true || !eyesOn(source, cell.to).seesLabel) return [];
      const target = source.catalog.resources[cell.to];
      if (target === undefined) return [];
      const open = openRows(source, cell.to, { alias: 'r', values: this.values, isAnyCompany: true });
      const label = labelExpression(source.catalog, cell.to, 'r');
      return [
        `(select ${label} from ${tableOf(target)} r where r.id = l.${quoteName(cell.name)} and ${open} limit 1)`,
      ];
    });
  }

  #listed(): string | null {
    const { make, of } = this.#pick;
    const entry = Object.entries(make.lines ?? {}).find(([name, { of: own }]) => (own ?? name) === of);
    return entry?.[0] ?? null;
  }
}

/** The conditions whose values the form's head has; one over the line, or over what is still empty, says nothing yet. */
function knownConditions(where: Filter, scope: Scope): Filter {
  const known: Record<string, Comparison | readonly Filter[]> = {};
  for (const [key, part] of Object.entries(where)) {
    if (part === undefined) continue;
    if (isFilterList(part)) {
      const inner = part.map((one) => knownConditions(one, scope));
      // Of alternatives one that says nothing admits all.
      if (key === 'and' || inner.every((one) => Object.keys(one).length > 0)) known[key] = inner;
    } else if (Object.values(part).every((value) => isKnown(value, scope))) known[key] = part;
  }
  return known;
}

function isKnown(value: unknown, scope: Scope): boolean {
  const formula = formulaOf(value);
  const source = sourceOf(value);
  const paths = formula !== null ? formulaReads(formula) : source === null ? [] : [source];
  return paths.every((path) => {
    const own = path.replace(/^record\./, '');
    if (/^(user|company|param)\.|^(today|now)$/.test(own)) return true;
    return own.startsWith('parent.') && (readPath(scope, own) ?? null) !== null;
  });
}

function isFilterList(part: Comparison | readonly Filter[]): part is readonly Filter[] {
  return Array.isArray(part);
}
