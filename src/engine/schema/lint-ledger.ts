import { AMENDED, CREATION } from '../ledger/posting-moment.ts';
import { accountNamed, accountNames, accountsNamed } from '../ledger/account-name.ts';
import { DATE, NUMBER, TEXT } from '../expression/value-type.ts';
import { typeOfField } from '../expression/type-scope.ts';
import type { StateNames, ValueDefinition } from './effects-definition.ts';
import type { ByValue, PostingDefinition, VoucherLineDefinition } from './ledger-definition.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintFilter } from './lint-filter.ts';
import { lintGivenValue, lintGivenValues, type ValuePlace } from './lint-formula.ts';
import { lintLedgerFields } from './lint-ledger-fields.ts';
import { momentInputs } from './moment-inputs.ts';
import { lintPostingStates } from './lint-posting-states.ts';
import { actionsIn, isAmended, lintStates, statesIn } from './lint-states.ts';
import type { PathPlace } from './field-path.ts';
import { resolveFieldPath, targetPlace } from './field-path.ts';
import { isPostingKey } from './posting-accounts.ts';
import type { Resource } from './resource.ts';
import type { JsonPath } from './source-file.ts';
import { lintVouchedTwice } from './lint-vouched-twice.ts';
import { suggestion } from './suggest-name.ts';

/** Checks what a resource posts, holds and vouches, and what a ledger, an account or a voucher book names. */
export function lintLedger(context: ResourceLint): void {
  const { definition } = context;
  lintLedgerFields(context);
  for (const [index, posting] of (definition.postings ?? []).entries())
    lintPosting(context, ['postings', index], posting);
  lintEveryEntry(context);
  lintTwins(context);
  for (const [index, hold] of (definition.holds ?? []).entries()) {
    const path = ['holds', index];
    lintStates(context, [...path, 'in'], hold.in, statesIn(context.resource));
    lintStates(context, [...path, 'again'], hold.again, statesIn(context.resource));
    const place = linePlace(context, path, hold.each);
    if (place === null) continue;
    lintFilter(context, [...path, 'when'], hold.when, { place, record: place, inputs: {} });
    const account = accountAt(context, [...path, 'account'], hold.account, place);
    if (account !== null && account.account?.held === undefined)
      context.report([...path, 'account'], `${account.title}没有 "held"，不能冻结`);
    lintGivenValue(context, [...path, 'amount'], hold.amount, { place, target: NUMBER });
  }
  lintVouchers(context);
  lintPostingStates(context);
}

function lintPosting(context: ResourceLint, path: JsonPath, posting: PostingDefinition): void {
  lintMoment(context, [...path, 'at'], posting.at);
  const place = linePlace(context, path, posting.each);
  if (place === null) return;
  const inputs = momentInputs(context.resource, posting.at);
  lintFilter(context, [...path, 'when'], posting.when, { place, record: place, inputs });
  if (typeof posting.force === 'object')
    lintFilter(context, [...path, 'force'], posting.force, { place, record: place, inputs });
  if (posting.reverse !== undefined) {
    for (const key of ['type', 'account', 'amount', 'set'] as const)
      if (posting[key] !== undefined) context.report([...path, key], `冲销不能有 "${key}"`, 'key');
    lintGivenValue(context, [...path, 'date'], posting.date, { place, inputs, target: DATE });
    lintReversed(context, [...path, 'reverse'], posting.reverse);
    return;
  }
  for (const key of ['type', 'account', 'amount'] as const)
    if (posting[key] === undefined) context.report(path, `过账须有 "${key}"`);
  const account = accountAt(context, [...path, 'account'], posting.account, place);
  const ledger =
    account?.account === undefined ? undefined : context.catalog.resources[account.account.ledger];
  const where = { place, inputs };
  lintByValue(context, [...path, 'type'], posting.type, { where, check: typeCheck(context, ledger) });
  lintGivenValue(context, [...path, 'amount'], posting.amount, { ...where, target: NUMBER });
  const date = ledger?.fields[ledger.ledger?.date ?? ''];
  const target = date === undefined ? undefined : typeOfField(date, context.catalog);
  lintGivenValue(context, [...path, 'date'], posting.date, {
    ...where,
    ...(target === undefined ? {} : { target }),
  });
  if (ledger === undefined || account === null) return;
  for (const [name, value] of Object.entries(posting.set ?? {})) {
    const owner: Resource = Object.hasOwn(ledger.fields, name) ? ledger : account;
    if (owner === ledger && writtenByPosting(ledger).has(name))
      context.report([...path, 'set', name], `"${name}" 由过账写入，不能在 "set" 中给出`, 'key');
    lintGivenValues(
      context,
      [...path, 'set'],
      { [name]: value },
      { target: { resource: owner, catalog: context.catalog }, where },
    );
  }
}

