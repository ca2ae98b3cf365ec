import { Button, DatePicker, type GetRef, Space } from 'antd';
import dayjs from 'dayjs';
import { useRef, useState } from 'react';
import { companyToday } from '#engine/values/dates.ts';
import { noDateText, typedDate, WHOLE_FORMATS } from './typed-date.ts';
import { type TypedPicker, useTypedPicker } from './use-typed-picker.ts';

/** From and to day as `2026-11-20`; null leaves an end open. */
export type Days = readonly [string | null, string | null];

export interface DaySpanProps {
  readonly id?: string | undefined;
  readonly title: string;
  readonly days: Days;
  readonly onChange: (days: Days) => void;
  /** Neither end may be taken away. */
  readonly isRequired?: boolean | undefined;
}

/**
 * From and to day, each typed or picked by itself: the range picker of antd forgets what it cannot read, and of a span that
 * was typed the wrong way round it kept one day for both ends. Such a span stands as it was typed until it is left.
 */
export function DaySpan({ id, title, days, onChange, isRequired = false }: DaySpanProps) {
  const [turned, setTurned] = useState<Days | null>(null);
  const [from, to] = turned ?? days;
  const set = ([start, end]: Days): void => {
    if (isRequired && (start === null || end === null)) return;
    const isTurned = start !== null && end !== null && end < start;
    setTurned(isTurned ? [start, end] : null);
    onChange(isTurned ? [end, start] : [start, end]);
  };
  const setFrom = (day: unknown): void => set([typeof day === 'string' ? day : null, to]);
  const setTo = (day: unknown): void => set([from, typeof day === 'string' ? day : null]);
  const typedFrom = useTypedPicker({ onChange: setFrom }, typedDate, (day) => day === (from ?? ''));
  const typedTo = useTypedPicker({ onChange: setTo }, typedDate, (day) => day === (to ?? ''));
  const refused = typedFrom.refused ?? typedTo.refused;
  return (
    <div
      className="day-span"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setTurned(null);
      }}
    >
      <Space.Compact block>
        <DayEnd
          onSpan={set}
          id={id}
          label={`${title}开始`}
          hint="开始"
          day={from}
          typed={typedFrom}
          onPick={setFrom}
        />
        <DayEnd
          onSpan={set}
          label={`${title}结束`}
          hint="结束"
          day={to}
          typed={typedTo}
          onPick={setTo}
          near={from}
        />
      </Space.Compact>
      {refused !== null && (
        <div className="form-problem" role="alert">
          {noDateText(refused)}
        </div>
      )}
    </div>
  );
}

interface DayEndProps {
  readonly id?: string | undefined;
  readonly label: string;
  readonly hint: string;
  readonly day: string | null;
  /** Whose month is shown while there is no day. */
  readonly near?: string | null;
  readonly typed: TypedPicker;
  readonly onPick: (day: string | null) => void;
  readonly onSpan: (days: Days) => void;
}

function DayEnd({ id, label, hint, day, near = null, typed, onPick, onSpan }: DayEndProps) {
  const picker = useRef<GetRef<typeof DatePicker>>(null);
  return (
    <DatePicker
      ref={picker}
      {...(id === undefined ? {} : { id })}
      aria-label={label}
      value={day === null ? null : dayjs(day)}
      {...(near === null ? {} : { defaultPickerValue: dayjs(near) })}
      format={WHOLE_FORMATS}
      placeholder={hint}
      suffixIcon={null}
      showNow={false}
      // Its cross would lie on the day: an end is emptied like any text.
      allowClear={false}
      onChange={(picked) => {
        typed.forget();
        onPick(picked === null ? null : picked.format('YYYY-MM-DD'));
      }}
      onKeyDown={typed.onKeyDown}
      onBlur={typed.onBlur}
      aria-invalid={typed.refused !== null}
      {...(typed.refused === null ? {} : { status: 'error' as const })}
      renderExtraFooter={() => (
        <div className="day-span-usual">
          {usualSpans().map(([name, days]) => (
            <Button
              key={name}
              type="link"
              size="small"
              tabIndex={-1}
              onClick={() => {
                typed.forget();
                onSpan(days);
                picker.current?.blur();
              }}
            >
              {name}
            </Button>
          ))}
        </div>
      )}
    />
  );
}

function usualSpans(): readonly (readonly [name: string, days: Days])[] {
  const today = dayjs(companyToday(new Date()));
  const last = today.subtract(1, 'month');
  return [
    ['今天', span(today, today)],
    ['近7天', span(today.subtract(6, 'day'), today)],
    ['本月', span(today.startOf('month'), today.endOf('month'))],
    ['上月', span(last.startOf('month'), last.endOf('month'))],
    ['本年', span(today.startOf('year'), today.endOf('year'))],
  ];
}

function span(from: dayjs.Dayjs, to: dayjs.Dayjs): Days {
  return [from.format('YYYY-MM-DD'), to.format('YYYY-MM-DD')];
}
