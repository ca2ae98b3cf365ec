import type { StateNames } from './effects-definition.ts';
import type { LintContext } from './lint-context.ts';
import type { Resource } from './resource.ts';
import type { JsonPath } from './source-file.ts';
import { isGroup } from './state-groups.ts';

/** Checks names of states (and whatever else is among `known`) and of the resource's groups. */
export function lintStates(
  context: LintContext,
  path: JsonPath,
  names: StateNames | undefined,
  known: ReadonlySet<string>,
): void {
  if (names === undefined) return;
  const groups = new Set(Object.keys(context.resource.lifecycle?.groups ?? {}).map((name) => `@${name}`));
  const check = (name: string, at: JsonPath): void =>
    context.name(at, isGroup(name) ? '状态组' : '状态', name, isGroup(name) ? groups : known);
  if (typeof names === 'string') check(names, path);
  else for (const [index, name] of names.entries()) check(name, [...path, index]);
}

/** The states of a resource. */
export function statesIn(resource: Resource): ReadonlySet<string> {
  return new Set(Object.keys(resource.lifecycle?.states ?? {}));
}

/** The actions of a resource. */
export function actionsIn(resource: Resource): ReadonlySet<string> {
  return new Set(Object.keys(resource.lifecycle?.actions ?? {}));
}

/** Whether documents of another resource change its records. */
export function isAmended(context: LintContext): boolean {
  return Object.values(context.catalog.resources).some(
    ({ amendment }) => amendment?.of === context.resource.resource,
  );
}

/** Whether an action of it asks for approval. */
export function hasApproval(resource: Resource): boolean {
  return Object.values(resource.lifecycle?.actions ?? {}).some(({ approval }) => approval !== undefined);
}
