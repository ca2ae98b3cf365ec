import { formatFault } from '#engine/schema/source-file.ts';
import type { Services } from '../services.ts';
import { rowText } from '../db/row-text.ts';

const MAX_TOLD = 20;

/** Tells the administrators when an edited definition file has faults and the last good version keeps serving. */
export function tellFaults(services: Services): void {
  const { definitions, db, notices, log } = services;
  definitions.onFaults((faults) => {
    if (faults.length === 0) return;
    const content = faults.slice(0, MAX_TOLD).map(formatFault).join('\n');
    tellAdmins({ db, notices }, `定义文件有 ${faults.length} 处错误，仍使用上一版本`, content).catch(
      (error: unknown) => log.warn({ err: error }, 'administrators cannot be told of definition faults'),
    );
  });
}

async function tellAdmins(
  { db, notices }: Pick<Services, 'db' | 'notices'>,
  title: string,
  content: string,
): Promise<void> {
  const admins = await db.query(
    `select p.id, p.co_code from person p where not p.is_deleted and p.status = 'active'
     and exists (select 1 from role r where r.code = 'AD' and r.id = any(p.role_ids))`,
  );
  const companies = new Map<string, string[]>();
  for (const row of admins) {
    const company = rowText(row, 'co_code');
    companies.set(company, [...(companies.get(company) ?? []), rowText(row, 'id')]);
  }
  await db.transaction(async (tx) => {
    for (const [coCode, to] of companies)
      await notices.notify(tx, { event: 'DEFINITION_FAULT', to, title, content, coCode, level: 'warn' });
  });
}
