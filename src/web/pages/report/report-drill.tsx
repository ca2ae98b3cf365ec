import { Alert, Button, Drawer, Pagination, Skeleton } from 'antd';
import { useState } from 'react';
import type { ReportDrill as DrillAnswer, ReportResult } from '#contract/reports.ts';
import type { Filter } from '#engine/schema/definition.ts';
import { groupDigits } from '#engine/values/display.ts';
import { roundDecimal } from '#engine/values/decimal.ts';
import { pageItem } from '#web/app/page-item.tsx';
import { useRead } from '#web/data/use-read.ts';
import { faultText } from '#web/data/show-fault.ts';
import type { ChosenParams } from './report-address.ts';
import type { ClickedCell } from './report-table.tsx';

export interface ReportDrillProps {
  readonly result: ReportResult;
  readonly params: ChosenParams;
  readonly cell: ClickedCell | null;
  readonly onClose: () => void;
  readonly onOpenRecord: (resource: string, id: string) => void;
  readonly onOpenList: (resource: string, filter: NonNullable<DrillAnswer['filters']>) => void;
}

const PAGE = 100;

/** A filter of the server's own is one of the grammar's. */
export function asFilter(filter: object): Filter {
  return filter as Filter;
}

/** The records behind a figure, with what each gives to it; together they are the figure. */
export function ReportDrill({ result, params, cell, onClose, ...open }: ReportDrillProps) {
  return (
    <Drawer
      open={cell !== null}
      onClose={onClose}
      width={520}
      title={cell === null ? '' : titleOf(cell)}
      destroyOnHidden
    >
      {cell !== null && <Records report={String(result.report)} params={params} cell={cell} {...open} />}
    </Drawer>
  );
}

function titleOf({ row, column, currency }: ClickedCell): string {
  const of = row.level === 0 ? '合计' : Object.values(row.labels).slice(0, 2).join(' · ');
  return [of, column.title, currency ?? ''].filter((part) => part !== '').join(' · ');
}

function Records({
  report,
  params,
  cell,
  onOpenRecord,
  onOpenList,
}: Pick<ReportDrillProps, 'params' | 'onOpenRecord' | 'onOpenList'> & {
  readonly report: string;
  readonly cell: ClickedCell;
}) {
  const [page, setPage] = useState(1);
  const { row, column, currency } = cell;
  const asked = {
    params,
    column: column.key,
    keys: row.keys,
    id: row.id,
    currency,
    currentPage: page,
    pageSize: PAGE,
  };
  const { data, error, isLoading, reload } = useRead(
    'POST /report/:reportId/drill',
    { params: { reportId: report }, body: asked },
    { key: ['report-drill', report, JSON.stringify(asked)], keepsLast: true },
  );
  if (isLoading) return <Skeleton active paragraph={{ rows: 8 }} />;
  if (data === undefined)
    return (
      <Alert
        type="error"
        showIcon
        message={faultText(error, '记录没有取到')}
        action={<Button onClick={reload}>重试</Button>}
      />
    );
  const { resource, filters } = data;
  return (
    <div className="report-drill">
      <p>
        共 {groupDigits(String(data.total))} 条
        {data.sum !== null && column.as !== 'integer' && <>，合计 {amountText(data.sum)}</>}
        {resource !== null && filters !== null && data.total > 0 && (
          <Button type="link" size="small" onClick={() => onOpenList(resource, filters)}>
            在列表中打开
          </Button>
        )}
      </p>
      <ul>
        {data.records.map((record, index) => (
          <li key={`${record.id} ${index}`}>
            <button
              type="button"
              className="cell-link"
              onClick={() => onOpenRecord(record.resource, record.id)}
            >
              {record.label}
            </button>
            <small title={record.caption.join(' · ')}>{record.caption.join(' · ')}</small>
            <span className="number">
              {record.value === null || column.as === 'integer' ? '' : amountText(record.value)}
            </span>
          </li>
        ))}
      </ul>
      {data.records.length === 0 && <p className="report-note">没有记录</p>}
      {data.total > PAGE && (
        <Pagination
          itemRender={pageItem}
          size="small"
          current={page}
          pageSize={PAGE}
          total={data.total}
          showSizeChanger={false}
          onChange={setPage}
        />
      )}
    </div>
  );
}

function amountText(text: string): string {
  return /^-?\d+(\.\d+)?$/.test(text) ? groupDigits(roundDecimal(text, 2)) : text;
}
