import type { FieldProblem, Resource } from '#engine/schema/resource.ts';

/** `商品明细第3行` of a problem in a line; empty for the fields of the head. */
export function lineTitle(
  { fields }: Pick<Resource, 'fields'>,
  { path }: Pick<FieldProblem, 'path'>,
): string {
  const [name = '', index] = path.split('.');
  const field = fields[name];
  return field?.type === 'lines' && index !== undefined ? `${field.title}第${Number(index) + 1}行` : '';
}

/** The message with the title of its field or column before it, where it does not name it itself. */
export function problemText({ fields }: Pick<Resource, 'fields'>, { path, message }: FieldProblem): string {
  const [name = '', , column] = path.split('.');
  const head = fields[name];
  const field = column === undefined ? head : head?.fields?.[column];
  return field === undefined || message.includes(field.title) ? message : `${field.title}：${message}`;
}

/** The whole of it where no form stands around it: `商品明细第3行：请填写单价`. */
export function placedText(resource: Pick<Resource, 'fields'>, problem: FieldProblem): string {
  const [line, text] = [lineTitle(resource, problem), problemText(resource, problem)];
  return line === '' ? text : `${line}：${text}`;
}

/** Those of some problems that have a place in the form of a resource. */
export function placedProblems(
  { fields }: Pick<Resource, 'fields'>,
  problems: readonly FieldProblem[],
): readonly FieldProblem[] {
  return problems.filter(({ path }) => fields[path.split('.')[0] ?? ''] !== undefined);
}
