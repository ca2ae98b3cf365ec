import { fieldText, scalarText } from './field-text.ts';
import type { ShowProps } from './field-view.ts';
import { shownNumber } from '#engine/values/shown-number.ts';
import { amountClass } from './amount-class.ts';

/** The plain cell of most types: text and nothing around it, but an amount, whose currency stands small behind it. */
export function TextCell({ field, value, label, currency }: ShowProps) {
  if (field.type !== 'money' || scalarText(value) === '') return fieldText(field, value, label);
  const text = shownNumber(value, field, currency);
  return (
    <span className={amountClass(text)}>
      {text}
      {currency !== undefined && <small className="field-currency"> {currency}</small>}
    </span>
  );
}

/** The read view of most types: the text, a dash when empty. */
export function TextDetail(props: ShowProps) {
  const text = TextCell(props);
  if (text === '') return <span className="field-empty">—</span>;
  return <span className="field-text">{text}</span>;
}
