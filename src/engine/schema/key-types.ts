import type { FieldDefinition, FieldType } from './definition.ts';

/** Keys of a field that only some types understand: the lint refuses them elsewhere, editors offer them only there. */
export const KEY_TYPES: Readonly<Partial<Record<keyof FieldDefinition, readonly FieldType[]>>> = {
  currency: ['money'],
  precision: ['decimal', 'percent'],
  scale: ['decimal', 'percent'],
  dictionary: ['dictionary'],
  options: ['text', 'dictionary'],
  to: ['reference'],
  fill: ['reference', 'dictionary'],
  where: ['reference', 'dictionary'],
  prefers: ['reference'],
  find: ['reference'],
  multiple: ['text', 'dictionary', 'reference'],
  fields: ['lines'],
  unique: ['lines'],
  follows: ['lines'],
  partsOf: ['text', 'textarea'],
  were: ['dictionary'],
  pattern: ['text', 'textarea', 'secret'],
  mask: ['text'],
  json: ['json'],
  opens: ['text', 'integer'],
  names: ['text', 'textarea', 'integer'],
  having: ['text'],
};
