import { DatabaseError } from 'pg';

/** What kept a statement from being done, as far as callers tell it apart. */
export type DatabaseFaultKind =
  | 'unique'
  | 'foreign_key'
  | 'not_null'
  | 'check'
  | 'append_only'
  | 'invalid_value'
  | 'out_of_range'
  /** Another transaction was in the way; trying again may help. */
  | 'conflict'
  | 'lock_timeout'
  | 'statement_timeout'
  /** A connection cannot be had, or was lost. */
  | 'unavailable'
  | 'disk_full'
  /** A table or column that is not there: a slip of the program, or definitions that are none any more. */
  | 'unknown_name'
  /** The definitions that the work began with are none any more. */
  | 'outdated'
  | 'other';

/** SQLSTATE (or its class) -> kind: the one place that knows them. */
const KINDS: Readonly<Record<string, DatabaseFaultKind>> = {
  '23505': 'unique',
  '23P01': 'unique',
  '23503': 'foreign_key',
  '23502': 'not_null',
  '23514': 'check',
  ER001: 'append_only',
  ER002: 'outdated',
  '42P01': 'unknown_name',
  '42703': 'unknown_name',
  '22003': 'out_of_range',
  '22001': 'out_of_range',
  '22': 'invalid_value',
  '40': 'conflict',
  '55P03': 'lock_timeout',
  '57014': 'statement_timeout',
  '25P03': 'statement_timeout',
  '08': 'unavailable',
  '57P': 'unavailable',
  '53300': 'unavailable',
  '53100': 'disk_full',
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'unavailable',
  EPIPE: 'unavailable',
  ETIMEDOUT: 'unavailable',
  ENOTFOUND: 'unavailable',
  // A socket in a folder: it went with its server, or too many wait at it.
  ENOENT: 'unavailable',
  EAGAIN: 'unavailable',
};

/** SQLSTATE that the trigger of ledgers and logs raises. */
export const APPEND_ONLY_STATE = 'ER001';

/** SQLSTATE of a commit whose definitions were renamed or removed meanwhile. */
export const OUTDATED_STATE = 'ER002';
/** Constraint that keeps rows out of states that are none any more. */
export const FORMER_STATES = 'former_states';

/** A statement that the database refused. The message is the server's, for the log; never show it to users. */
export class DatabaseFault extends Error {
  readonly kind: DatabaseFaultKind;
  readonly sqlState: string | null;
  readonly table: string | null;
  readonly column: string | null;
  /** Name of the violated constraint or unique index: `findUnique` tells its fields. */
  readonly constraint: string | null;
  /** The same statement may succeed when the transaction is run again. */
  readonly isRetriable: boolean;

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'DatabaseFault';
    const details = cause instanceof DatabaseError ? cause : null;
    this.sqlState = details?.code ?? null;
    this.kind = details?.constraint === FORMER_STATES ? 'outdated' : kindOf(cause);
    this.table = details?.table ?? null;
    this.column = details?.column ?? null;
    this.constraint = details?.constraint ?? null;
    this.isRetriable = this.kind === 'conflict' || isStalePlan(cause);
  }
}

/** Wraps what the driver throws; what is wrapped already, or is no error of the database, comes back as it is. */
export function toDatabaseFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseFault) return error;
  return error instanceof DatabaseError || kindOf(error) !== 'other' ? new DatabaseFault(error) : error;
}

/** A prepared statement from before a migration changed its columns: the connection must be given up. */
export function isStalePlan(error: unknown): boolean {
  return (
    error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
  );
}

function kindOf(error: Error): DatabaseFaultKind {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = KINDS[code] ?? KINDS[code.slice(0, 3)] ?? KINDS[code.slice(0, 2)];
  if (known !== undefined) return known;
  return LOST_CONNECTION.test(error.message) && !(error instanceof DatabaseError) ? 'unavailable' : 'other';
}

// The driver gives these no code.
const LOST_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;
