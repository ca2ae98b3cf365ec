import type { SectionDefinition } from '#engine/schema/layout-definition.ts';
import type { FieldProblem, Resource } from '#engine/schema/resource.ts';

/** What an amendment opens: the fields themselves, and every column of tables among them. */
export function amendedPaths(resource: Resource, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [
    name,
    ...Object.keys(resource.fields[name]?.fields ?? {}).map((column) => `${name}.${column}`),
  ]);
}

/** The sections of the form in which something may be amended. */
export function amendedSections(resource: Resource, names: readonly string[]): readonly SectionDefinition[] {
  return resource.edit.filter((section) =>
    'lines' in section ? names.includes(section.lines) : section.fields.some((name) => names.includes(name)),
  );
}

/** Problems of the record itself; those of the action's inputs lose their prefix. */
export function inputsProblems(problems: readonly FieldProblem[]): readonly FieldProblem[] {
  return problems.map((problem) => ({ ...problem, path: problem.path.replace(/^inputs\.(changes\.)?/, '') }));
}
