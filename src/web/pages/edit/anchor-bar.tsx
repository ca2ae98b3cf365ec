import { useSyncExternalStore } from 'react';
import type { SectionDefinition } from '#engine/schema/layout-definition.ts';
import { isDrawn } from '../form/drawn-section.ts';
import type { FormStore } from '../form/form-store.ts';

interface AnchorBarProps {
  readonly sections: readonly SectionDefinition[];
  readonly store: FormStore;
  readonly formId: string;
}

/** The sections that the form draws; a click scrolls to one. */
export function AnchorBar({ sections, store, formId }: AnchorBarProps) {
  // As one text, which is the same for as long as they are.
  const drawn = useSyncExternalStore(store.subscribeAny, () =>
    sections.map((section) => (isDrawn(section, store) ? '1' : '0')).join(''),
  );
  const shown = sections.flatMap((section, index) => (drawn[index] === '1' ? [{ section, index }] : []));
  if (shown.length < 2) return null;
  return (
    <nav className="form-anchors" aria-label="表单分区">
      {shown.map(({ section, index }) => (
        <button
          key={section.title}
          type="button"
          onClick={() =>
            document
              .getElementById(`${formId}-section-${index}`)
              ?.scrollIntoView({ behavior: 'smooth', block: 'start' })
          }
        >
          {section.title}
        </button>
      ))}
    </nav>
  );
}
