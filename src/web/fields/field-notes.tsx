import type { Field } from '#engine/schema/resource.ts';
import { useRead } from '#web/data/use-read.ts';

interface FieldNotesProps {
  readonly resource: string;
  /** Name of the field in the head, or of the lines and the column: `items.unit_price`. */
  readonly path: string;
  readonly field: Field;
  /** Why it is as it is now; null where there is nothing special about it. */
  readonly why: string | null;
}

/**
 * What a field is for: why it is as it is, its hint, what its definition says of it. Read when it is asked for: the same
 * words as on the help page of the resource.
 */
export function FieldNotes({ resource, path, field, why }: FieldNotesProps) {
  const { data, isLoading } = useRead(
    'GET /meta/resources/:resource/help',
    { params: { resource } },
    { key: ['resource-help', resource], staleTimeMs: 600_000, isEnabled: resource !== '' },
  );
  const [head, column] = path.split('.');
  const fields = data?.sections.flatMap((section) => section.fields) ?? [];
  const own = fields.find(({ name }) => name === head);
  const helped = column === undefined ? own : own?.columns.find(({ name }) => name === column);
  const known = [field.required && field.drawn !== true ? '必填' : null, why, field.hint ?? null].filter(
    (text) => text !== null,
  );
  const lines = [...new Set([...known, ...(helped?.notes ?? [])])];
  if (lines.length > 0) return lines.join('\n');
  return isLoading ? '读取中…' : '选填，没有别的要求';
}
