import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

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

/** A bare HTTP server that sends the same statements and answers their rows as JSON. Writes run in one transaction that is rolled back. */
export async function startRawServer(
  url: string,
  statements: readonly Statement[],
  isWrite: boolean,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const named = statements
    .filter(({ text }) => !/^\s*(begin|commit|rollback|savepoint|release|set )/i.test(text))
    .map(({ text, values }, index) => ({ name: `raw_${index}`, text, values: [...values] }));
  const read = async () => {
    const answers = await Promise.all(named.map((statement) => pool.query(statement)));
    return answers.map((answer) => answer.rows as unknown[]);
  };
  const write = async () => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const rows: unknown[] = [];
      for (const statement of named) rows.push((await client.query(statement)).rows);
      await client.query('rollback');
      return rows;
    } finally {
      client.release();
    }
  };
  const server = createServer((_, response) => {
    (isWrite ? write() : read()).then(
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
