import { greatestLength } from '../fields/text-value.ts';
import type { AmendmentDefinition } from './effects-definition.ts';
import { targetPlace } from './field-path.ts';
import type { ResourceLint } from './lint-context.ts';
import { actionsIn, statesIn } from './lint-states.ts';
import type { Field } from './resource.ts';
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
  const written = context.resource.fields[amendment.changes]?.fields?.['new_value'];
  for (const [index, name] of amendment.fields.entries()) {
    const field = context.field(['amendment', 'fields', index], name, target);
    if (field !== null && written !== undefined && !holds(written, field))
      context.report(['amendment', 'fields', index], `"${name}" 的内容在 "new_value" 中写不下`);
  }
  for (const lines of Object.keys(amendment.lines ?? {}))
    if (target.resource.fields[lines]?.type !== 'lines')
      context.report(['amendment', 'lines', lines], `${target.resource.title}没有明细 "${lines}"`, 'key');
  for (const [state, names] of Object.entries(amendment.onlyLess ?? {})) {
    context.name(['amendment', 'onlyLess', state], '状态', state, statesIn(target.resource));
    for (const [index, name] of names.entries())
      context.field(['amendment', 'onlyLess', state, index], name, target);
  }
}

/** Whether a column for the new value takes each text that its field may have: as long, in as many lines. */
function holds(written: Field, field: Field): boolean {
  if (field.type !== 'text' && field.type !== 'textarea') return true;
  if (written.type !== 'text' && written.type !== 'textarea') return false;
  if (field.type === 'textarea' && written.type === 'text') return false;
  return greatestLength(field, field.type) <= greatestLength(written, written.type);
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
