import { canSee } from '#engine/access/resource-access.ts';
import { attachReferences, type OpenRecord } from '#server/records/read/attach-references.ts';
import type { LookupRequest } from './lookup-request.ts';
import type { Call } from '#server/records/call/open-call.ts';

/** What picking a row puts into the form. */
export interface LookupFill {
  readonly fill: Readonly<Record<string, unknown>>;
  readonly fillLabels: Readonly<Record<string, unknown>>;
  /** Values of the record that rules of the asking resource read, by path from the field: `buyer_id.is_sanctioned`. */
  readonly paths: Readonly<Record<string, unknown>>;
}

export const NO_FILL: LookupFill = { fill: {}, fillLabels: {}, paths: {} };

/**
 * What picking a row would put into the form, and the values that rules read from it: the same loading as for a saved
 * record, on records that have nothing but the picked reference.
 */
export async function fillValues(
  call: Call,
  asked: LookupRequest,
  rows: readonly OpenRecord[],
): Promise<readonly LookupFill[]> {
  const { field, lines } = asked;
  const own = lines === null ? call.resource.fields : (call.resource.fields[lines]?.fields ?? {});
  const base = asked.line ?? asked.record;
  const by = typeof field.to === 'object' ? { [field.to.by]: base[field.to.by] } : {};
  const holders: OpenRecord[] = rows.map((row) => ({ ...by, [field.name]: row['id'] }));
  const heads = lines === null ? holders : holders.map((line) => ({ [lines]: [line] }));
  const prefix = lines === null ? '' : `${lines}.`;
  const fillPaths = Object.values(field.fill ?? {}).map((theirs) => `${prefix}${field.name}.${theirs}`);
  const company = call.caller.subject.co_code;
  const request = { catalog: call.catalog, resource: call.resource, company, reader: call };
  const { closed } = await attachReferences(call.services.db, {
    ...request,
    records: heads,
    withPaths: true,
    withLabels: false,
    extraPaths: fillPaths,
  });
  const filled = holders.map((holder) => {
    const paths: unknown = holder['_paths'];
    const known: OpenRecord = typeof paths === 'object' && paths !== null ? { ...paths } : {};
    const fill: OpenRecord = {};
    for (const [mine, theirs] of Object.entries(field.fill ?? {}))
      if (own[mine] !== undefined && canSee(call.access, `${prefix}${mine}`))
        fill[mine] = known[`${field.name}.${theirs}`] ?? null;
    const rulePaths = Object.entries(known).filter(
      ([path]) =>
        call.resource.paths.includes(`${prefix}${path}`) &&
        !call.access.hiddenPaths.has(`${prefix}${path}`) &&
        closed.get(holder)?.has(path) !== true,
    );
    return { fill, paths: Object.fromEntries(rulePaths) };
  });
  const labelled: OpenRecord[] = filled.map(({ fill }) => ({ ...fill }));
  const asRecords = lines === null ? labelled : labelled.map((line) => ({ [lines]: [line] }));
  await attachReferences(call.services.db, {
    ...request,
    records: asRecords,
    withPaths: false,
    withLabels: true,
  });
  return filled.map(({ fill, paths }, index) => {
    const labels: unknown = labelled[index]?.['_labels'];
    return { fill, paths, fillLabels: typeof labels === 'object' && labels !== null ? { ...labels } : {} };
  });
}
