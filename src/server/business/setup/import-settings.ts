import type { Catalog, ErpRecord } from '#engine/schema/resource.ts';
import type { Services } from '#server/records/services.ts';
import { insertNamed, type Values } from '#server/business/named-records.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';

/**
 * Approval flows, parameters and the chart of accounts of a company as rows, so that its administrator sees and changes what is in force.
 * What setup/ says stays the default of companies and documents that have no row. Does nothing where rows are.
 */
export async function importSettings(services: Services, coCode: string): Promise<void> {
  const { catalog, setup } = services.definitions;
  const { files } = setup();
  const { accounts = {} } = catalog();
  const { resources } = catalog();
  const caller = systemCaller(services, coCode);
  await services.db.transaction(async (tx) => {
    const context = { tx, services, caller };
    if (resources['approval_flow'] !== undefined && (await isEmpty('approval_flow'))) {
      const roles = await tx.query<{ id: string; code: string }>(
        'select id, code from role where not is_deleted',
        [],
      );
      const roleIds = new Map(roles.map((role) => [role.code, role.id]));
      for (const flow of recordsOf(files['approval-flows']))
        if (resources[String(flow['resource'])] !== undefined)
          await insertNamed(context, 'approval_flow', {
            ...flow,
            co_code: coCode,
            levels: levelsOf(flow, roleIds),
          });
    }
    if (resources['system_default'] !== undefined && (await isEmpty('system_default')))
      for (const { options: _, ...parameter } of recordsOf(files['parameters']))
        await insertNamed(context, 'system_default', { ...parameter, co_code: coCode });
    if (resources['account'] !== undefined && (await isEmpty('account')))
      for (const account of accountRows(accounts))
        await insertNamed(context, 'account', { ...account, co_code: coCode });

    async function isEmpty(table: 'approval_flow' | 'system_default' | 'account'): Promise<boolean> {
      const [row] = await tx.query(`select 1 from ${table} where co_code = $1 limit 1`, [coCode]);
      return row === undefined;
    }
  });
}

/** The accounts of setup/accounts.json as rows of the chart: a customer maps a posting key to another account there. */
function accountRows(accounts: Catalog['accounts'] & object): readonly Values<'account'>[] {
  return Object.entries(accounts).map(([posting_key, { code, name, side, foreign, dimensions }]) => ({
    code,
    name,
    parent_code: code.slice(0, 4),
    category: categoryOf(code, side),
    side,
    posting_key,
    is_foreign: foreign === true,
    aux: dimensions ?? [],
  }));
}

/** Chinese charts number assets 1, liabilities 2, equity 4, income and expense 6. */
function categoryOf(code: string, side: string): string {
  if (code.startsWith('1')) return 'asset';
  if (code.startsWith('2')) return 'liability';
  if (code.startsWith('4')) return 'equity';
  return side === 'credit' ? 'income' : 'expense';
}

/** A level names its roles by code in the file, by id in the row. */
function levelsOf(flow: ErpRecord, roleIds: ReadonlyMap<string, string>): readonly ErpRecord[] {
  return recordsOf(flow['levels']).map(({ role, ...level }) => ({
    ...level,
    ...(role === undefined ? {} : { role_ids: codesOf(role).map((code) => roleIds.get(code)) }),
  }));
}

function codesOf(role: unknown): readonly string[] {
  return [role].flat().filter((code) => typeof code === 'string');
}

function recordsOf(value: unknown): readonly ErpRecord[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter((item): item is ErpRecord => typeof item === 'object' && item !== null);
}
