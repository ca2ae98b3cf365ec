import { randomUUID } from 'node:crypto';
import type { TradeExample } from '../trade/trade-example.ts';

export type Planted = Readonly<Record<string, unknown>> & { readonly id: string };

/** Rows put into tables as they are: what a report reads, without the months of work that would make them. */
export interface Plants {
  readonly plant: (table: string, row: Readonly<Record<string, unknown>>) => Promise<Planted>;
  /** A whole number below `most`, always the same in the same order. */
  readonly draw: (most: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
}

export async function plantsOf({ services, masters }: TradeExample, first = 7): Promise<Plants> {
  const needed = await services.db.query<{ table_name: string; column_name: string; data_type: string }>(
    `select table_name, column_name, data_type from information_schema.columns
     where table_schema = 'public' and is_nullable = 'NO' and column_default is null`,
    [],
  );
  const byTable = new Map<string, typeof needed>();
  for (const column of needed)
    byTable.set(column.table_name, [...(byTable.get(column.table_name) ?? []), column]);
  let seed = first;
  const draw = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * most);
  };
  const standard: Readonly<Record<string, unknown>> = {
    co_code: 'AA',
    sales_id: masters.sales,
    dept_code: 'AA',
  };
  return {
    draw,
    pick: (list) => {
      const found = list[draw(list.length)];
      if (found === undefined) throw new RangeError('nothing to pick from');
      return found;
    },
    plant: async (table, row) => {
      const id = randomUUID();
      const missing = (byTable.get(table) ?? []).map(
        ({ column_name: name, data_type: type }): [string, unknown] => [
          name,
          standard[name] ?? EMPTY[type] ?? '',
        ],
      );
      const given: Record<string, unknown> = { ...Object.fromEntries(missing), ...row, id };
      const names = Object.keys(given);
      const text = `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`;
      await services.db.execute(text, Object.values(given));
      return { ...given, id };
    },
  };
}

/** What stands in a column that must have something. */
export const EMPTY: Readonly<Record<string, unknown>> = {
  uuid: '00000000-0000-7000-8000-000000000000',
  integer: 1,
  bigint: '1',
  numeric: '0',
  boolean: false,
  date: '2026-01-01',
  'timestamp with time zone': '2026-01-01T00:00:00.000Z',
  ARRAY: [],
};
