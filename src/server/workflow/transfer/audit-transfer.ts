import { describeFilter } from '#engine/filter/describe-filter.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { writeAudit } from '#server/records/write/write-audit.ts';
import type { ExportColumn } from './export-columns.ts';
import type { ExportRequest } from './export-rows.ts';

/** Notes that somebody took records out: how many rows, which columns, by what conditions. */
export async function auditExport(
  on: Reader,
  call: Call,
  made: {
    readonly request: ExportRequest;
    readonly columns: readonly ExportColumn[];
    readonly rows: number;
  },
): Promise<void> {
  const { request, columns, rows } = made;
  const { resource, catalog, caller, services } = call;
  const condition =
    request.filters === null ? '全部' : describeFilter(request.filters, { resource, catalog });
  const keyword = request.keyword === '' ? '' : `；关键字：${request.keyword}`;
  const titles = columns.map(({ title }) => title).join('、');
  await writeAudit(
    on,
    { caller, at: services.clock() },
    {
      resource: resource.resource,
      record_id: null,
      co_code: caller.subject.co_code,
      action: 'export',
      opinion: `导出${rows}行；条件：${condition}${keyword}；列：${titles}`.slice(0, MAX_TEXT),
    },
  );
}

/** Notes what the commit of an import wrote; its records have audit rows of their own. */
export async function auditImport(
  on: Reader,
  call: Call,
  written: {
    readonly fileName: string;
    readonly created: number;
    readonly updated: number;
    readonly skipped: number;
  },
): Promise<void> {
  const { fileName, created, updated, skipped } = written;
  await writeAudit(
    on,
    { caller: call.caller, at: call.services.clock() },
    {
      resource: call.resource.resource,
      record_id: null,
      co_code: call.caller.subject.co_code,
      action: 'import',
      opinion: `导入文件“${fileName}”：新增${created}行，更新${updated}行，未写入${skipped}行`,
    },
  );
}

const MAX_TEXT = 4_000;
