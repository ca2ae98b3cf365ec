import type { CalendarMonth, DueDay } from './overview-figures.ts';

export interface DueCalendarProps {
  readonly months: readonly CalendarMonth[];
  readonly today: string;
  /** What each of the dates is called, in the order of their colours. */
  readonly titles: Readonly<Record<string, string>>;
  readonly onDay: (name: string, date: string) => void;
}

const WEEKDAYS = ['一', '二', '三', '四', '五', '六', '日'];

/** Months with the days on which something is due; a day leads to its records. */
export function DueCalendar({ months, today, titles, onDay }: DueCalendarProps) {
  if (months.length === 0) return null;
  return (
    <figure className="overview-calendar">
      <figcaption>
        期限日历
        {Object.entries(titles).map(([name, title], place) => (
          <span key={name} className={`due-mark-${place % 3}`}>
            {title}
          </span>
        ))}
      </figcaption>
      <div>
        {months.map(({ month, weeks }) => (
          <table key={month}>
            <caption>{month}</caption>
            <thead>
              <tr>
                {WEEKDAYS.map((day) => (
                  <th key={day} scope="col">
                    {day}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {weeks.map((week, row) => (
                <tr key={`${month}-${row}`}>
                  {week.map((day, column) => (
                    <td
                      key={day?.date ?? `${row}-${column}`}
                      aria-current={day?.date === today ? 'date' : undefined}
                    >
                      {day !== null && <DayCell day={day} titles={titles} onDay={onDay} />}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
    </figure>
  );
}

interface DayCellProps extends Pick<DueCalendarProps, 'titles' | 'onDay'> {
  readonly day: DueDay;
}

function DayCell({ day, titles, onDay }: DayCellProps) {
  const { date, marks } = day;
  const [first] = marks;
  const text = String(Number(date.slice(8)));
  if (first === undefined) return <>{text}</>;
  const order = Object.keys(titles);
  const told = marks.map(({ name, count }) => `${titles[name] ?? name}${count}条`).join('，');
  return (
    // Read aloud by its title: the figures one after another would be another number.
    <button type="button" title={`${date} ${told}`} onClick={() => onDay(first.name, date)}>
      <span aria-hidden="true">{text}</span>
      {marks.map(({ name, count }) => (
        <b key={name} aria-hidden="true" className={`due-mark-${order.indexOf(name) % 3}`}>
          {count}
        </b>
      ))}
    </button>
  );
}
