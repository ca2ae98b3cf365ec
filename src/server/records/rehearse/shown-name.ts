import { withoutRehearsed } from '#server/records/call/rehearsal.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { labelKey, visibleLabels } from '#server/records/ledger/visible-labels.ts';

/** A record by its name; without id and label where the caller may not read it. */
export interface ShownName {
  readonly resource: string;
  readonly title: string;
  readonly id: string | null;
  readonly label: string | null;
}

export type NameOf = (record: { readonly resource: string; readonly id: string }) => ShownName;

/** The names of records, as far as the caller may read them. */
export async function namesFor(
  db: Reader,
  call: Call,
  records: readonly { readonly resource: string; readonly id: string }[],
): Promise<NameOf> {
  const labels = await visibleLabels(db, call, records);
  return ({ resource, id }) => {
    const label = labels.get(labelKey(resource, id));
    return {
      resource,
      title: call.catalog.resources[resource]?.title ?? '',
      id: label === undefined ? null : id,
      label: label === undefined ? null : withoutRehearsed(label),
    };
  };
}
