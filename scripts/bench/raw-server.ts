import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';

/** One statement as the application sent it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

const prototype: { query: (...args: never[]) => unknown } = pg.Client.prototype;

/** The statements that some work sends through the driver. */
export async function recordStatements(work: () => Promise<unknown>): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  const original = prototype.query;
  prototype.query = function query(this: pg.Client, ...args: never[]): unknown {
    const [config, values]: unknown[] = args;
    if (typeof config === 'string')
      statements.push({ text: config, values: Array.isArray(values) ? values : [] });
    else if (typeof config === 'object' && config !== null && 'text' in config)
      statements.push({
        text: String(config.text),
        values: 'values' in config && Array.isArray(config.values) ? config.values : [],
      });
    return original.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return statements;
}

/** What every replay of a write makes anew: record ids drawn since then, and the numbers that the write was given. */
export interface FreshValues {
  readonly since: number;
  readonly numbers: readonly string[];
}

/**
 * A bare HTTP server that sends the same statements and answers their rows as JSON. Writes run in one transaction that
 * is committed, as the application's are, under ids and numbers of their own.
 */
export async function startRawServer(
  url: string,
  statements: readonly Statement[],
  fresh: FreshValues | null,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const named = statements
    .filter(({ text }) => !/^\s*(begin|commit|rollback|savepoint|release|set )|;\s*commit\s*$/i.test(text))
    .map(({ text, values }, index) => ({ name: `raw_${index}`, text, values: [...values] }));
  const read = async () => {
    const answers = await Promise.all(named.map((statement) => pool.query(statement)));
    return answers.map((answer) => answer.rows as unknown[]);
  };
  const write = async (values: FreshValues) => {
    const client = await pool.connect();
    try {
      const renew = renewal(values);
      await client.query('begin');
      const rows: unknown[] = [];
      for (const statement of named)
        rows.push(
          (await client.query({ ...statement, values: statement.values.map((value) => renew(value)) })).rows,
        );
      await client.query('commit');
      return rows;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  };
  const server = createServer((_, response) => {
    (fresh === null ? read() : write(fresh)).then(
      (rows) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ code: 200, data: rows })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pool.end();
    },
  };
}

const RECORD_ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

/** Gives the same new value for the same old one, within one replay. */
function renewal({ since, numbers }: FreshValues): (value: unknown) => unknown {
  const renewed = new Map<string, string>();
  const of = (old: string, make: () => string): string => {
    const known = renewed.get(old) ?? make();
    renewed.set(old, known);
    return known;
  };
  const renewText = (text: string): string => {
    const withIds = text.replace(RECORD_ID, (id) =>
      Number.parseInt(id.slice(0, 13).replace('-', ''), 16) < since ? id : of(id, uuidv7),
    );
    return numbers.reduce(
      (all, number) => all.replaceAll(number, () => of(number, () => `${number}-${uuidv7()}`)),
      withIds,
    );
  };
  return (value) =>
    typeof value === 'string'
      ? renewText(value)
      : Array.isArray(value)
        ? value.map((entry: unknown) => (typeof entry === 'string' ? renewText(entry) : entry))
        : value;
}
