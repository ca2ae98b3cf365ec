import { type ClientBase, type Connection, Query, type QueryConfig, type QueryResult } from 'pg';
import type { Row } from './database.ts';
import { VALUE_PARSERS } from './value-parsers.ts';

declare module 'pg' {
  interface ClientBase {
    readonly connection: Connection;
  }
  /** What the driver itself calls on every query. */
  interface Query {
    readonly _result: { readonly rows: unknown[] };
    _canceledDueToError: unknown;
    prepare(connection: Connection): void;
    handleRowDescription(message: { readonly fields: readonly Column[] }): void;
    handleDataRow(message: { readonly fields: Cells }): void;
    handleCommandComplete(message: unknown, connection: Connection): void;
  }
}

interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

type Cells = readonly (string | null)[];

/** How the rows of a statement are read, for the columns that it was described with. */
interface Reading {
  readonly columns: readonly Column[];
  readonly read: (cells: Cells) => Row;
}

/** A statement, with one that goes before it and is not answered for: what it reads is what stands when that one is done. */
export interface Statement extends QueryConfig {
  readonly first?: QueryConfig;
}

/** Sends a statement on one connection, as `forDriver` says, after those that go before it. @throws what the driver does */
export function send(client: ClientBase, statement: Statement): Promise<QueryResult> {
  const { first, ...config } = statement;
  if (first !== undefined) return sendBehind(client, [first], config);
  const query = forDriver(config);
  return query instanceof ReadQuery ? ask(client, query) : client.query(config);
}

/**
 * The same for the first statement of a transaction, behind its `begin`. When the statement fails, the transaction stands
 * begun and aborted, as if both had been sent apart.
 */
export function sendOpening(
  client: ClientBase,
  begin: string,
  { first, ...config }: Statement,
): Promise<QueryResult> {
  const opening = { text: begin, name: begin };
  return sendBehind(client, first === undefined ? [opening] : [opening, first], config);
}

/** What goes before is in one message with the statement, once the connection has prepared it. */
async function sendBehind(
  client: ClientBase,
  ahead: readonly QueryConfig[],
  config: QueryConfig,
): Promise<QueryResult> {
  const query = forDriver(config);
  const { prepared, unanswered } = knowledgeOf(client.connection);
  if (query instanceof ReadQuery && ahead.every(({ name = '' }) => prepared.has(name))) {
    query.ahead = { statements: ahead.map((one) => new ReadQuery(one)), by: unanswered };
    return ask(client, query);
  }
  for (const one of ahead) {
    await send(client, one);
    if (one.name !== undefined) prepared.add(one.name);
  }
  return send(client, config);
}

function ask(client: ClientBase, query: ReadQuery): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    client.query(query, (error: Error | null, result) => {
      if (error === null) resolve(result);
      else reject(error);
    });
  });
}

/**
 * A statement with values as a query that reads its rows itself (the answer has no `fields`): the driver makes two
 * objects of a description before the first row, and tells listeners of every row. What has a name is prepared, and
 * described once a connection.
 */
export function forDriver(config: QueryConfig): QueryConfig {
  if (config.name !== undefined) return new PreparedQuery(config);
  return config.values === undefined || config.values.length === 0 ? config : new ReadQuery(config);
}

class ReadQuery extends Query {
  // Set by the driver: to declare them here as fields would cost as much as the rest of the query.
  declare name: string;
  declare readonly text: string;
  declare protected reading: Reading | undefined;
  /** Prepared statements that go before this one and are not answered for; those that are done are taken out. */
  declare ahead: { readonly statements: ReadQuery[]; readonly by: Connection } | undefined;

  /** Text and values are handed over one by one: the driver copies what comes as one object by its descriptors. */
  constructor({ text, values, name }: QueryConfig) {
    super(text, values);
    if (name !== undefined) this.name = name;
  }

  override prepare(connection: Connection): void {
    if (this.ahead !== undefined) for (const one of this.ahead.statements) one.prepare(this.ahead.by);
    super.prepare(connection);
  }

