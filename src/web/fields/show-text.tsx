import { fieldText, scalarText } from './field-text.ts';
import type { ShowProps } from './field-view.ts';
import { shownNumber } from '#engine/values/shown-number.ts';

/** The plain cell of most types: text and nothing around it, but where money is owed. */
export function TextCell({ field, value, label, currency }: ShowProps) {
  if (currency === undefined || scalarText(value) === '') return fieldText(field, value, label);
  const text = `${shownNumber(value, field, currency)} ${currency}`;
  return text.startsWith('-') ? <span className="field-negative">{text}</span> : text;
}

/** The read view of most types: the text, a dash when empty. */
export function TextDetail(props: ShowProps) {
  const text = TextCell(props);
  if (text === '') return <span className="field-empty">—</span>;
  return <span className="field-text">{text}</span>;
}
