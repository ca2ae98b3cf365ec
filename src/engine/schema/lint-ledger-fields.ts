import { targetPlace } from './field-path.ts';
import type { Filter, RollupDefinition } from './definition.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintGivenValues } from './lint-formula.ts';
import type { Field, Resource } from './resource.ts';
import type { JsonPath } from './source-file.ts';
import { statesIn } from './lint-states.ts';
import { suggestion } from './suggest-name.ts';

/** Checks the fields that a ledger, an account and a voucher book name, and the sums that are kept over ledgers. */
export function lintLedgerFields(context: ResourceLint): void {
  lintLedgerDefinition(context);
  lintAccount(context);
  lintBook(context);
  for (const [name, field] of Object.entries(context.resource.fields)) {
    lintSum(context, ['fields', name, 'rollup'], field);
    for (const [cell, column] of Object.entries(field.fields ?? {}))
      lintSum(context, ['fields', name, 'fields', cell, 'rollup'], column);
  }
}

function lintLedgerDefinition(context: ResourceLint): void {
  const { ledger, kind, fields } = context.definition;
  if (ledger === undefined) return;
  if (kind !== 'ledger') context.report(['ledger'], '台账的 "kind" 须为 "ledger"', 'key');
  if (fields['live'] !== undefined) context.report(['fields', 'live'], '"live" 由台账自己提供', 'key');
  for (const [key, value] of Object.entries(ledger)) {
    const names: readonly string[] = typeof value === 'string' ? [value] : value;
    for (const [index, name] of names.entries())
      context.field(
        typeof value === 'string' ? ['ledger', key] : ['ledger', key, index],
        name,
        context.place(),
      );
  }
  for (const key of ['amount', 'after'] as const)
    lintKind(context, ['ledger', key], ledger[key], { kinds: AMOUNTS, title: '数字' });
  lintKind(context, ['ledger', 'date'], ledger.date, { kinds: ['date'], title: '日期' });
  for (const key of ['type', 'net'] as const)
    lintKind(context, ['ledger', key], ledger[key], { kinds: ['text', 'dictionary'], title: '文本' });
  for (const [index, name] of ledger.source.entries())
    lintKind(context, ['ledger', 'source', index], name, { kinds: SOURCES, title: '文本或引用' });
  const account = context.resource.fields[ledger.account];
  const target = typeof account?.to === 'string' ? context.catalog.resources[account.to] : undefined;
  if (account !== undefined && (target === undefined || target.account?.ledger !== context.resource.resource))
    context.report(['ledger', 'account'], `"${ledger.account}" 不引用本台账的账户`);
  if (context.resource.fields[ledger.reverses]?.to !== context.resource.resource)
    context.report(['ledger', 'reverses'], `"${ledger.reverses}" 须引用本资源`);
}

const AMOUNTS = ['money', 'decimal'];
const SOURCES = ['text', 'dictionary', 'reference'];

/** A field that a ledger or account names is of a kind that can hold what is written there. */
function lintKind(
  context: ResourceLint,
  path: JsonPath,
  name: string,
  { kinds, title }: { readonly kinds: readonly string[]; readonly title: string },
): void {
  const field = context.resource.fields[name];
  if (field !== undefined && !kinds.includes(field.type)) context.report(path, `"${name}" 应为${title}`);
}

function lintAccount(context: ResourceLint): void {
  const { account } = context.definition;
  if (account === undefined) return;
  const ledger = context.catalog.resources[account.ledger];
  if (ledger?.ledger === undefined)
    context.report(
      ['account', 'ledger'],
      `"${account.ledger}" 不是台账${suggestion(account.ledger, ledgerNames(context))}`,
    );
  for (const key of ['balance', 'held', 'available'] as const) {
    const name = account[key];
    const field = name === undefined ? null : context.field(['account', key], name, context.place());
    if (field !== null && field.system !== true) context.report(['account', key], `"${name}" 须为系统字段`);
    lintKind(context, ['account', key], name ?? '', { kinds: AMOUNTS, title: '数字' });
  }
  for (const [index, name] of account.key.entries())
    context.field(['account', 'key', index], name, context.place());
  if (account.overdrawn !== undefined)
    context.name(['account', 'overdrawn'], '通知', account.overdrawn, context.known.events);
  // What the names of these formulas mean is known where something is posted: only the fields are checked here.
  for (const [name, values] of Object.entries(account.keys ?? {}))
    for (const field of Object.keys(values)) {
      const path = ['account', 'keys', name, field];
      if (!account.key.includes(field)) context.report(path, `"${field}" 不在 "key" 中`, 'key');
      lintGivenValues(context, ['account', 'keys', name], literalsOf({ [field]: values[field] ?? null }), {
        target: context.place(),
        where: { place: context.place() },
      });
    }
}

/** Values without names of fields in them. */
function literalsOf(values: Readonly<Record<string, string | number | boolean | null>>): typeof values {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => typeof value !== 'string' || /^'[^']*'$/.test(value)),
  );
}