  override handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    this.reading = { columns: fields, read: rowReader(fields) };
  }

  override handleDataRow({ fields }: { readonly fields: Cells }): void {
    if (this.isBehind() || this.reading === undefined || Boolean(this._canceledDueToError)) return;
    try {
      this._result.rows.push(this.reading.read(fields));
    } catch (error) {
      // Thrown here it would end the process; the driver fails the statement with it when its rows are through.
      this._canceledDueToError = error;
    }
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.isBehind()) {
      this.ahead?.statements.shift();
      return;
    }
    super.handleCommandComplete(message, connection);
    this.handleOwnComplete();
  }

  private isBehind(): boolean {
    return this.ahead !== undefined && this.ahead.statements.length > 0;
  }

  protected handleOwnComplete(): void {
    // For what a prepared statement learns.
  }
}

/**
 * A prepared statement that asks only once a connection what its columns are: the description of a hundred columns costs
 * more than their values. When a table is changed under it, PostgreSQL refuses the statement (`isStalePlan`) before a row
 * is sent, so that what is known of the columns never lies.
 */
class PreparedQuery extends ReadQuery {
  declare private known: Map<string, Reading> | undefined;

  override prepare(connection: Connection): void {
    const { readings, undescribed } = knowledgeOf(connection);
    this.known = readings;
    this.reading = readings.get(this.name);
    super.prepare(this.reading === undefined ? connection : undescribed);
  }

  override handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    this.reading = readingOf(this.name, fields);
    this.known?.set(this.name, this.reading);
  }

  protected override handleOwnComplete(): void {
    if (this.reading === undefined) this.known?.set(this.name, NO_ROWS);
  }
}

/** What is known on a connection, and the connection as it is used by who asks for no description. */
interface Knowledge {
  readonly readings: Map<string, Reading>;
  /** What goes before other statements and is prepared on it, ways to begin a transaction among them. */
  readonly prepared: Set<string>;
  readonly undescribed: Connection;
  /** The connection for what goes before: neither described nor waited for. */
  readonly unanswered: Connection;
}

const knowledge = new WeakMap<Connection, Knowledge>();

function knowledgeOf(connection: Connection): Knowledge {
  const known = knowledge.get(connection) ?? {
    readings: new Map(),
    prepared: new Set<string>(),
    // Everything else is the connection's own.
    undescribed: Object.assign(Object.create(connection), { describe: () => undefined }),
    unanswered: Object.assign(Object.create(connection), {
      describe: () => undefined,
      sync: () => undefined,
    }),
  };
  knowledge.set(connection, known);
  return known;
}

/** What a statement has that gives no rows: no description either. */
const NO_ROWS: Reading = { columns: [], read: () => ({}) };

const readingsByName = new Map<string, Reading>();
const MAX_READINGS = 5_000;

/** One reading for all connections that describe a statement alike. */
function readingOf(name: string, columns: readonly Column[]): Reading {
  const before = readingsByName.get(name);
  if (before !== undefined && areSame(before.columns, columns)) return before;
  if (readingsByName.size >= MAX_READINGS) readingsByName.clear();
  const made = { columns, read: rowReader(columns) };
  readingsByName.set(name, made);
  return made;
}

function areSame(some: readonly Column[], others: readonly Column[]): boolean {
  return (
    some.length === others.length &&
    some.every(
      ({ name, dataTypeID }, at) => name === others[at]?.name && dataTypeID === others[at].dataTypeID,
    )
  );
}

function rowReader(columns: readonly Column[]): (cells: Cells) => Row {
  const names = columns.map(({ name }) => name);
  const parsers = columns.map(({ dataTypeID }) => VALUE_PARSERS.getTypeParser(dataTypeID, 'text'));
  return (cells) => {
    const row: Row = {};
    for (let at = 0; at < names.length; at += 1) {
      const cell = cells[at] ?? null;
      row[names[at] ?? ''] = cell === null ? null : parsers[at]?.(cell);
    }
    return row;
  };
}
