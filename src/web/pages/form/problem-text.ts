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
  const [name = '', index, column] = path.split('.');
  const head = fields[name];
  // A line as a whole is named by its number.
  const field = index === undefined ? head : head?.fields?.[column ?? ''];
  return field === undefined || message.includes(field.title) ? message : `${field.title}：${message}`;
}

/** The whole of it where no form stands around it: `商品明细第3行：请填写单价`. */
export function placedText(resource: Pick<Resource, 'fields'>, problem: FieldProblem): string {
  const [line, text] = [lineTitle(resource, problem), problemText(resource, problem)];
  return line === '' ? text : `${line}：${text}`;
}

/** What many lines have in common is said once: `商品明细第1、3行：单价低于成本`, with the path of the first. */
export function gatheredTexts(
  resource: Pick<Resource, 'fields'>,
  problems: readonly FieldProblem[],
): readonly { readonly text: string; readonly path: string }[] {
  const gathered = new Map<
    string,
    { readonly path: string; readonly text: string; readonly lines: Set<number> }
  >();
  for (const problem of problems) {
    const { line, of } = lineOf(resource, problem);
    const text = problemText(resource, of);
    const key = `${line === null ? '' : problem.path.split('.')[0]} ${text}`;
    const known = gathered.get(key) ?? { text, path: of.path, lines: new Set() };
    if (line !== null) known.lines.add(line);
    gathered.set(key, known);
  }
  return [...gathered.values()].map(({ text, path, lines }) => {
    const title = resource.fields[path.split('.')[0] ?? '']?.title ?? '';
    return { path, text: lines.size === 0 ? text : `${title}第${linesText([...lines])}行：${text}` };
  });
}

/** The number of the line that a problem is in, by its path or by its own words (`第3行：…`), and what is left to say of it. */
function lineOf(
  { fields }: Pick<Resource, 'fields'>,
  problem: FieldProblem,
): { readonly line: number | null; readonly of: FieldProblem } {
  const [name = '', index] = problem.path.split('.');
  if (fields[name]?.type !== 'lines') return { line: null, of: problem };
  if (index !== undefined) return { line: Number(index) + 1, of: problem };
  const [, line, message] = /^第(\d+)行：(.+)$/su.exec(problem.message) ?? [];
  if (line === undefined || message === undefined) return { line: null, of: problem };
  return { line: Number(line), of: { ...problem, path: `${name}.${Number(line) - 1}`, message } };
}

const MOST_LINES = 5;

/** `1、3`; of very many the first few: `1、2、3、4、5等40`. */
function linesText(lines: readonly number[]): string {
  const named = lines.slice(0, MOST_LINES).join('、');
  return lines.length > MOST_LINES ? `${named}等${lines.length}` : named;
}

/** Those of some problems that have a place in the form of a resource. */
export function placedProblems(
  { fields }: Pick<Resource, 'fields'>,
  problems: readonly FieldProblem[],
): readonly FieldProblem[] {
  return problems.filter(({ path }) => fields[path.split('.')[0] ?? ''] !== undefined);
}
