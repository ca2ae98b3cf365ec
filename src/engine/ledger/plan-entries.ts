import { evaluate } from '../expression/evaluate.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { digitsOf } from '../fields/decimal-value.ts';
import { matchesFilter } from '../filter/matches-filter.ts';
import { fieldAt, headScope, readPath, type Scope } from '../filter/scope.ts';
import { entryScopes } from '../record/apply-own.ts';
import { givenValue } from '../record/compute-record.ts';
import { isRecord } from '../record/record-lines.ts';
import type { ValueDefinitions } from '../schema/effects-definition.ts';
import type {
  ByValue,
  HoldDefinition,
  LedgerDefinition,
  PostingDefinition,
} from '../schema/ledger-definition.ts';
import { formulaReads } from '../schema/formula-reads.ts';
import type { ErpRecord, Field, Resource } from '../schema/resource.ts';
import { compareDecimals, isPlainDecimal, roundDecimal } from '../values/decimal.ts';
import { type AccountName, accountNamed } from './account-name.ts';

/** Which account something is posted to or held on. */
export type AccountChoice =
  | { readonly kind: 'record'; readonly resource: Resource; readonly id: string }
  /** Found by its key, opened when there is none. */
  | { readonly kind: 'key'; readonly resource: Resource; readonly key: ErpRecord };

/** What one posting gives for one line (or the head). */
export interface PlannedEntry {
  /** Tells the postings of a line apart: the name, else the type. */
  readonly name: string;
  readonly type: string;
  /** The line that is posted; null for the head. */
  readonly line: string | null;
  /** The column that was posted, where a refusal stands. */
  readonly path: string;
  /** Null when a reference is empty. */
  readonly account: AccountChoice | null;
  /** Decimal text with the scale of the ledger; never zero. */
  readonly amount: string;
  readonly date: unknown;
  /** Further fields of the entry: the ledger's `same`, and `set`. */
  readonly values: ErpRecord;
  readonly isForced: boolean;
}

/** What one hold takes for one line (or the head). */
export interface PlannedHold {
  /** The place of the hold in its file. */
  readonly place: number;
  readonly line: string | null;
  readonly path: string;
  readonly account: AccountChoice | null;
  readonly amount: string;
}

/** A posting whose type goes by a value that it does not list. */
export class NoPostingType extends Error {
  override readonly name = 'NoPostingType';
}

/** The scopes on which a posting or hold runs: lines (or the head) for which its `when` holds. */
export function dueScopes(entry: Pick<PostingDefinition, 'each' | 'when'>, scope: Scope): readonly Scope[] {
  return entryScopes(entry, scope).filter(
    (here) => entry.when === undefined || matchesFilter(entry.when, here),
  );
}

/**
 * The entry that a posting gives on a scope; null when its amount is zero or empty.
 * @throws NoPostingType
 */
export function planEntry(posting: PostingDefinition, scope: Scope): PlannedEntry | null {
  const { amount: formula = '', account: named = '' } = posting;
  const found = accountResource(named, scope);
  const ledger = found === null ? undefined : ledgerOf(found, scope);
  const definition = ledger?.ledger;
  if (found === null || ledger === undefined || definition === undefined) return null;
  const amount = fitted(ledger.fields[definition.amount], evaluate(parseExpression(formula), scope));
  if (amount === null) return null;
  const type = typeOf(posting.type, scope);
  if (type === null) throw new NoPostingType(found.title);
  const set = givenValues(ledger.fields, posting.set, scope);
  return {
    name: posting.name ?? type,
    type,
    line: lineOf(scope),
    path: pathOf(formula, scope),
    account: chooseAccount(named, { scope, set: posting.set }),
    amount,
    date:
      posting.date === undefined
        ? scope.context.today
        : givenValue(ledger.fields[definition.date], posting.date, scope),
    values: { ...sameValues(definition, scope), ...everyValues(ledger, scope), ...set },
    isForced:
      posting.force === true || (typeof posting.force === 'object' && matchesFilter(posting.force, scope)),
  };
}

/** The holds of a record in its present state, in the file's order, then the lines'. */
export function planHold(
  hold: HoldDefinition,
  { place, scope }: { readonly place: number; readonly scope: Scope },
): PlannedHold | null {
  const account = accountResource(hold.account, scope);
  const balance = account?.account === undefined ? undefined : account.fields[account.account.balance];
  const amount = fitted(balance, evaluate(parseExpression(hold.amount), scope));
  if (amount === null || compareDecimals(amount, '0') <= 0) return null;
  return {
    place,
    line: lineOf(scope),
    path: pathOf(hold.amount, scope),
    account: chooseAccount(hold.account, { scope, set: undefined }),
    amount,
  };
}

/** What a type, key or account is called that goes by a value; null when the value is not listed and nothing stands for the rest. */
export function nameByValue(given: string | ByValue | undefined, scope: Scope): string | null {
  if (given === undefined || typeof given === 'string') return given ?? null;
  const value: unknown = evaluate(parseExpression(given.by), scope);
  const key = typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
  return (Object.hasOwn(given, key) && key !== 'by' ? given[key] : given['*']) ?? null;
}