function lintBook(context: ResourceLint): void {
  const { voucherBook: book } = context.definition;
  if (book === undefined) return;
  const head = context.place();
  for (const key of ['date', 'event', 'reverses', 'label'] as const)
    if (book[key] !== undefined) context.field(['voucherBook', key], book[key], head);
  for (const [index, name] of book.source.entries())
    context.field(['voucherBook', 'source', index], name, head);
  if (book.made !== undefined)
    context.name(['voucherBook', 'made'], '状态', book.made, statesIn(context.resource));
  if (context.resource.fields[book.lines]?.type !== 'lines')
    return context.report(['voucherBook', 'lines'], `"${book.lines}" 不是明细`);
  for (const [key, name] of Object.entries(book.columns))
    context.field(['voucherBook', 'columns', key], name, context.place(book.lines));
  if (book.accounts !== undefined) {
    const chart = resourceNamed(context, ['voucherBook', 'accounts', 'of'], book.accounts.of);
    for (const key of ['key', 'code', 'name'] as const)
      if (chart !== null)
        context.field(['voucherBook', 'accounts', key], book.accounts[key], {
          resource: chart,
          catalog: context.catalog,
        });
  }
  if (book.period === undefined) return;
  const field = context.field(['voucherBook', 'period', 'field'], book.period.field, head);
  const periods = typeof field?.to === 'string' ? context.catalog.resources[field.to] : undefined;
  if (periods === undefined)
    return context.report(['voucherBook', 'period', 'field'], `"${book.period.field}" 不引用期间`);
  const place = { resource: periods, catalog: context.catalog };
  for (const key of ['month', 'from', 'to'] as const)
    context.field(['voucherBook', 'period', key], book.period[key], place);
  const known = statesIn(periods);
  for (const name of typeof book.period.closed === 'string' ? [book.period.closed] : book.period.closed)
    if (!name.startsWith('@')) context.name(['voucherBook', 'period', 'closed'], '状态', name, known);
}

function resourceNamed(context: ResourceLint, path: JsonPath, name: string): Resource | null {
  const found = Object.hasOwn(context.catalog.resources, name) ? context.catalog.resources[name] : undefined;
  if (found === undefined)
    context.report(path, `未知资源 "${name}"${suggestion(name, Object.keys(context.catalog.resources))}`);
  return found ?? null;
}

function ledgerNames(context: ResourceLint): readonly string[] {
  return Object.values(context.catalog.resources).flatMap(({ resource, ledger }) =>
    ledger === undefined ? [] : [resource],
  );
}

/** Yuan and dollars do not add up: a sum over a ledger with a currency says which one it is of. */
function lintSum(context: ResourceLint, path: JsonPath, { rollup, type, currency }: Field): void {
  const summed = rollup?.sum ?? rollup?.avg;
  if (rollup === undefined || summed === undefined) return;
  const source = targetPlace(rollup.of, context.catalog);
  if (source?.resource.ledger === undefined) return;
  const money = source.resource.fields[summed];
  if (money?.type !== 'money' || money.currency === undefined || /^[A-Z]{3}$/.test(money.currency)) return;
  const fixed = [...tiedTo(rollup, money.currency), ...fixedTo(rollup.where, money.currency)];
  // The account's id fixes it too: an account has one currency.
  const isOfAccount = tiesOf(rollup).includes(source.resource.ledger.account);
  if (fixed.length === 0 && !isOfAccount)
    context.report([...path, 'where'], `金额的合计须限定币种（"where" 中的 "${money.currency}"）`);
  const other = fixed.find((value) => isCode(value) && isCode(currency) && value !== currency);
  if (type === 'money' && other !== undefined)
    context.report([...path, 'where'], `合计的是 ${String(other)}，字段的币种是 ${currency}`);
}

function isCode(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value);
}

/** The fields by which entries are tied. */
function tiesOf({ by }: RollupDefinition): readonly string[] {
  return typeof by === 'string' ? [by] : Object.keys(by);
}

/** What a key of the sum fixes a field to: a code for a literal one. */
function tiedTo(rollup: RollupDefinition, name: string): readonly unknown[] {
  if (!tiesOf(rollup).includes(name)) return [];
  const value = typeof rollup.by === 'string' ? null : rollup.by[name];
  return [typeof value === 'string' ? value.replace(/^'(.*)'$/, '$1') : value];
}

/** The single values that a condition fixes a field to; one of several ways (`or`) fixes nothing. */
function fixedTo(where: Filter | undefined, name: string): readonly unknown[] {
  return Object.entries(where ?? {}).flatMap(([key, part]): readonly unknown[] => {
    if (part === undefined || key === 'or') return [];
    if (isFilterList(part)) return part.flatMap((one) => fixedTo(one, name));
    if (key !== name) return [];
    const { eq, in: among } = part;
    const listed = Array.isArray(among) && among.length === 1 ? among : [];
    return [eq, ...listed].filter((value) => value !== undefined && value !== null);
  });
}

function isFilterList(part: Filter[string]): part is readonly Filter[] {
  return Array.isArray(part);
}
