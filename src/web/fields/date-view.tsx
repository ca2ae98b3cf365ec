import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { companyToday } from '#engine/values/dates.ts';
import { typedDate } from './typed-date.ts';
import { useTypedPicker } from './use-typed-picker.ts';
import type { ControlProps, FieldView, FilterControlProps } from './field-view.ts';
import { rangeFilter, rangeOf } from './number-view.tsx';
import { TextCell, TextDetail } from './show-text.tsx';

/**
 * What the picker takes while somebody types; the first is how a date reads. None may be the beginning of another date: the
 * picker writes what it takes as the first, and `2026-11-2` on the way to `2026-11-25` became `2026-11-025`.
 */
export const WHOLE_FORMATS = ['YYYY-MM-DD', 'YYYYMMDD', 'YYYY/MM/DD', 'YYYY.MM.DD', 'YYYY年M月D日'];

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
          “{picker.refused.slice(0, 20)}”不是日期，没有采用，应如 2026-03-31
        </div>
      )}
    </>
  );
}

/** From and to day, with the usual spans one click away. */
function DateFilter({ field, value, onChange, id }: FilterControlProps) {
  const [from, to] = rangeOf(value);
  const today = dayjs(companyToday(new Date()));
  return (
    <DatePicker.RangePicker
      {...(id === undefined ? {} : { id })}
      aria-label={field.title}
      value={[from === null ? null : dayjs(from), to === null ? null : dayjs(to)]}
      allowEmpty={[true, true]}
      format={WHOLE_FORMATS}
      placeholder={['开始', '结束']}
      presets={[
        { label: '今天', value: [today, today] },
        { label: '近7天', value: [today.subtract(6, 'day'), today] },
        { label: '本月', value: [today.startOf('month'), today.endOf('month')] },
        { label: '上月', value: [lastMonth(today).startOf('month'), lastMonth(today).endOf('month')] },
        { label: '本年', value: [today.startOf('year'), today.endOf('year')] },
      ]}
      onChange={(range) => onChange(filterOfDays(field.type, range?.[0] ?? null, range?.[1] ?? null))}
      style={{ width: '100%' }}
    />
  );
}

function lastMonth(today: dayjs.Dayjs): dayjs.Dayjs {
  return today.subtract(1, 'month');
}

/** Whole days: of a point in time the last day counts to its end. */
function filterOfDays(type: string, from: dayjs.Dayjs | null, to: dayjs.Dayjs | null) {
  const isInstant = type === 'datetime';
  const start = from === null ? null : `${from.format('YYYY-MM-DD')}${isInstant ? 'T00:00:00+08:00' : ''}`;
  const end = to === null ? null : `${to.format('YYYY-MM-DD')}${isInstant ? 'T23:59:59.999+08:00' : ''}`;
  return rangeFilter([start, end]);
}

export const DATE_VIEW: FieldView = {
  Control: DateControl,
  Cell: TextCell,
  Detail: TextDetail,
  FilterControl: DateFilter,
};
