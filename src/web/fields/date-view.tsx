import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { type Days, DaySpan } from './day-span.tsx';
import { noDateText, typedDate, WHOLE_FORMATS } from './typed-date.ts';
import { useTypedPicker } from './use-typed-picker.ts';
import type { ControlProps, FieldView, FilterControlProps } from './field-view.ts';
import { rangeFilter, rangeOf } from './number-view.tsx';
import { TextCell, TextDetail } from './show-text.tsx';

function DateControl(props: ControlProps) {
  const date = typeof props.value === 'string' ? dayjs(props.value) : null;
  const shown = date !== null && date.isValid() ? date : null;
  const picker = useTypedPicker(props, typedDate, (day) => day === (shown === null ? '' : props.value));
  const isInvalid = props.isInvalid === true || picker.refused !== null;
  return (
    <>
      <DatePicker
        {...(props.id === undefined ? {} : { id: props.id })}
        value={shown}
        format={WHOLE_FORMATS}
        {...(props.earliest === undefined ? {} : { minDate: dayjs(props.earliest) })}
        onChange={(picked) => {
          picker.forget();
          props.onChange(picked === null ? null : picked.format('YYYY-MM-DD'));
        }}
        onKeyDown={picker.onKeyDown}
        onBlur={picker.onBlur}
        disabled={props.isDisabled === true}
        aria-invalid={isInvalid}
        {...(isInvalid ? { status: 'error' as const } : {})}
        {...(props.isCell === true
          ? { autoFocus: true, defaultOpen: true, variant: 'borderless' as const }
          : {})}
        placeholder={props.isDisabled === true ? '—' : '年-月-日'}
        style={{ width: '100%' }}
      />
      {picker.refused !== null && props.isCell !== true && (
        <div className="form-problem" role="alert">
          {noDateText(picker.refused)}
        </div>
      )}
    </>
  );
}

/** From and to day, with the usual spans one click away. */
function DateFilter({ field, value, onChange, id }: FilterControlProps) {
  const [from, to] = rangeOf(value);
  return (
    <DaySpan
      id={id}
      title={field.title}
      days={[dayOf(from), dayOf(to)]}
      onChange={(days) => onChange(filterOfDays(field.type, days))}
    />
  );
}

function dayOf(value: string | null): string | null {
  const day = value === null ? null : dayjs(value);
  return day === null || !day.isValid() ? null : day.format('YYYY-MM-DD');
}

/** Whole days: of a point in time the last day counts to its end. */
function filterOfDays(type: string, [from, to]: Days) {
  if (type !== 'datetime') return rangeFilter([from, to]);
  return rangeFilter([
    from === null ? null : `${from}T00:00:00+08:00`,
    to === null ? null : `${to}T23:59:59.999+08:00`,
  ]);
}

export const DATE_VIEW: FieldView = {
  Control: DateControl,
  Cell: TextCell,
  Detail: TextDetail,
  FilterControl: DateFilter,
};
