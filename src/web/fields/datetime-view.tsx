import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { fieldText } from './field-text.ts';
import { DATE_VIEW } from './date-view.tsx';
import type { ControlProps, FieldView } from './field-view.ts';
import { TextCell, TextDetail } from './show-text.tsx';

/** The company's clock stands still against UTC: Asia/Shanghai has no daylight saving. */
const COMPANY_OFFSET = '+08:00';

/** Picks a point in time by the company's clock, wherever the browser is. */
function DatetimeControl(props: ControlProps) {
  const shown = fieldText(props.field, props.value);
  const value = shown === '' ? null : dayjs(shown);
  return (
    <DatePicker
      {...(props.id === undefined ? {} : { id: props.id })}
      showTime={{ format: 'HH:mm' }}
      format={['YYYY-MM-DD HH:mm', 'YYYY/M/D HH:mm', 'YYYY-MM-DD']}
      value={value !== null && value.isValid() ? value : null}
      onChange={(picked) =>
        props.onChange(picked === null ? null : `${picked.format('YYYY-MM-DDTHH:mm:00')}${COMPANY_OFFSET}`)
      }
      onBlur={() => props.onBlur?.()}
      disabled={props.isDisabled === true}
      aria-invalid={props.isInvalid}
      {...(props.isInvalid === true ? { status: 'error' as const } : {})}
      {...(props.isCell === true ? { autoFocus: true, variant: 'borderless' as const } : {})}
      placeholder={props.isDisabled === true ? '—' : '年-月-日 时:分'}
      style={{ width: '100%' }}
    />
  );
}

export const DATETIME_VIEW: FieldView = {
  Control: DatetimeControl,
  Cell: TextCell,
  Detail: TextDetail,
  FilterControl: DATE_VIEW.FilterControl,
};
