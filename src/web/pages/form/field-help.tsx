import type { Field } from '#engine/schema/resource.ts';
import { useRead } from '#web/data/use-read.ts';
import { useFormPlace } from './form-context.ts';
import { WhyButton } from './why-button.tsx';

interface FieldHelpProps {
  readonly field: Field;
  /** Why it is as it is now; null where there is nothing special about it. */
  readonly why: string | null;
}

/** ? of a field: why it is as it is, what it is for, and what its definition says of it. */
export function FieldHelp({ field, why }: FieldHelpProps) {
  return (
    <WhyButton
      title={field.title}
      isQuiet={why === null && field.hint === undefined}
      reason={<FieldNotes field={field} why={why} />}
    />
  );
}

/** Read when it is asked for: the same words as on the help page of the resource. */
function FieldNotes({ field, why }: FieldHelpProps) {
  const { store } = useFormPlace();
  const { resource } = store.resource;
  const { data, isLoading } = useRead(
    'GET /meta/resources/:resource/help',
    { params: { resource } },
    { key: ['resource-help', resource], staleTimeMs: 600_000 },
  );
  const fields = data?.sections.flatMap((section) => section.fields) ?? [];
  const notes = fields.find(({ title }) => title === field.title)?.notes ?? [];
  const known = [why, field.hint ?? null].filter((text) => text !== null);
  const lines = [...new Set([...known, ...notes])];
  if (lines.length > 0) return lines.join('\n');
  return isLoading ? '读取中…' : field.required ? '必填' : '选填，没有别的要求';
}
