import { useEffect, useRef } from 'react';
import type { SectionDefinition } from '#engine/schema/layout-definition.ts';
import type { FormPlace } from '../form/form-context.ts';
import { firstEmptyRequired, focusPath } from '../form/form-focus.ts';

/** Work begins in the first required field that is empty: once for each form, and never away from where somebody is. */
export function useFirstFocus(
  place: FormPlace,
  sections: readonly SectionDefinition[],
  isActive: boolean,
): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (!isActive || isDone.current) return undefined;
    // After the paint: the tab that opens the form has the focus until then.
    const frame = requestAnimationFrame(() => {
      isDone.current = true;
      if (isWritingElsewhere()) return;
      const name = firstEmptyRequired(place.store, sections);
      if (name !== null) focusPath(place, name);
    });
    return () => cancelAnimationFrame(frame);
  }, [isActive, place, sections]);
}

/** A dialog is open, or one types already. */
function isWritingElsewhere(): boolean {
  const { activeElement } = document;
  if (document.querySelector('.ant-modal-wrap:not([style*="display: none"])') !== null) return true;
  return activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement;
}
