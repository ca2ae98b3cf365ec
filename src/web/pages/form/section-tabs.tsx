import { useSyncExternalStore } from 'react';
import { type PlacedSection, sectionFields } from './document-layout.ts';
import { hasShown } from './drawn-section.ts';
import { useFormPlace } from './form-context.ts';
import { FormSection } from './form-section.tsx';
import type { FormStore } from './form-store.ts';

interface SectionTabsProps {
  readonly sections: readonly PlacedSection[];
  /** Index of the section in front. */
  readonly front: number;
  readonly onFront: (index: number) => void;
}

/** Terms and other sections below the lines, one in front; a tab says how much is wrong, or still missing, in it. */
export function SectionTabs({ sections, front, onFront }: SectionTabsProps) {
  const { store, formId } = useFormPlace();
  useSyncExternalStore(store.subscribeAny, store.problemRevision);
  // As one text, which is the same for as long as they are.
  const some = useSyncExternalStore(store.subscribeAny, () =>
    sections.map(({ section }) => (hasShown(section, store) ? '1' : '0')).join(''),
  );
  const shown = sections.filter((_, at) => some[at] === '1');
  const current = shown.find(({ index }) => index === front) ?? shown[0];
  if (current === undefined) return null;
  const step = (by: number): void => {
    const next = shown[(shown.indexOf(current) + by + shown.length) % shown.length];
    if (next === undefined) return;
    onFront(next.index);
    document.getElementById(tabId(formId, next.index))?.focus();
  };
  return (
    <div className="section-tabs">
      <div
        role="tablist"
        aria-label="其他分区"
        className="section-tab-list"
        onKeyDown={({ key }) => {
          if (key === 'ArrowRight') step(1);
          else if (key === 'ArrowLeft') step(-1);
        }}
      >
        {shown.map(({ section, index }) => {
          const wrong = problemCount(store, sectionFields(section));
          return (
            <button
              key={index}
              id={tabId(formId, index)}
              type="button"
              role="tab"
              aria-selected={index === current.index}
              aria-controls={`${formId}-section-${current.index}`}
              tabIndex={index === current.index ? 0 : -1}
              onClick={() => onFront(index)}
            >
              {section.title}
              {wrong > 0 && <span className="section-tab-wrong">{wrong}</span>}
            </button>
          );
        })}
      </div>
      <FormSection key={current.index} section={current.section} index={current.index} isInTab />
    </div>
  );
}

function tabId(formId: string, index: number): string {
  return `${formId}-tab-${index}`;
}

function problemCount(store: FormStore, names: readonly string[]): number {
  return store
    .problems()
    .filter(({ path, level }) => level !== 'warning' && names.includes(path.split('.')[0] ?? '')).length;
}
