import type { ActionName, FieldName, ResourceName } from '#trade/names.ts';
import {
  insertRecord,
  readRecord,
  runSystemAction,
  type SystemContext,
  updateRecordFields,
} from '#server/records/write/system-write.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';

/** Values of a shipped resource: a renamed field is an error of the compiler. */
export type Values<R extends ResourceName> = { readonly [Field in FieldName<R>]?: unknown };

/** {@link insertRecord} of a shipped resource. */
export function insertNamed<R extends ResourceName>(
  context: SystemContext,
  key: R,
  values: Values<R>,
): Promise<OpenRecord> {
  return insertRecord(context, key, { ...values });
}

/** {@link updateRecordFields} of a shipped resource. */
export function updateNamed<R extends ResourceName>(
  context: SystemContext,
  key: R,
  change: {
    readonly id: string;
    readonly fields: Values<R>;
    readonly action?: string;
    readonly opinion?: string | null;
  },
): Promise<OpenRecord> {
  return updateRecordFields(context, key, { ...change, fields: { ...change.fields } });
}

/** {@link readRecord} of a shipped resource. */
export function readNamed(
  context: SystemContext,
  key: ResourceName,
  id: string,
  isLocking = false,
): Promise<OpenRecord | null> {
  return readRecord(context, key, id, isLocking);
}

/** {@link runSystemAction} of a shipped resource. */
export function runNamed<R extends ResourceName>(
  context: SystemContext,
  key: R,
  run: {
    readonly id: string;
    readonly action: ActionName<R>;
    readonly inputs?: OpenRecord;
    readonly opinion?: string | null;
  },
): Promise<OpenRecord> {
  return runSystemAction(context, key, run);
}
