import type { RunningServer } from '#server/main.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { insertRecord } from '#server/records/write/system-write.ts';

/** A bank account of company AA, made by the system. */
export async function aBankAccount(
  server: RunningServer,
  name: string,
  currency: string,
): Promise<{ readonly id: string; readonly number: string }> {
  const [bank] = await server.services.db.query<{ id: string }>(`select id from bank order by id limit 1`);
  const values = {
    account_name: name,
    account_no: '999000111',
    bank_id: bank?.id,
    currency,
    account_kind: 'general',
  };
  const id = await given(server, 'company_bank_account', { ...values, status: 'active' });
  return { id, number: values.account_no };
}

/** A record of company AA, made by the system. */
export function given(
  { services }: RunningServer,
  key: string,
  values: Readonly<Record<string, unknown>>,
): Promise<string> {
  return services.db.transaction(async (tx) => {
    const saved = await insertRecord({ tx, services, caller: systemCaller(services, 'AA') }, key, values);
    return String(saved['id']);
  });
}
