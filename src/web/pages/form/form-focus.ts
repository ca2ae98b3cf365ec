import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import type { SectionDefinition } from '#engine/schema/layout-definition.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { sectionFields } from './document-layout.ts';
import { controlId, type FormPlace } from './form-context.ts';
import type { FormStore } from './form-store.ts';

/** Brings the place of a problem into view and gives it the focus: a field of the head, or a cell by its line. */
export function focusPath({ store, formId, reveal }: FormPlace, path: string): void {
  const [name = '', index, column = ''] = path.split('.');
  reveal(name);
  const lines = store.lines(name);
  const key = lines?.keyAt(Number(index));
  const target = document.getElementById(controlId(formId, name));
  target?.scrollIntoView({ block: 'nearest' });
  if (lines !== undefined && key !== undefined && index !== undefined) lines.requestFocus(key, column);
  else target?.focus({ preventScroll: true });
}

/** Where work begins: the first required field that is empty, in the order of the page; null when all are filled. */
export function firstEmptyRequired(store: FormStore, sections: readonly SectionDefinition[]): string | null {
  for (const section of sections) {
    if ('lines' in section) continue;
    for (const name of sectionFields(section)) {
      const { isHidden, isReadOnly, isRequired, value } = store.field(name);
      if (!isHidden && !isReadOnly && isRequired && isEmptyValue(value)) return name;
    }
  }
  return null;
}

/** The problems as one works through them: fields in the order of the sections, cells line by line. */
export function orderedProblems(
  store: FormStore,
  sections: readonly SectionDefinition[],
): readonly FieldProblem[] {
  const names = sections.flatMap(sectionFields);
  const places = new Map(names.map((name, place) => [name, place]));
  const placeOf = ({ path }: FieldProblem): number =>
    places.get(path.split('.')[0] ?? '') ?? Number.MAX_SAFE_INTEGER;
  return store
    .problems()
    .filter((problem) => problem.level !== 'warning')
    .toSorted((a, b) => placeOf(a) - placeOf(b) || lineOf(a) - lineOf(b));
}

function lineOf({ path }: FieldProblem): number {
  return Number(path.split('.')[1] ?? 0);
}
