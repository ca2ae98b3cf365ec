import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { isSameValue } from '../form/record-changes.ts';

const FLASH_MS = 600;

/** The fields of the head that a save changed. */
export function savedFields(resource: Resource, before: ErpRecord, sent: ErpRecord): readonly string[] {
  return Object.values(resource.fields)
    .filter((field) => field.type !== 'lines' && !field.computed)
    .filter((field) => !isSameValue(field, before[field.name], sent[field.name]))
    .map(({ name }) => name);
}

/** Fields that were just saved are framed once, softly; for whom the system keeps still they are not. */
export function flashSaved(form: HTMLElement | null, names: readonly string[]): void {
  if (form === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  for (const name of names)
    form.querySelector(`[data-field="${name}"] > .form-control`)?.animate(
      [
        { boxShadow: '0 0 0 3px var(--good-soft)', borderRadius: '6px' },
        { boxShadow: '0 0 0 3px transparent', borderRadius: '6px' },
      ],
      { duration: FLASH_MS, easing: 'ease-in' },
    );
}
