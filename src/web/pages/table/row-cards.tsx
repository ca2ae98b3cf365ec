import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import { mainAmount, totalledAmount } from '#engine/record/main-amount.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { saysNothing } from '#web/fields/field-text.ts';
import type { ListColumn } from './list-column.ts';
import { cellContent, isOnRow } from './plain-row.tsx';
import type { PlainTableProps } from './plain-table.tsx';

/** Rows on a phone, two lines each: party and amount; number, date and state. */
export function RowCards(props: PlainTableProps) {
  const { columns, rows, rowActions } = props;
  const parts = cardParts(props);
  const unsaid = totalledAmount(props.resource)?.name;
  return (
    <ul className="row-cards" aria-busy={props.isLoading === true}>
      {rows.length === 0 && <li className="row-cards-empty">{props.empty ?? '没有数据'}</li>}
      {rows.map((row) => (
        <li
          key={String(row['id'])}
          onClick={(event) => {
            if (isOnRow(event)) props.onOpen?.(row);
          }}
        >
          <div className="row-card-line">
            <b
              // Whom a document is with heads its card, and is no way to somewhere else.
              onClickCapture={(event) => {
                if (titleOf(parts, row)?.field.type !== 'reference') return;
                event.preventDefault();
                event.stopPropagation();
                props.onOpen?.(row);
              }}
            >
              {contentOf(props, titleOf(parts, row), row)}
            </b>
            <span className="row-card-amount">
              {parts.amount !== undefined &&
                parts.amount.name !== unsaid &&
                !isEmptyValue(row[parts.amount.name]) && <small>{parts.amount.title} </small>}
              {contentOf(props, parts.amount, row)}
            </span>
          </div>
          <div className="row-card-line is-soft">
            <span>
              {contentOf(props, titleOf(parts, row) === parts.number ? parts.aside : parts.number, row)}
            </span>
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
  /** What a card may be headed by, the first that is filled. */
  readonly titles: readonly ListColumn[];
  /** Beside a number that heads its card: where it goes, or the like. */
  readonly aside: ListColumn | undefined;
  readonly amount: ListColumn | undefined;
  readonly date: ListColumn | undefined;
  readonly state: ListColumn | undefined;
}

/** Named records are known by their name, a document by its party, an entry of a ledger by its kind. */
function cardParts({ columns, resource }: PlainTableProps): CardParts {
  const ofType = (...types: readonly string[]) => columns.filter(({ field }) => types.includes(field.type));
  const leadingTo = (what: 'party' | 'document') => columns.filter(({ field }) => field.leadsTo === what);
  const label = columns.find(({ name }) => name === resource.label);
  const others = [...leadingTo('party'), ...leadingTo('document'), ...ofType('text')];
  const main = mainAmount(resource)?.name;
  // What an entry of a ledger is, its kind says: all of an account are of the same party.
  const kinds = resource.kind === 'ledger' ? ofType('dictionary').slice(0, 1) : [];
  const isNamed = resource.isNamed === true && label !== undefined;
  return {
    number: isNamed ? ofType('text').find((column) => column !== label) : (label ?? columns[0]),
    titles: isNamed ? [label] : [...kinds, ...others.filter((column) => column !== label)],
    aside: ofType('reference').find(({ field }) => field.leadsTo === undefined || field.leadsTo === 'base'),
    amount:
      columns.find(({ name }) => name === main) ?? ofType('money')[0] ?? ofType('decimal', 'integer')[0],
    date: ofType('date', 'datetime')[0],
    state: columns.find(({ name }) => name === 'status'),
  };
}

function titleOf({ titles, number }: CardParts, row: ErpRecord): ListColumn | undefined {
  return titles.find(({ field }) => !saysNothing(field, row)) ?? number;
}

function contentOf(props: PlainTableProps, column: ListColumn | undefined, row: ErpRecord) {
  return column === undefined ? null : cellContent({ ...props, column, row });
}
