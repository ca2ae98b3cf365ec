import type { FieldDefinition } from './definition.ts';
import { headPath } from './formula-order.ts';
import { formulaReads } from './formula-reads.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintGivenValues } from './lint-formula.ts';
import type { JsonPath } from './source-file.ts';

/** Checks `follows` of a list: its own columns, taken from columns of values over fields of the head that people write. */
export function lintFollows(context: ResourceLint, name: string, { follows }: FieldDefinition): void {
  if (follows === undefined) return;
  const path = ['fields', name, 'follows'];
  const target = context.place(name);
  lintGivenValues(context, path, follows, {
    target,
    where: { place: context.place() },
    areRows: true,
    isWrite: true,
  });
  for (const [column, formula] of Object.entries(follows)) {
    const reads = formulaReads(formula).map((read) => headPath(read, undefined));
    // Lists follow before formulas run, and tell by these fields that there is something new to follow.
    const unfit = reads.find((read) => !isTyped(context, read.split('.')[0] ?? ''));
    if (unfit !== undefined || reads.length === 0)
      context.report(
        [...path, column],
        `须取自表头上由人填写的字段${unfit === undefined ? '' : `，不能用 ${unfit}`}`,
      );
  }
}

/** Checks what a field takes over from before: parts of a former text, and former values. */
export function lintFormer(
  context: ResourceLint,
  path: JsonPath,
  { field, lines }: { readonly field: FieldDefinition; readonly lines: string | undefined },
): void {
  const { partsOf, were, options } = field;
  if (partsOf !== undefined && lines === undefined)
    context.report([...path, 'partsOf'], '只有明细的列可以由原有的文字拆成', 'key');
  else if (partsOf !== undefined && Object.hasOwn(context.definition.fields, partsOf))
    context.report([...path, 'partsOf'], `"${partsOf}" 还是本单的字段，应写已取消的字段`);
  for (const [former, now] of Object.entries(were ?? {})) {
    const values = options ?? valuesOf(context, field.dictionary);
    if (values !== null && !Object.hasOwn(values, now))
      context.report([...path, 'were', former], `"${now}" 不是现在的值`);
    if (values !== null && Object.hasOwn(values, former))
      context.report([...path, 'were', former], `"${former}" 还是现在的值`, 'key');
  }
}

/** The values of a dictionary; null for one that rows fill. */
function valuesOf(
  { catalog }: ResourceLint,
  dictionary: string | undefined,
): Readonly<Record<string, unknown>> | null {
  const items = dictionary === undefined ? [] : (catalog.dictionaries[dictionary]?.items ?? []);
  return items.length === 0 ? null : Object.fromEntries(items.map(({ value }) => [value, true]));
}

function isTyped({ resource }: ResourceLint, name: string): boolean {
  const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined;
  return field !== undefined && field.type !== 'lines' && !field.computed;
}
