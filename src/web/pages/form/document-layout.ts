import type { SectionDefinition } from '#engine/schema/layout-definition.ts';

/** A section with its place among all sections of the form, which names its element. */
export interface PlacedSection {
  readonly section: SectionDefinition;
  readonly index: number;
}

export interface DocumentLayout {
  /** What stands in the first screen: the head, then the lines. */
  readonly above: readonly PlacedSection[];
  /** What is looked at now and then: a tab each, below the lines. */
  readonly below: readonly PlacedSection[];
}

/**
 * Where the sections of a form stand. A document that has lines and more than a head is a work surface: its head and its
 * first lines come first, whatever their order in the definition; terms, shipping and further lines are tabs below.
 * Lines that do not apply (`isHidden`) leave their place to the next ones. Other forms (`isSurface` false: drawers, master data) stay one column.
 */
export function documentLayout(
  sections: readonly SectionDefinition[],
  isSurface: boolean,
  isHidden: (lines: string) => boolean = () => false,
): DocumentLayout {
  const placed = sections.map((section, index) => ({ section, index }));
  const lines = placed.find(({ section }) => 'lines' in section && !isHidden(section.lines));
  const head = placed.find(({ section }) => !('lines' in section));
  const above = [head, lines].filter((one) => one !== undefined);
  const below = placed.filter((one) => !above.includes(one));
  if (!isSurface || lines === undefined || below.length < 2) return { above: placed, below: [] };
  return { above, below };
}

/** The fields of a section; of lines their name. */
export function sectionFields(section: SectionDefinition): readonly string[] {
  return 'lines' in section ? [section.lines] : section.fields;
}
