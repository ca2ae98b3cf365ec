import { canSee } from '#engine/access/resource-access.ts';
import { copiedNames } from '#engine/schema/copied-names.ts';
import { type MakeDefinition, OF_RECORD, type ValueDefinitions } from '#engine/schema/effects-definition.ts';
import { fieldsAt, targetPlace } from '#engine/schema/field-path.ts';
import { headPath } from '#engine/schema/formula-order.ts';
import { formulaReads } from '#engine/schema/formula-reads.ts';
import type { Call } from '#server/records/call/open-call.ts';

/**
 * Fields of a made document (or of its `lines`) whose value comes from what the reader of the source may not see: saved
 * by the system, never shown beforehand.
 */
export function closedValues(source: Call, make: MakeDefinition, lines: string | null): ReadonlySet<string> {
  const entry = (lines === null ? make : make.lines?.[lines]) ?? {};
  const from = lines === null ? make.each : (make.lines?.[lines]?.of ?? lines);
  const of = from === OF_RECORD ? make.each : from;
  const target = targetPlace(lines === null ? make.to : `${make.to}.${lines}`, source.catalog);
  const own = of === undefined ? source.resource.fields : (source.resource.fields[of]?.fields ?? {});
  const same = target === null ? [] : copiedNames(entry, { fields: fieldsAt(target), own });
  return new Set([
    // What only the head has is copied from the head.
    ...same.filter((name) => !isOpen(source, name, Object.hasOwn(own, name) ? of : undefined)),
    ...closedIn(source, entry.map ?? {}, of),
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
