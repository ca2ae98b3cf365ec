import type { FieldDefinition } from './definition.ts';
import type { ResourceLint } from './lint-context.ts';
import type { JsonPath } from './source-file.ts';

/** What a cell opens is written beside it: the resource as text, the condition as a filter. */
export function lintOpens(
  context: ResourceLint,
  path: JsonPath,
  { field, lines }: { readonly field: FieldDefinition; readonly lines: string | undefined },
): void {
  if (field.opens === undefined) return;
  const beside = lines === undefined ? {} : context.resource.fields[lines]?.fields;
  const { resource, where } = field.opens;
  if (beside?.[resource]?.type !== 'text')
    context.report([...path, 'opens', 'resource'], `"${resource}" 应为同一明细中的文本列`);
  if (beside?.[where]?.json !== 'filter')
    context.report([...path, 'opens', 'where'], `"${where}" 应为同一明细中的条件列（"json": "filter"）`);
}

/** What a column recalls by: fields of its line, or of the head of its record. */
export function lintRecalls(
  context: ResourceLint,
  path: JsonPath,
  { field: { recalls = [] }, lines }: { readonly field: FieldDefinition; readonly lines: string | undefined },
): void {
  if (recalls.length > 0 && lines === undefined)
    context.report([...path, 'recalls'], '只有明细的列可以带出最近的值', 'key');
  for (const [index, name] of recalls.entries())
    context.field([...path, 'recalls', index], name, context.place(lines));
}

/** What is shown beside a line in pickers: its columns, or fields of its head. */
export function lintCaption(
  context: ResourceLint,
  path: JsonPath,
  { type, caption = [] }: FieldDefinition,
): void {
  if (caption.length > 0 && type !== 'lines')
    context.report([...path, 'caption'], '只有明细可以写在旁显示的列', 'key');
  const [lines] = path.slice(-1);
  if (typeof lines !== 'string') return;
  for (const [index, name] of caption.entries())
    context.field([...path, 'caption', index], name, context.place(lines));
}
