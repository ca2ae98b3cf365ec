import { expect, test } from 'vitest';
import { functionSql, SQL_FUNCTIONS } from '#engine/filter/formula-sql-functions.ts';
import type { FormulaSqlEnv, SqlValue } from '#engine/filter/formula-sql.ts';

const NOTHING: SqlValue = { sql: 'null', kind: 'null' };
// Functions of values look at nothing else of it.
const env = { values: [] as unknown[], context: {} } as unknown as FormulaSqlEnv;

test.each([...SQL_FUNCTIONS])('%s can be asked', (name) => {
  expect(functionSql(name, [NOTHING, NOTHING], env).sql).not.toBe('');
});

test('what is in no list cannot', () => {
  expect(() => functionSql('text', [NOTHING], env)).toThrow('函数 text 不能用于查询');
});
