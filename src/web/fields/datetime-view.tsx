import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { fieldText } from './field-text.ts';
import { DATE_VIEW } from './date-view.tsx';
import type { ControlProps, FieldView } from './field-view.ts';
import { TextCell, TextDetail } from './show-text.tsx';
import { writtenMoment } from './typed-date.ts';
import { useTypedPicker } from './use-typed-picker.ts';

/** The company's clock stands still against UTC: Asia/Shanghai has no daylight saving. */
const COMPANY_OFFSET = '+08:00';

/** Picks a point in time by the company's clock, wherever the browser is. */
function DatetimeControl(props: ControlProps) {
  const shown = fieldText(props.field, props.value);
  const value = shown === '' ? null : dayjs(shown);
  const picker = useTypedPicker(
    props,
    writtenMoment,
    (moment) => (moment === '' ? '' : fieldText(props.field, moment)) === shown,
  );
  const isInvalid = props.isInvalid === true || picker.refused !== null;
  return (
    <>
      <DatePicker
        {...(props.id === undefined ? {} : { id: props.id })}
        showTime={{ format: 'HH:mm' }}
        // Only the whole of it: a day that is taken on the way to its time would get a time of its own.
        format="YYYY-MM-DD HH:mm"
        value={value !== null && value.isValid() ? value : null}
        onChange={(picked) => {
          picker.forget();
          props.onChange(picked === null ? null : `${picked.format('YYYY-MM-DDTHH:mm:00')}${COMPANY_OFFSET}`);
        }}
        onKeyDown={picker.onKeyDown}
        onBlur={picker.onBlur}
        disabled={props.isDisabled === true}
        aria-invalid={isInvalid}
        {...(isInvalid ? { status: 'error' as const } : {})}
        {...(props.isCell === true ? { autoFocus: true, variant: 'borderless' as const } : {})}
        placeholder={props.isDisabled === true ? '—' : '年-月-日 时:分'}
        style={{ width: '100%' }}
      />
      {picker.refused !== null && props.isCell !== true && (
        <div className="form-problem" role="alert">
          “{picker.refused.slice(0, 20)}”不是时间，没有采用，应如 2026-03-31 14:05
        </div>
      )}
    </>
  );
}

export const DATETIME_VIEW: FieldView = {
  Control: DatetimeControl,
  Cell: TextCell,
  Detail: TextDetail,
  FilterControl: DATE_VIEW.FilterControl,
};
