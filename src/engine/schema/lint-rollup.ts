import { typeOfField } from '../expression/type-scope.ts';
import { assignmentFault, isNumeric, typeTitle, type ValueType } from '../expression/value-type.ts';
import type { RollupDefinition } from './definition.ts';
import { type PathPlace, targetPlace } from './field-path.ts';
import { filterReads } from './filter-reads.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintFilter } from './lint-filter.ts';
import { idFault, lintEqual } from './lint-others.ts';
import { lintUnstoredSource } from './lint-unstored.ts';
import type { Field } from './resource.ts';
import type { JsonPath } from './source-file.ts';
import { suggestion } from './suggest-name.ts';

/** Checks a figure over other records: what it is over, by which field, one measure. */
export function lintRollup(
  context: ResourceLint,
  path: JsonPath,
  {
    rollup,
    lines,
    type,
  }: {
    readonly rollup: RollupDefinition;
    readonly lines: string | undefined;
    /** What the figure is kept in. */
    readonly type: ValueType;
  },
): void {
  const target = targetPlace(rollup.of, context.catalog);
  if (target === null) {
    context.report(
      [...path, 'of'],
      `未知资源 "${rollup.of}"${suggestion(rollup.of, Object.keys(context.catalog.resources))}`,
    );
    return;
  }
  const own = context.place(lines);
  if (typeof rollup.by === 'string') {
    const field = lintColumn(context, [...path, 'by'], rollup.by, target);
    const fault = field === null ? null : idFault(field, own);
    if (fault !== null) context.report([...path, 'by'], fault);
  } else
    for (const [theirs, value] of Object.entries(rollup.by)) {
      const field = lintColumn(context, [...path, 'by', theirs], theirs, target);
      if (field !== null) lintEqual(context, [...path, 'by', theirs], { field, own: value, source: own });
    }
  const measures = (['sum', 'max', 'min', 'avg'] as const).filter((key) => rollup[key] !== undefined);
  if (measures.length + (rollup.count === true ? 1 : 0) !== 1)
    context.report(path, '汇总须有 sum、count、max、min、avg 之一');
  if (rollup.count === true && !isNumeric(type))
    context.report([...path, 'count'], `汇总的结果不合字段：应为${typeTitle(type)}，不是数字`);
  for (const key of measures) {
    const name = rollup[key];
    if (name === undefined) continue;
    const measured = lintColumn(context, [...path, key], name, target);
    if (measured !== null) lintMeasure(context, [...path, key], { key, measured, type });
    lintUnstoredSource(context, [...path, key], name, target);
  }
  for (const name of filterReads(rollup.where).fields)
    lintUnstoredSource(context, [...path, 'where', name], name, target);
  lintFilter(context, [...path, 'where'], rollup.where, {
    place: target,
    record: null,
    source: lines === undefined ? context.place() : undefined,
  });
}

/** What rows are tied and measured by is a column of their own table, or of their head's (`parent.`); null after a fault. */
function lintColumn(context: ResourceLint, path: JsonPath, name: string, target: PathPlace): Field | null {
  const at = path.at(-1) === name ? 'key' : 'value';
  const field = context.field(path, name, target, at);
  if (field === null || !name.replace(/^parent\./, '').includes('.')) return field;
  const { resource, lines } = target;
  const [head = '', column = ''] = name.split('.');
  const isOfLines = lines === undefined && resource.fields[head]?.type === 'lines';
  const instead = isOfLines ? `，请写 "of": "${resource.resource}.${head}" 与 "${column}"` : '';
  context.report(path, `"${name}" 不是${resource.title}的列，不能用于汇总${instead}`, at);
  return null;
}

/** Only numbers are added up; what comes of it fits the field that keeps it. Whose currency a sum has, its `where` says. */
function lintMeasure(
  context: ResourceLint,
  path: JsonPath,
  {
    key,
    measured,
    type,
  }: { readonly key: 'sum' | 'max' | 'min' | 'avg'; readonly measured: Field; readonly type: ValueType },
): void {
  const of = typeOfField(measured, context.catalog);
  if ((key === 'sum' || key === 'avg') && !isNumeric(of))
    return context.report(path, `"${measured.name}" 不是数字，不能求${key === 'sum' ? '和' : '平均'}`);
  const fault = assignmentFault(of.kind === 'money' ? { kind: 'money' } : of, type);
  if (fault !== null) context.report(path, `汇总的结果不合字段：${fault}`);
}
