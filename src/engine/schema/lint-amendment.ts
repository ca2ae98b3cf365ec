import type { AmendmentDefinition } from './effects-definition.ts';
import { targetPlace } from './field-path.ts';
import type { ResourceLint } from './lint-context.ts';
import { actionsIn, statesIn } from './lint-states.ts';
import { suggestion } from './suggest-name.ts';

/** The columns of the lines with the changes, and those that changes of lines need besides. */
const CHANGE_COLUMNS = ['field', 'old_value', 'new_value'];
const LINE_COLUMNS = ['op', 'line_no'];

/** Checks a document that changes another: what it changes, by which actions that opens and closes, where the changes stand. */
export function lintAmendment(context: ResourceLint): void {
  const { amendment } = context.definition;
  if (amendment === undefined) return;
  lintOwnFields(context, amendment);
  const target = targetPlace(amendment.of, context.catalog);
  if (target === null || target.lines !== undefined) {
    const known = Object.keys(context.catalog.resources);
    return context.report(
      ['amendment', 'of'],
      `未知资源 "${amendment.of}"${suggestion(amendment.of, known)}`,
    );
  }
  const by = context.field(['amendment', 'by'], amendment.by, context.place());
  if (by !== null && by.to !== amendment.of)
    context.report(['amendment', 'by'], `"${amendment.by}" 不引用${target.resource.title}`);
  for (const key of ['open', 'close'] as const)
    context.name(
      ['amendment', key],
      `${target.resource.title}的动作`,
      amendment[key],
      actionsIn(target.resource),
    );
  for (const [index, name] of amendment.fields.entries())
    context.field(['amendment', 'fields', index], name, target);
  for (const lines of Object.keys(amendment.lines ?? {}))
    if (target.resource.fields[lines]?.type !== 'lines')
      context.report(['amendment', 'lines', lines], `${target.resource.title}没有明细 "${lines}"`, 'key');
  for (const [state, names] of Object.entries(amendment.onlyLess ?? {})) {
    context.name(['amendment', 'onlyLess', state], '状态', state, statesIn(target.resource));
    for (const [index, name] of names.entries())
      context.field(['amendment', 'onlyLess', state, index], name, target);
  }
}

/** The lines with the changes, and the fields that keep what was. */
function lintOwnFields(context: ResourceLint, amendment: AmendmentDefinition): void {
  const columns = context.resource.fields[amendment.changes]?.fields;
  if (columns === undefined) context.report(['amendment', 'changes'], `"${amendment.changes}" 不是明细`);
  else
    for (const name of [...CHANGE_COLUMNS, ...(amendment.lines === undefined ? [] : LINE_COLUMNS)])
      if (columns[name] === undefined)
        context.report(['amendment', 'changes'], `明细 "${amendment.changes}" 须有列 "${name}"`);
  if (amendment.stage !== undefined) context.field(['amendment', 'stage'], amendment.stage, context.place());
  for (const [index, name] of (amendment.snapshots ?? []).entries()) {
    const field = context.field(['amendment', 'snapshots', index], name, context.place());
    if (field !== null && field.type !== 'json')
      context.report(['amendment', 'snapshots', index], `"${name}" 应为 json`);
  }
}
