import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { fieldText } from './field-text.ts';
import { DATE_VIEW } from './date-view.tsx';
import type { ControlProps, FieldView } from './field-view.ts';
import { TextCell, TextDetail } from './show-text.tsx';
import { typedInPicker, writtenMoment } from './typed-date.ts';

/** The company's clock stands still against UTC: Asia/Shanghai has no daylight saving. */
const COMPANY_OFFSET = '+08:00';

/** Picks a point in time by the company's clock, wherever the browser is. */
function DatetimeControl(props: ControlProps) {
  const [refused, setRefused] = useState<string | null>(null);
  const shown = fieldText(props.field, props.value);
  const value = shown === '' ? null : dayjs(shown);
  const isInvalid = props.isInvalid === true || refused !== null;
  // The picker drops what it cannot read when it is left, and a moment that was not confirmed.
  const take = (typed: string | null): void => {
    const read = typed === null ? null : writtenMoment(typed);
    setRefused(read === null && typed !== null ? typed.trim() : null);
    if (read === '' && shown !== '') props.onChange(null);
    else if (read !== null && read !== '' && fieldText(props.field, read) !== shown) props.onChange(read);
  };
  return (
    <>
      <DatePicker
        {...(props.id === undefined ? {} : { id: props.id })}
        showTime={{ format: 'HH:mm' }}
        // Only the whole of it: a day that is taken on the way to its time would get a time of its own.
        format="YYYY-MM-DD HH:mm"
        value={value !== null && value.isValid() ? value : null}
        onChange={(picked) => {
          setRefused(null);
          props.onChange(picked === null ? null : `${picked.format('YYYY-MM-DDTHH:mm:00')}${COMPANY_OFFSET}`);
        }}
        onKeyDown={({ key, target }) => {
          if (key === 'Enter') take(typedInPicker(target));
        }}
        onBlur={({ target }) => {
          take(typedInPicker(target));
          props.onBlur?.();
        }}
        disabled={props.isDisabled === true}
        aria-invalid={isInvalid}
        {...(isInvalid ? { status: 'error' as const } : {})}
        {...(props.isCell === true ? { autoFocus: true, variant: 'borderless' as const } : {})}
        placeholder={props.isDisabled === true ? '—' : '年-月-日 时:分'}
        style={{ width: '100%' }}
      />
      {refused !== null && props.isCell !== true && (
        <div className="form-problem" role="alert">
          “{refused.slice(0, 20)}”不是时间，没有采用，应如 2026-03-31 14:05
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