/** What every entry says is a field of a ledger that the document posts to, and nothing that the posting itself writes. */
function lintEveryEntry(context: ResourceLint): void {
  const { everyEntry, postings = [] } = context.definition;
  const place = context.place();
  const inputs = momentInputs(
    context.resource,
    postings.flatMap(({ at, reverse }) => (reverse === undefined ? at : [])),
  );
  const ledgers = new Set(postings.flatMap((posting) => ledgerOf(context, posting) ?? []));
  for (const [name, value] of Object.entries<ValueDefinition>(everyEntry ?? {})) {
    const own = [...ledgers].filter(({ fields }) => Object.hasOwn(fields, name));
    if (own.length === 0) context.report(['everyEntry', name], `所过的账没有字段 "${name}"`, 'key');
    for (const ledger of own) {
      if (writtenByPosting(ledger).has(name))
        context.report(['everyEntry', name], `"${name}" 由过账写入，不能在 "everyEntry" 中给出`, 'key');
      const at = { target: { resource: ledger, catalog: context.catalog }, where: { place, inputs } };
      lintGivenValues(context, ['everyEntry'], { [name]: value }, at);
    }
  }
}

/** The ledger that a posting goes to, where its account is one. */
function ledgerOf({ catalog, resource }: ResourceLint, posting: PostingDefinition): Resource | undefined {
  const { account = '', each } = posting;
  const place: PathPlace = { resource, catalog, ...(each === undefined ? {} : { lines: each }) };
  const found = accountNamed(account, catalog)?.resource ?? accountBehind(place, account);
  return found?.account === undefined ? undefined : catalog.resources[found.account.ledger];
}

function accountBehind(place: PathPlace, path: string): Resource | undefined {
  const resolved = resolveFieldPath(place, path);
  const to = resolved.kind === 'unknown' || resolved.kind === 'open' ? undefined : resolved.field.to;
  return typeof to === 'string' ? place.catalog.resources[to] : undefined;
}

/** What is reversed is everything, or types that this document posts. */
function lintReversed(context: ResourceLint, path: JsonPath, reverse: string | readonly string[]): void {
  const known = new Set((context.definition.postings ?? []).flatMap(typesOf));
  if (typeof reverse !== 'string') context.names(path, '过账类型', reverse, known);
  else if (reverse !== '*') context.name(path, '过账类型', reverse, known);
}

/** The types that a posting may have. */
function typesOf({ type }: PostingDefinition): readonly string[] {
  if (typeof type === 'string') return [type];
  return Object.entries(type ?? {}).flatMap(([key, one]) => (key === 'by' ? [] : [one]));
}

/** The fields of a ledger that a posting itself writes. */
function writtenByPosting({ ledger }: Resource): ReadonlySet<string> {
  if (ledger === undefined) return new Set();
  const { account, amount, after, type, net, date, reverses, source } = ledger;
  return new Set([account, amount, after, type, net, date, reverses, ...source]);
}

/** A type must be one of the ledger's dictionary, where that is known. */
function typeCheck(
  context: ResourceLint,
  ledger: Resource | undefined,
): (path: JsonPath, type: string) => void {
  const field = ledger?.fields[ledger.ledger?.type ?? ''];
  const items =
    field?.dictionary === undefined ? undefined : context.catalog.dictionaries[field.dictionary]?.items;
  const known = items === undefined || items.length === 0 ? null : new Set(items.map(({ value }) => value));
  return (path, type) => context.name(path, '类型', type, known);
}

/** Two postings of one type on the same lines need names, or one would stand for the other. */
function lintTwins(context: ResourceLint): void {
  const seen = new Map<string, number>();
  for (const [index, posting] of (context.definition.postings ?? []).entries()) {
    if (posting.reverse !== undefined) continue;
    const types = typesOf(posting);
    for (const name of new Set(posting.name === undefined ? types : [posting.name])) {
      const key = `${posting.each ?? ''}|${name}`;
      if (seen.has(key)) context.report(['postings', index], `同一行有两笔 "${name}"，请用 "name" 区分`);
      seen.set(key, index);
    }
    if (posting.name?.includes(':') === true || types.some((type) => type.includes(':')))
      context.report(['postings', index], '名称和类型不能有冒号');
  }
}

