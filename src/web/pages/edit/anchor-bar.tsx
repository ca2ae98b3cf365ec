import type { SectionDefinition } from '#engine/schema/layout-definition.ts';

interface AnchorBarProps {
  readonly sections: readonly SectionDefinition[];
  readonly formId: string;
}

/** The sections of the form; a click scrolls to one. */
export function AnchorBar({ sections, formId }: AnchorBarProps) {
  return (
    <nav className="form-anchors" aria-label="表单分区">
      {sections.map((section, index) => (
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
