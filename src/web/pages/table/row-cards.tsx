import type { ErpRecord } from '#engine/schema/resource.ts';
import type { ListColumn } from './list-column.ts';
import { cellContent } from './plain-row.tsx';
import type { PlainTableProps } from './plain-table.tsx';

/** Rows on a phone, two lines each: party and amount; number, date and state. */
export function RowCards(props: PlainTableProps) {
  const { columns, rows, rowActions } = props;
  const parts = cardParts(props);
  return (
    <ul className="row-cards" aria-busy={props.isLoading === true}>
      {rows.map((row) => (
        <li
          key={String(row['id'])}
          onClick={(event) =>
            event.target instanceof Element &&
            event.target.closest('a, button') === null &&
            props.onOpen?.(row)
          }
        >
          <div className="row-card-line">
            <b>{contentOf(props, parts.party ?? parts.number, row)}</b>
            <span className="row-card-amount">{contentOf(props, parts.amount, row)}</span>
          </div>
          <div className="row-card-line is-soft">
            <span>{parts.party === undefined ? null : contentOf(props, parts.number, row)}</span>
            <span>{contentOf(props, parts.date, row)}</span>
            <span>{contentOf(props, parts.state, row)}</span>
            {rowActions !== undefined && <span className="row-card-actions">{rowActions(row)}</span>}
          </div>
        </li>
      ))}
      {props.totals !== undefined && (
        <li className="row-cards-total">
          {props.totalsOf}{' '}
          {columns
            .flatMap(({ name, title }) => {
              const total = props.totals?.[name];
              return total === undefined || total.text === '' ? [] : [`${title} ${total.text}`];
            })
            .join('；')}
        </li>
      )}
    </ul>
  );
}

interface CardParts {
  readonly number: ListColumn | undefined;
  readonly party: ListColumn | undefined;
  readonly amount: ListColumn | undefined;
  readonly date: ListColumn | undefined;
  readonly state: ListColumn | undefined;
}

function cardParts({ columns, resource }: PlainTableProps): CardParts {
  const ofType = (...types: readonly string[]) => columns.find(({ field }) => types.includes(field.type));
  const number = columns.find(({ name }) => name === resource.label) ?? columns[0];
  return {
    number,
    party:
      columns.find((column) => column !== number && column.field.type === 'reference') ??
      columns.find((column) => column !== number && column.field.type === 'text'),
    amount: ofType('money') ?? ofType('decimal', 'integer'),
    date: ofType('date', 'datetime'),
    state: columns.find(({ name }) => name === 'status'),
  };
}

function contentOf(props: PlainTableProps, column: ListColumn | undefined, row: ErpRecord) {
  return column === undefined ? null : cellContent({ ...props, column, row });
}
