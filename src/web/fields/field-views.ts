import './fields.css';
import type { FieldType } from '#engine/schema/definition.ts';
import { ATTACHMENT_VIEW } from './attachment-view.tsx';
import { BOOLEAN_VIEW } from './boolean-view.tsx';
import { DATE_VIEW } from './date-view.tsx';
import { DATETIME_VIEW } from './datetime-view.tsx';
import { DICTIONARY_VIEW } from './dictionary-view.tsx';
import type { FieldView } from './field-view.ts';
import { JSON_VIEW } from './json-view.tsx';
import { LINES_VIEW } from './lines-view.tsx';
import { NUMBER_VIEW } from './number-view.tsx';
import { REFERENCE_VIEW } from './reference-view.tsx';
import { RICHTEXT_VIEW } from './richtext-view.tsx';
import { SECRET_VIEW } from './secret-view.tsx';
import { TEXT_VIEW } from './text-view.tsx';
import { TEXTAREA_VIEW } from './textarea-view.tsx';

/** How every field type is edited, listed, read and filtered; the compiler lists a type that was forgotten. */
export const FIELD_VIEWS = {
  text: TEXT_VIEW,
  textarea: TEXTAREA_VIEW,
  richtext: RICHTEXT_VIEW,
  integer: NUMBER_VIEW,
  decimal: NUMBER_VIEW,
  money: NUMBER_VIEW,
  percent: NUMBER_VIEW,
  date: DATE_VIEW,
  datetime: DATETIME_VIEW,
  boolean: BOOLEAN_VIEW,
  dictionary: DICTIONARY_VIEW,
  reference: REFERENCE_VIEW,
  attachment: ATTACHMENT_VIEW,
  lines: LINES_VIEW,
  json: JSON_VIEW,
  secret: SECRET_VIEW,
} as const satisfies Record<FieldType, FieldView>;
