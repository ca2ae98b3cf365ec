import { Ajv, type ErrorObject } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { RECORD } from '#contract/common.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';

// Bodies are taken as they are: nothing is coerced, nothing is dropped, nothing unknown passes.
const ajv = new Ajv({
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  allErrors: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
});

/** Compiles a route's schemas when the first request needs them, not at start: there are many routes. */
export const compileLazily: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  let validate: ReturnType<typeof ajv.compile> | null = null;
  return (data: unknown) => {
    validate ??= ajv.compile(schema);
    // A form that requires nothing may be left out; a record may not, or nothing sent would be an empty document.
    const value = data ?? (httpPart === 'body' && schema !== RECORD ? {} : data);
    if (validate(value)) return { value };
    return { error: validationRefusal(validate.errors ?? []) };
  };
};

/** The refusal of a request that does not fit its schema, one problem for each place. */
export function validationRefusal(errors: readonly ErrorObject[]): AppError {
  const problems = errors.slice(0, 20).map(problemOf);
  const first = problems[0];
  const message =
    first === undefined
      ? undefined
      : `请求内容有误：${first.path === '' ? '' : `${first.path} `}${first.message}`;
  return new AppError('BAD_REQUEST', { problems, ...(message === undefined ? {} : { message }) });
}

function problemOf(error: ErrorObject): FieldProblem {
  const base = error.instancePath.slice(1).replaceAll('/', '.');
  const extra: unknown = error.params['missingProperty'] ?? error.params['additionalProperty'];
  const path = typeof extra === 'string' ? (base === '' ? extra : `${base}.${extra}`) : base;
  return { path, code: error.keyword, message: messageOf(error) };
}

function messageOf(error: ErrorObject): string {
  const limit = String(error.params['limit'] ?? '');
  return (MESSAGES[error.keyword] ?? '不符合要求')
    .replace('{limit}', limit)
    .replace('{type}', typeName(error.params['type']));
}

/** The first of several types names them all: null only says that the value may be left out. */
function typeName(type: unknown): string {
  const [first] = String(type ?? '').split(',');
  return TYPES[first ?? ''] ?? String(first);
}

const MESSAGES: Readonly<Record<string, string>> = {
  required: '不能为空',
  additionalProperties: '是未知字段',
  type: '应为{type}',
  enum: '不在允许的取值之内',
  const: '不是允许的取值',
  pattern: '格式不正确',
  minLength: '至少 {limit} 个字符',
  maxLength: '最多 {limit} 个字符',
  minimum: '不能小于 {limit}',
  maximum: '不能大于 {limit}',
  minItems: '至少 {limit} 项',
  maxItems: '最多 {limit} 项',
  uniqueItems: '不能重复',
};

const TYPES: Readonly<Record<string, string>> = {
  string: '文字',
  integer: '整数',
  number: '数字',
  boolean: '是或否',
  object: '对象',
  array: '列表',
  null: '空值',
};
