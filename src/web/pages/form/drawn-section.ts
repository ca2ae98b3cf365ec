import type { SectionDefinition } from '#engine/schema/layout-definition.ts';
import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import type { Field } from '#engine/schema/resource.ts';
import { sectionFields } from './document-layout.ts';
import type { FormStore } from './form-store.ts';

/** The fields of a section that this person knows; without what the bar above says. */
export function knownFields(section: SectionDefinition, { resource }: FormStore): readonly Field[] {
  const { label, kind, fields } = resource;
  // The bar above says the number of a document; who writes the form does not.
  const isInBar = (name: string): boolean =>
    !('lines' in section) && name === label && kind === 'document' && fields[name]?.computed === true;
  return sectionFields(section).flatMap((name) => (isInBar(name) ? [] : (fields[name] ?? [])));
}

/** What the system will write some day takes no room until then. */
export function isUnwritten(field: Field, value: unknown): boolean {
  return (field.system === true || (field.standard && field.computed)) && isEmptyValue(value);
}

/** True for a section of which something is shown now. */
export function hasShown(section: SectionDefinition, store: FormStore): boolean {
  const states = store.states();
  return knownFields(section, store).some(
    (field) =>
      states[field.name]?.hidden === undefined &&
      ('lines' in section || !isUnwritten(field, store.field(field.name).value)),
  );
}

/**
 * True for a section that the form draws: one that shows something, or, of a record that is there already, fields that do
 * not apply, which are told of with the reason.
 */
export function isDrawn(section: SectionDefinition, store: FormStore): boolean {
  if (hasShown(section, store)) return true;
  const states = store.states();
  const tells = knownFields(section, store).some(({ name }) => states[name]?.hidden !== undefined);
  return tells && !store.isNew && !('lines' in section);
}
