import { describeFilter } from '#engine/filter/describe-filter.ts';
import { companyTime } from '#engine/values/dates.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { companyValues } from '#server/records/definitions/regions.ts';
import { countAndTotal, type ListTotals } from '#server/records/list/list-totals.ts';
import { labelPlace } from '#engine/print/fill-table.ts';
import type { ExportColumn } from './export-columns.ts';
import { exportConditions, type ExportRequest } from './export-rows.ts';
import type { CellValue } from './sheet-cell.ts';

/** What stands above the rows of a list: whose it is, by what it was chosen, who took it out and when. */
export function aboveList(call: Call, request: ExportRequest): readonly (readonly string[])[] {
  const { resource, catalog, caller, services } = call;
  const company = companyValues(services.definitions, caller.subject.co_code)['name'];
  const condition =
    request.filters === null ? '全部' : describeFilter(request.filters, { resource, catalog });
  const keyword = request.keyword === '' ? '' : `；关键字：${request.keyword}`;
  return [
    [`${typeof company === 'string' ? company : caller.subject.co_code} ${resource.title}表`],
    [`条件：${condition}${keyword}`],
    [`导出：${caller.subject.name} ${companyTime(services.clock().toISOString())}`],
  ];
}

/** The sums of the columns that the list totals, a row for each currency, in the transaction that reads the rows. */
export async function totalRows(
  tx: Tx,
  call: Call,
  { request, columns }: { readonly request: ExportRequest; readonly columns: readonly ExportColumn[] },
): Promise<readonly (readonly CellValue[])[]> {
  const { totals } = await countAndTotal(call, exportConditions(call, request), { isExact: true, db: tx });
  const summed = columns.map(({ path }) => (Object.hasOwn(totals, path) ? (totals[path] ?? null) : null));
  const currencies = [...new Set(summed.flatMap((sums) => Object.keys(sums ?? {})))].sort();
  return currencies.map((currency) => rowOf(currency, { columns, summed }));
}

function rowOf(
  currency: string,
  {
    columns,
    summed,
  }: {
    readonly columns: readonly ExportColumn[];
    readonly summed: readonly (ListTotals['totals'][string] | null)[];
  },
): readonly CellValue[] {
  const label = labelPlace(
    columns.map((column, index) => ({ width: 1, sum: summed[index] !== null, column })),
  );
  return columns.map((_column, index) => {
    const sum = summed[index]?.[currency];
    if (sum !== undefined) return sum;
    return index === label ? `合计${currency === '' ? '' : ` ${currency}`}` : null;
  });
}
