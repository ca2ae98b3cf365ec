import { FilterSqlFault } from '#engine/filter/path-sql.ts';
import { DatabaseFault, type DatabaseFaultKind } from './db/database-fault.ts';
import { AppError, type ErrorCode } from './errors.ts';

/** The refusal that a thrown value stands for. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof DatabaseFault)
    return new AppError(FAULT_CODES[error.kind] ?? 'INTERNAL', {
      cause: error,
      ...(error.kind === 'unavailable' ? { retryAfterS: 5 } : {}),
    });
  if (error instanceof FilterSqlFault)
    return new AppError('BAD_FILTER', { message: `查询条件有误：${error.message}`, cause: error });
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const known = FASTIFY_CODES[code];
  if (known !== undefined) return new AppError(known, { cause: error });
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : 500;
  if (status === 429) return new AppError('RATE_LIMITED', { cause: error });
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new AppError('BAD_REQUEST', { cause: error });
  return new AppError('INTERNAL', { cause: error });
}

const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BAD_REQUEST',
  FST_ERR_BAD_URL: 'ROUTE_NOT_FOUND',
  FST_REQ_FILE_TOO_LARGE: 'FILE_TOO_LARGE',
  FST_FILES_LIMIT: 'BAD_REQUEST',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
};

const FAULT_CODES: Readonly<Partial<Record<DatabaseFaultKind, ErrorCode>>> = {
  conflict: 'CONFLICT',
  lock_timeout: 'CONFLICT',
  statement_timeout: 'TIMEOUT',
  unavailable: 'UNAVAILABLE',
  disk_full: 'DISK_FULL',
  append_only: 'READ_ONLY_RESOURCE',
  outdated: 'DEFINITIONS_CHANGED',
};
