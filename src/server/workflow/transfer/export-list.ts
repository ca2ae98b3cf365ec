import type { ExportQuery } from '#contract/lists.ts';
import { createGate } from '#server/kernel/gate.ts';
import { AppError } from '#server/kernel/errors.ts';
import { parseListRequest } from '#server/records/list/list-request.ts';
import { callersReader, standBehindWall } from '#server/records/call/behind-wall.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { auditExport } from './audit-transfer.ts';
import { exportColumns } from './export-columns.ts';
import { countRows, type ExportRequest, exportRows } from './export-rows.ts';
import { queueExport } from './export-job.ts';
import { aboveList, totalRows } from './list-sheet.ts';
import { workbookBytes } from './write-workbook.ts';

/** Up to this many rows an export is answered at once; more are written by a job. */
export const DIRECT_ROWS = 5_000;

/** Exports that are answered at once: each holds a connection of the database and its whole file. */
const EXPORTS = createGate({
  atOnce: 4,
  perPerson: 2,
  waiting: 20,
  message: '已有导出正在进行，请等待完成后再试',
});

/** The file, or the job that writes it. */
export type ExportAnswer =
  | { readonly kind: 'file'; readonly name: string; readonly bytes: Buffer }
  | { readonly kind: 'job'; readonly jobId: string };

/** An export's query, as a list's without paging. */
function parseExportRequest(call: Call, query: ExportQuery): ExportRequest {
  const { filters, keyword, sorters, columns } = parseListRequest(call, query);
  if (exportColumns(call, columns).length === 0)
    throw new AppError('BAD_REQUEST', { message: '请至少选择一列' });
  return { filters, keyword, sorters, columns };
}

/** Exports what a list shows: same rows, masks and texts. */
export async function exportList(call: Call, query: ExportQuery): Promise<ExportAnswer> {
  const request = parseExportRequest(call, query);
  return EXPORTS(call.caller.subject.id, () => writeExport(call, request));
}

async function writeExport(call: Call, request: ExportRequest): Promise<ExportAnswer> {
  const { db, reader } = call.services;
  const count = await countRows(callersReader(call), call, { request, most: DIRECT_ROWS + 1 });
  if (count > DIRECT_ROWS) return { kind: 'job', jobId: await queueExport(call, request) };
  const columns = exportColumns(call, request.columns);
  const { bytes, rows } = await reader.transaction(
    async (tx) => {
      await standBehindWall(tx, call);
      const total = await countRows(tx, call, { request, most: null });
      const sheet = {
        name: call.resource.title,
        columns,
        above: aboveList(call, request),
        rows: exportRows(tx, call, { request, columns }),
        below: await totalRows(tx, call, { request, columns }),
      };
      return { bytes: await workbookBytes([sheet]), rows: total };
    },
    { isolation: 'repeatable read', readOnly: true },
  );
  await auditExport(db, call, { request, columns, rows });
  return { kind: 'file', name: exportName(call), bytes };
}

/** The name of an export's file: what it holds and the company's day. */
export function exportName(call: Call): string {
  return `${call.resource.title}-${call.caller.context.today}.xlsx`;
}
