import { typeOfField } from '../expression/type-scope.ts';
import { assignmentFault } from '../expression/value-type.ts';
import { type MadeFinds, type MakeDefinition, OF_RECORD } from './effects-definition.ts';
import { type PathPlace, resolveFieldPath, targetPlace } from './field-path.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintFilter } from './lint-filter.ts';
import { lintGivenValues } from './lint-formula.ts';
import { isLinesField } from './lint-others.ts';
import { lintMadeForm } from './lint-picking.ts';
import { actionsIn } from './lint-states.ts';
import type { Resource } from './resource.ts';
import type { JsonPath } from './source-file.ts';
import { suggestion } from './suggest-name.ts';

/** Kinds of resources whose rows only the engine writes. */
const APPEND_ONLY: ReadonlySet<string> = new Set(['ledger', 'log', 'view']);

/** Checks documents (or lines) that are made from a resource. */
export function lintMake(context: ResourceLint, path: JsonPath, make: MakeDefinition): void {
  const target = targetPlace(make.to, context.catalog);
  if (target === null) {
    const known = Object.keys(context.catalog.resources);
    return context.report([...path, 'to'], `未知资源 "${make.to}"${suggestion(make.to, known)}`);
  }
  if (!isLinesField(context, [...path, 'each'], make.each)) return;
  const source = context.place(make.each);
  lintMadeForm(context, path, make);
  if (APPEND_ONLY.has(target.resource.kind))
    context.report([...path, 'to'], `${target.resource.title}不能由单据生成`);
  lintMadeAction(context, path, make, target.resource);
  lintFilter(context, [...path, 'when'], make.when, { place: source, record: source });
  lintSame(context, path, make, { target, own: source });
  if (make.map?.['status'] !== undefined && target.resource.lifecycle !== undefined)
    context.report([...path, 'map', 'status'], '状态由动作改变，请用 "do"', 'key');
  const where = { place: source, inputs: null };
  lintGivenValues(context, [...path, 'map'], make.map, { target, where, isWrite: true });
  lintMadeFinds(context, [...path, 'find'], make.find, { target, own: source });
  lintPer(context, path, make);
  if (make.into !== undefined && make.max !== undefined)
    context.report([...path, 'max'], '"max" 与 "into" 不能同时使用', 'key');
  // Lines go into a document: the condition is on that document.
  const head = targetPlace(make.to.split('.')[0] ?? '', context.catalog) ?? target;
  lintFilter(context, [...path, 'into'], make.into, { place: head, record: source, source });
  for (const [lines, entry] of Object.entries(make.lines ?? {})) {
    const here = [...path, 'lines', lines];
    const cells = targetPlace(`${make.to}.${lines}`, context.catalog);
    if (cells === null) {
      context.report(here, `${target.resource.title}没有明细 "${lines}"`, 'key');
      continue;
    }
    const of = entry.of === OF_RECORD ? make.each : (entry.of ?? lines);
    if (!isLinesField(context, entry.of === undefined ? here : [...here, 'of'], of)) continue;
    const own = context.place(of);
    lintFilter(context, [...here, 'where'], entry.where, { place: own, record: own });
    lintSame(context, here, entry, { target: cells, own });
    const where = { place: own };
    lintGivenValues(context, [...here, 'map'], entry.map, { target: cells, where, isWrite: true });
    lintMadeFinds(context, [...here, 'find'], entry.find, { target: cells, own });
  }
}

/** What is looked for is a reference of what is made; its condition is on the records that it refers to. */
function lintMadeFinds(
  context: ResourceLint,
  path: JsonPath,
  finds: MadeFinds | undefined,
  { target, own }: { readonly target: PathPlace; readonly own: PathPlace },
): void {
  for (const [name, { where, order, else: otherwise }] of Object.entries(finds ?? {})) {
    const field = context.field([...path, name], name, target);
    if (field === null) continue;
    const place = typeof field.to === 'string' ? targetPlace(field.to, context.catalog) : null;
    if (place === null || place.lines !== undefined) {
      context.report([...path, name], `"${name}" 不引用单据或档案`, 'key');
      continue;
    }
    lintFilter(context, [...path, name, 'where'], where, { place, record: own, source: own });
    lintGivenValues(context, [...path, name, 'else'], otherwise, { target, where: { place: own } });
    for (const [index, by] of (order ?? []).entries())
      context.field([...path, name, 'order', index], by.replace(/^-/, ''), place);
  }
}

/** What is made begins in its initial state: the action that runs then must start there. */
function lintMadeAction(
  context: ResourceLint,
  path: JsonPath,
  make: MakeDefinition,
  { title, lifecycle, ...target }: Resource,
): void {
  if (make.do === undefined) return;
  context.name(
    [...path, 'do'],
    `${title}的动作`,
    make.do,
    actionsIn({ ...target, title, ...(lifecycle === undefined ? {} : { lifecycle }) }),
  );
  const from = lifecycle?.actions[make.do]?.from;
  if (lifecycle !== undefined && from !== undefined && !from.includes(lifecycle.initial))
    context.report(
      [...path, 'do'],
      `生成的${title}在状态 ${lifecycle.initial}，不能执行 ${make.do}（只能在 ${from.join('、')}）`,
    );
}

/** Fields that are copied: the source has them (its line, or its head) and their values fit. */
function lintSame(
  context: ResourceLint,
  path: JsonPath,
  { same = [], except }: Pick<MakeDefinition, 'same' | 'except'>,
  { target, own }: { readonly target: PathPlace; readonly own: PathPlace },
): void {
  if (except !== undefined && same !== '*')
    context.report([...path, 'except'], '"except" 只与 "same": "*" 一起使用', 'key');
  for (const [index, name] of (except ?? []).entries())
    context.field([...path, 'except', index], name, target);
  if (typeof same === 'string') {
    if (same !== '*') context.report([...path, 'same'], '"same" 应为列表或 "*"');
    return;
  }
  for (const [index, name] of same.entries()) {
    const here = [...path, 'same', index];
    const theirs = context.field(here, name, target);
    const head = { ...own, lines: undefined };
    const isOfHead = own.lines !== undefined && resolveFieldPath(own, name).kind === 'unknown';
    const mine = context.field(here, name, isOfHead ? head : own);
    if (theirs === null || mine === null || theirs.type === 'lines' || mine.type === 'lines') continue;
    const fault = assignmentFault(typeOfField(mine, context.catalog), typeOfField(theirs, context.catalog));
    if (fault !== null) context.report(here, `"${name}" 在两处不同：${fault}`);
  }
}

/** A column of own lines, by whose values they are told apart. */
function lintPer(context: ResourceLint, path: JsonPath, { per, each }: MakeDefinition): void {
  if (per === undefined) return;
  const [lines = '', column, further] = per.split('.');
  if (context.field([...path, 'per'], per, context.place()) === null) return;
  if (context.resource.fields[lines]?.type !== 'lines' || column === undefined || further !== undefined)
    context.report([...path, 'per'], `"${per}" 不是本单据明细的一列`);
  if (each !== undefined) context.report([...path, 'per'], '"per" 与 "each" 不能同时使用', 'key');
}
