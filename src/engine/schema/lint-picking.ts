import type { Filter } from './definition.ts';
import type { MakeDefinition } from './effects-definition.ts';
import type { PathPlace } from './field-path.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintFilter } from './lint-filter.ts';
import { pickSources } from './pick-sources.ts';
import type { JsonPath } from './source-file.ts';
import { suggestion } from './suggest-name.ts';

/** A form holds one whole document that is not there yet. */
export function lintMadeForm(context: ResourceLint, path: JsonPath, make: MakeDefinition): void {
  if (make.as !== 'form') return;
  if (make.to.includes('.'))
    context.report([...path, 'to'], '"as": "form" 只能打开整张单据的表单，不能是明细');
  for (const key of ['into', 'do'] as const)
    if (make[key] !== undefined) context.report([...path, key], `"as": "form" 不能与 "${key}" 同用`, 'key');
  if (make.title === undefined && !isCarried(context, path))
    context.report([...path, 'as'], '"as": "form" 须有 "title"，作为按钮的名称');
}

/** Checks which makes give the lines that may be picked into a list. */
export function lintPickedLines(context: ResourceLint): void {
  for (const field of Object.values(context.resource.fields))
    for (const [index, name] of (field.from ?? []).entries()) {
      const path = ['fields', field.name, 'from', index];
      if (field.type !== 'lines') context.report(path, '只有明细可以写 "from"');
      else if (!isSource(context, field.name, name))
        context.report(path, noSource(context, field.name, name));
    }
}

/** Checks what an action takes into its lists. */
export function lintPull(
  context: ResourceLint,
  path: JsonPath,
  pull: Readonly<Record<string, Filter>> | undefined,
): void {
  for (const [lines, where] of Object.entries(pull ?? {})) {
    const here = [...path, 'pull', lines];
    const sources = pickSources(context.catalog, context.resource, lines);
    if (sources.length === 0) context.report(here, `"${lines}" 不是写有 "from" 的明细，不能带入`, 'key');
    const source = context.place();
    for (const { resource, of } of sources) {
      const place: PathPlace = { resource, catalog: context.catalog, ...(of === null ? {} : { lines: of }) };
      lintFilter(context, here, where, { place, record: source, source });
    }
  }
}

function isCarried(context: ResourceLint, path: JsonPath): boolean {
  const key = path.at(-1);
  return Object.values(context.definition.lifecycle?.actions ?? {}).some((action) =>
    (action.then ?? []).some(({ make }) => make === key),
  );
}

function isSource(context: ResourceLint, lines: string, name: string): boolean {
  return pickSources(context.catalog, context.resource, lines).some((source) => source.name === name);
}

function noSource({ catalog, resource }: ResourceLint, lines: string, name: string): string {
  const targets = new Set([resource.resource, `${resource.resource}.${lines}`]);
  const known = Object.values(catalog.resources).flatMap((other) =>
    Object.entries(other.makes)
      .filter(([, { to }]) => targets.has(to))
      .map(([key]) => `${other.resource}.${key}`),
  );
  return `"${name}" 不是生成${resource.title}的 ${lines} 的"资源.生成名"${suggestion(name, known)}`;
}