function lintVouchers(context: ResourceLint): void {
  const { vouchers = [] } = context.definition;
  if (vouchers.length === 0) return;
  lintVouchedTwice(context);
  const { resources, declaring } = context.catalog;
  const books = (declaring?.voucherBooks ?? Object.keys(resources))
    .flatMap((name) => resources[name] ?? [])
    .filter(({ voucherBook }) => voucherBook !== undefined);
  if (books.length !== 1)
    context.report(
      ['vouchers'],
      books.length === 0 ? '没有资源声明 "voucherBook"' : '声明 "voucherBook" 的资源多于一个',
      'key',
    );
  const [book] = books;
  const lines = book?.voucherBook?.lines ?? '';
  for (const [index, voucher] of vouchers.entries()) {
    const path = ['vouchers', index];
    lintMoment(context, [...path, 'at'], voucher.at);
    const head = context.place();
    const inputs = momentInputs(context.resource, voucher.at);
    lintFilter(context, [...path, 'when'], voucher.when, { place: head, record: head, inputs });
    lintGivenValue(context, [...path, 'date'], voucher.date, { place: head, inputs, target: DATE });
    for (const [at, line] of voucher.lines.entries())
      lintVoucherLine(context, [...path, 'lines', at], {
        line,
        inputs,
        target: book === undefined ? null : { resource: book, catalog: context.catalog, lines },
      });
  }
}

interface VoucherLineLint {
  readonly line: VoucherLineDefinition;
  readonly inputs: ValuePlace['inputs'];
  /** The lines of the voucher book; null where there is none. */
  readonly target: PathPlace | null;
}

function lintVoucherLine(
  context: ResourceLint,
  path: JsonPath,
  { line, inputs, target }: VoucherLineLint,
): void {
  const place = linePlace(context, path, line.each);
  if (place === null) return;
  const where = { place, inputs };
  lintFilter(context, [...path, 'when'], line.when, { place, record: place, inputs });
  lintGivenValue(context, [...path, 'amount'], line.amount, { ...where, target: NUMBER });
  for (const [key, target] of [
    ['currency', TEXT] as const,
    ['amount', NUMBER] as const,
    ['rate', NUMBER] as const,
  ])
    lintGivenValue(context, [...path, 'fc', key], line.fc?.[key], { ...where, target });
  if (target !== null)
    for (const key of ['with', 'withDebit', 'withCredit'] as const)
      lintGivenValues(context, [...path, key], line[key], { target, where });
  const chart = target?.resource.voucherBook?.accounts?.of;
  const keys = context.catalog.accounts;
  const known = keys === undefined ? null : new Set(Object.keys(keys));
  const check = (at: JsonPath, name: string): void => {
    if (isPostingKey(name)) return context.name(at, '过账键', name, known);
    const field = context.field(at, name, place);
    if (field !== null && (field.type !== 'reference' || field.to !== chart))
      context.report(at, `"${name}" 不是科目，也不是过账键`);
  };
  lintByValue(context, [...path, 'debit'], line.debit, { where, check });
  lintByValue(context, [...path, 'credit'], line.credit, { where, check });
}

function lintByValue(
  context: ResourceLint,
  path: JsonPath,
  given: string | ByValue | undefined,
  { where, check }: { readonly where: ValuePlace; readonly check: (path: JsonPath, name: string) => void },
): void {
  if (given === undefined) return;
  if (typeof given === 'string') return check(path, given);
  lintGivenValue(context, [...path, 'by'], given.by, where);
  for (const [key, name] of Object.entries(given)) if (key !== 'by') check([...path, key], name);
}

/** The account resource that a posting or hold reaches; null after a fault. */
function accountAt(
  context: ResourceLint,
  path: JsonPath,
  account: string | undefined,
  place: PathPlace,
): Resource | null {
  if (account === undefined) return null;
  if (account.startsWith('@')) {
    const named = accountNamed(account, context.catalog);
    if (named !== null) return named.resource;
    const found = accountsNamed(account, context.catalog);
    const names = accountNames(context.catalog);
    context.report(
      path,
      found.length > 1
        ? `"${account}" 在多个资源中有，请写 ${found.map(({ resource }) => `"@${resource.resource}.${account.slice(1)}"`).join(' 或 ')}`
        : `未知账户 "${account}"${suggestion(account, names)}`,
    );
    return null;
  }
  const resolved = resolveFieldPath(place, account);
  if (resolved.kind === 'unknown') {
    context.report(path, `未知字段 "${account}"${suggestion(account, resolved.known)}`);
    return null;
  }
  if (resolved.kind === 'open') return null;
  const { to } = resolved.field;
  const target = typeof to === 'string' ? targetPlace(to, context.catalog) : null;
  if (target?.resource.account !== undefined) return target.resource;
  if (typeof to !== 'string' || target !== null) context.report(path, `"${account}" 不是账户`);
  return null;
}

function lintMoment(context: ResourceLint, path: JsonPath, at: StateNames): void {
  const moments = isAmended(context) ? [CREATION, AMENDED] : [CREATION];
  const known = [...statesIn(context.resource), ...actionsIn(context.resource), ...moments];
  lintStates(context, path, at, new Set(known));
}

function linePlace(context: ResourceLint, path: JsonPath, each: string | undefined): PathPlace | null {
  if (each === undefined || context.resource.fields[each]?.type === 'lines') return context.place(each);
  context.report([...path, 'each'], `"${each}" 不是明细`);
  return null;
}
