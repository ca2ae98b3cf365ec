import { canSee } from '#engine/access/resource-access.ts';
import type { MakeDefinition, ValueDefinitions } from '#engine/schema/effects-definition.ts';
import { headPath } from '#engine/schema/formula-order.ts';
import { formulaReads } from '#engine/schema/formula-reads.ts';
import type { Call } from '#server/records/call/open-call.ts';

/**
 * Fields of a made document (or of its `lines`) whose value comes from what the reader of the source may not see: saved
 * by the system, never shown beforehand.
 */
export function closedValues(source: Call, make: MakeDefinition, lines: string | null): ReadonlySet<string> {
  const entry = lines === null ? make : make.lines?.[lines];
  const of = lines === null ? make.each : (make.lines?.[lines]?.of ?? lines);
  const same = Array.isArray(entry?.same) ? entry.same : [];
  return new Set([
    ...same.filter((name) => !isOpen(source, name, of)),
    ...closedIn(source, entry?.map ?? {}, of),
  ]);
}

function closedIn(source: Call, values: ValueDefinitions, of: string | undefined): readonly string[] {
  return Object.entries(values)
    .filter(
      ([, value]) =>
        typeof value === 'string' && formulaReads(value).some((path) => !isOpen(source, path, of)),
    )
    .map(([name]) => name);
}

function isOpen({ access, resource }: Call, path: string, of: string | undefined): boolean {
  if (/^(input|user|company)\.|^today$/.test(path)) return true;
  const full = headPath(path, of);
  if (access.hiddenPaths.has(full)) return false;
  const [head = '', column] = full.split('.');
  if (!canSee(access, head)) return false;
  return (
    column === undefined || resource.fields[head]?.type !== 'lines' || canSee(access, `${head}.${column}`)
  );
}