/** The id of the line that a scope stands on; null on the head. */
export function lineOf(scope: Scope): string | null {
  return scope.lines === undefined ? null : String(scope.record['id']);
}

/** The path of the first own column that a formula reads: `lines.2.amount`. */
export function pathOf(formula: string, scope: Scope): string {
  const [read = ''] = formulaReads(formula).filter((path) => !path.includes('.') && path !== 'today');
  if (scope.lines === undefined) return read;
  const lines: unknown = scope.parent?.[scope.lines];
  const index = Array.isArray(lines) ? lines.findIndex((line: unknown) => isRecord(line) && line['id'] === scope.record['id']) : -1; // prettier-ignore
  if (index < 0) return scope.lines;
  return read === '' ? `${scope.lines}.${index}` : `${scope.lines}.${index}.${read}`;
}

function typeOf(type: string | ByValue | undefined, scope: Scope): string | null {
  return nameByValue(type, scope);
}

function accountResource(account: string, scope: Scope): Resource | null {
  return accountNamed(account, scope.catalog)?.resource ?? referencedAccount(account, scope);
}

function referencedAccount(path: string, scope: Scope): Resource | null {
  const to = fieldAt(scope, path)?.to;
  return typeof to === 'string' ? (scope.catalog.resources[to] ?? null) : null;
}

function ledgerOf(account: Resource, scope: Scope): Resource | undefined {
  return account.account === undefined ? undefined : scope.catalog.resources[account.account.ledger];
}

interface Chosen {
  readonly scope: Scope;
  readonly set: ValueDefinitions | undefined;
}

function chooseAccount(account: string, { scope, set }: Chosen): AccountChoice | null {
  const named = accountNamed(account, scope.catalog);
  if (named !== null) return { kind: 'key', resource: named.resource, key: keyValues(named, { scope, set }) };
  const resource = referencedAccount(account, scope);
  const id = readPath(scope, account);
  return resource === null || typeof id !== 'string' ? null : { kind: 'record', resource, id };
}

/** The fields of an account's key: by its formula, else the field of that name of the line, else of its head; `set` wins. */
function keyValues(named: AccountName, { scope, set }: Chosen): ErpRecord {
  const { fields } = named.resource;
  const keys = named.resource.account?.key ?? [];
  const here = surroundings(scope);
  const given = givenValues(fields, pick(set, keys), scope);
  const around = { ...here, record: { ...here.record, ...given } };
  return Object.fromEntries(
    keys.map((key) => {
      const formula = named.values[key];
      if (Object.hasOwn(given, key)) return [key, given[key] ?? null];
      if (formula !== undefined) return [key, givenValue(fields[key], formula, around) ?? null];
      return [key, around.record[key] ?? null];
    }),
  );
}

/** The line and its head as one record: the line's own fields first. */
function surroundings(scope: Scope): Scope {
  const { parent, lines, resource, record } = scope;
  if (parent === undefined || lines === undefined) return scope;
  const both = { ...parent, ...record, _paths: { ...pathsOf(parent), ...pathsOf(record) } };
  return {
    catalog: scope.catalog,
    context: scope.context,
    resource: withLineFields(resource, lines),
    record: both,
  };
}

/** The resource whose head has the columns of a list too; made once, for lists are long. */
function withLineFields(resource: Resource, lines: string): Resource {
  const known = merged.get(resource) ?? new Map<string, Resource>();
  merged.set(resource, known);
  const made = known.get(lines) ?? {
    ...resource,
    fields: { ...resource.fields, ...resource.fields[lines]?.fields },
  };
  known.set(lines, made);
  return made;
}

const merged = new WeakMap<Resource, Map<string, Resource>>();

function sameValues(ledger: LedgerDefinition, scope: Scope): ErpRecord {
  const { record, resource } = surroundings(scope);
  return Object.fromEntries(
    ledger.same
      .filter((name) => Object.hasOwn(resource.fields, name))
      .map((name) => [name, record[name] ?? null]),
  );
}

/** What the document says of each of its entries, seen from its head. */
function everyValues(ledger: Resource, scope: Scope): ErpRecord {
  const head = scope.parent === undefined ? scope : headScope(scope, scope.parent);
  return givenValues(ledger.fields, scope.resource.everyEntry, head);
}

function givenValues(
  fields: Readonly<Record<string, Field>>,
  values: ValueDefinitions | undefined,
  scope: Scope,
): ErpRecord {
  return Object.fromEntries(
    Object.entries(values ?? {})
      .filter(([name]) => Object.hasOwn(fields, name))
      .map(([name, value]) => [name, givenValue(fields[name], value, scope)]),
  );
}

function pick(values: ValueDefinitions | undefined, names: readonly string[]): ValueDefinitions {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([name]) => names.includes(name)));
}

/** An amount with the scale of its field; null when it is zero or nothing. */
function fitted(field: Field | undefined, value: unknown): string | null {
  if (field === undefined || !isPlainDecimal(value)) return null;
  const rounded = roundDecimal(value, digitsOf(field).scale);
  return compareDecimals(rounded, '0') === 0 ? null : rounded;
}

function pathsOf(record: ErpRecord): ErpRecord {
  return isRecord(record['_paths']) ? record['_paths'] : {};
}
