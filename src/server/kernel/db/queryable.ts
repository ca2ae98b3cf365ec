import { createHash } from 'node:crypto';
import type { ClientBase, QueryConfig, QueryResult } from 'pg';
import { toDatabaseFault } from './database-fault.ts';
import type { FirstStatement, Row, Queryable } from './database.ts';
import { send, sendOpening, type Statement } from './read-query.ts';

/** Runs a statement on a pool, a connection or in a transaction. */
export type Run = (config: Statement) => Promise<QueryResult>;

/** Queries and commands over whatever runs statements. */
export function queryable(run: Run): Queryable {
  return {
    query: async <R extends Row>(
      text: string,
      values: readonly unknown[] = [],
      name?: string,
      first?: FirstStatement,
    ) => {
      const statement = namedStatement(text, values, name);
      // The shape of a row is what the statement says: the one place where that is taken on trust.
      const { rows } = await run(
        first === undefined
          ? statement
          : { ...statement, first: namedStatement(first.text, first.values, first.name) },
      );
      return rows as R[];
    },
    execute: async (text, values = [], name) => (await run(namedStatement(text, values, name))).rowCount ?? 0,
  };
}

/** A statement as the driver takes it, prepared under a name that its text is part of. */
export function namedStatement(
  text: string,
  values: readonly unknown[],
  name: string | undefined,
): QueryConfig {
  return name === undefined
    ? { text, values: [...values] }
    : { text, values: [...values], name: statementName(name, text) };
}

const statementNames = new Map<string, string>();
const MAX_STATEMENT_NAMES = 5_000;

/** The text is part of the name: after a reload the same place may say something else. */
function statementName(name: string, text: string): string {
  const known = statementNames.get(text);
  if (known !== undefined) return known;
  if (statementNames.size >= MAX_STATEMENT_NAMES) statementNames.clear();
  const made = `${name.slice(0, 40)}_${createHash('sha1').update(text).digest('hex').slice(0, 16)}`;
  statementNames.set(text, made);
  return made;
}

/** Runs a statement on one connection. @throws DatabaseFault */
export function runOn(client: ClientBase, config: Statement): Promise<QueryResult> {
  return send(client, config).catch((error: unknown) => {
    throw toDatabaseFault(error);
  });
}

/** The same for the first statement of a transaction, with the `begin` that goes before it. @throws DatabaseFault */
export function runOpening(client: ClientBase, begin: string, config: Statement): Promise<QueryResult> {
  return sendOpening(client, begin, config).catch((error: unknown) => {
    throw toDatabaseFault(error);
  });
}
