import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import { copiedValues } from '#engine/record/copied-values.ts';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { objectOf } from '#engine/values/object-of.ts';
import { isSameValue } from '../form/record-changes.ts';

/**
 * The field by which 同上次 finds the document before: whom it is with, the first reference of its caption. Null where a
 * document is with nobody.
 */
export function partyField(resource: Resource): Field | null {
  const named = resource.caption.map((name) => resource.fields[name]);
  const field = named.find((one) => one?.type === 'reference' && !one.computed);
  return resource.kind === 'document' ? (field ?? null) : null;
}

/**
 * The values of the document before, put into a new form: what is typed already stays, dates of the head are those of
 * the day it is written on. Of a form that another document has filled (`isMade`) all that is filled in stays, with its
 * lines.
 */
export function repeatedValues(
  resource: Resource,
  before: ErpRecord,
  form: { readonly start: ErpRecord; readonly typed: ErpRecord; readonly isMade: boolean },
): ErpRecord {
  const { start, typed, isMade } = form;
  const copied = copiedValues(resource, before);
  const isTyped = (field: Field): boolean =>
    isFilledIn(typed[field.name]) && (isMade || !isSameValue(field, start[field.name], typed[field.name]));
  const kept = Object.values(resource.fields).filter(
    (field) =>
      isTyped(field) ||
      field.type === 'date' ||
      field.type === 'datetime' ||
      (isMade && field.type === 'lines'),
  );
  const { _labels: ownLabels, _paths: ownPaths } = typed;
  return {
    ...typed,
    ...copied,
    ...Object.fromEntries(kept.map(({ name }) => [name, typed[name]])),
    _labels: { ...objectOf(copied['_labels']), ...labelsOfKept(objectOf(ownLabels), kept) },
    _paths: { ...objectOf(copied['_paths']), ...objectOf(ownPaths) },
  };
}

/**
 * What was typed into a new form beside one field and what picking that field fills. Of what the record that the form is
 * filled with anew names itself, its own stands: its lines belong to it.
 */
export function typedBeside(
  { fields }: Resource,
  picked: string,
  {
    start,
    typed,
    filled,
  }: { readonly start: ErpRecord; readonly typed: ErpRecord; readonly filled: ErpRecord },
): ErpRecord {
  const given = new Set([picked, ...Object.keys(fields[picked]?.fill ?? {})]);
  const kept = Object.values(fields).filter(
    (field) =>
      field.type !== 'lines' &&
      !field.computed &&
      !given.has(field.name) &&
      !(field.type === 'reference' && isFilledIn(filled[field.name])) &&
      isFilledIn(typed[field.name]) &&
      !isSameValue(field, start[field.name], typed[field.name]),
  );
  return {
    ...Object.fromEntries(kept.map(({ name }) => [name, typed[name]])),
    _labels: labelsOfKept(objectOf(typed['_labels']), kept),
  };
}

function isFilledIn(value: unknown): boolean {
  return !isEmptyValue(value);
}

function labelsOfKept(labels: ErpRecord, kept: readonly Field[]): ErpRecord {
  return Object.fromEntries(kept.map(({ name }) => [name, labels[name]]));
}
