import { Button } from 'antd';
import { Fragment, useState } from 'react';
import type { EntryBook } from '#contract/ledger.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { currencyOf, fieldText, labelsOf } from '#web/fields/field-text.ts';
import { Amount } from '../plan/plan-money.tsx';
import type { OpenRecordAt } from '../plan/record-link.tsx';
import { EntryTrace } from './entry-trace.tsx';

export interface EntryTableProps {
  readonly book: EntryBook;
  /** Of an account: every entry says which document posted it, not which account. */
  readonly isAccount: boolean;
  readonly onOpen: OpenRecordAt;
}

/** Entries of a ledger with the balance after each; each unfolds into where its money came from or went. */
export function EntryTable({ book, isAccount, onOpen }: EntryTableProps) {
  const { resource, dictionaries } = usePageResource(book.ledger);
  const [traced, setTraced] = useState<string | null>(null);
  const { fields } = book;
  const text = (entry: ErpRecord, name: string | undefined): string => {
    const field = name === undefined ? undefined : resource?.fields[name];
    if (field === undefined || name === undefined) return '';
    return fieldText(field, entry[name], labelsOf(entry)[name], dictionaries);
  };
  return (
    <div className="money-scroll">
      <table className="money-table">
        <thead>
          <tr>
            <th>日期</th>
            <th>{isAccount ? '来源单据' : '账户'}</th>
            <th>类型</th>
            {fields.summary !== undefined && <th>摘要</th>}
            <th className="number">金额</th>
            <th className="number">余额</th>
            <th aria-label="追溯" />
          </tr>
        </thead>
        <tbody>
          {book.records.map((entry) => {
            const id = String(entry['id']);
            const currency = currencyIn(resource, entry, fields.amount);
            return (
              <Fragment key={id}>
                <tr>
                  <td className="when">{text(entry, fields.date)}</td>
                  <td>{text(entry, isAccount ? fields.label : fields.account)}</td>
                  <td>{text(entry, fields.type)}</td>
                  {fields.summary !== undefined && <td>{text(entry, fields.summary)}</td>}
                  <Amount value={textIn(entry, fields.amount)} currency={currency} />
                  <Amount value={textIn(entry, fields.after)} currency={null} />
                  <td className="number">
                    <Button
                      size="small"
                      type="link"
                      aria-expanded={traced === id}
                      onClick={() => setTraced(traced === id ? null : id)}
                    >
                      {traced === id ? '收起' : '追溯'}
                    </Button>
                  </td>
                </tr>
                {traced === id && (
                  <tr className="trace-row">
                    <td colSpan={fields.summary === undefined ? 6 : 7}>
                      <EntryTrace ledger={book.ledger} id={id} currency={currency} onOpen={onOpen} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {book.total > book.records.length && (
        <small>
          共 {book.total} 笔，列出 {book.records.length} 笔
        </small>
      )}
    </div>
  );
}

function textIn(entry: ErpRecord, name: string): string | null {
  const value = entry[name];
  return typeof value === 'string' ? value : null;
}

function currencyIn(resource: Resource | null, entry: ErpRecord, name: string): string | null {
  const field = resource?.fields[name];
  return field === undefined ? null : (currencyOf(field, entry) ?? null);
}
