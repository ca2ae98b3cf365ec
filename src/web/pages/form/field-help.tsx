import type { Field } from '#engine/schema/resource.ts';
import { FieldNotes } from '#web/fields/field-notes.tsx';
import { WhyButton } from '#web/fields/why-button.tsx';
import { useFormPlace } from './form-context.ts';

interface FieldHelpProps {
  readonly field: Field;
  /** Why it is as it is now; null where there is nothing special about it. */
  readonly why: string | null;
}

/** ? of a field: why it is as it is, what it is for, and what its definition says of it. */
export function FieldHelp({ field, why }: FieldHelpProps) {
  const { store } = useFormPlace();
  return (
    <WhyButton
      title={field.title}
      isQuiet={why === null && field.hint === undefined}
      reason={<FieldNotes resource={store.resource.resource} path={field.name} field={field} why={why} />}
    />
  );
}
