import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { faultAt, type JsonPath, type LintFault, type SourceFile } from './source-file.ts';
import { suggestion } from './suggest-name.ts';

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: '文本',
  number: '数字',
  integer: '整数',
  boolean: 'true 或 false',
  object: '对象 {}',
  array: '列表 []',
  null: 'null',
};

/** Checks a file against a meta-schema and says in plain Chinese what is wrong. Node only: the browser never loads ajv. */
export function schemaFaults(file: SourceFile, schema: object): readonly LintFault[] {
  const validate = compiled(schema);
  if (validate(file.value)) return [];
  return (validate.errors ?? []).flatMap((error) => describe(file, error));
}

/**
 * The meta-schemas are our own and valid (a test says so): checking them again takes most of the time of a start, and so does
 * writing out every reference where it stands and making the code smaller.
 */
const TRUSTED = { meta: false, validateSchema: false, inlineRefs: false, code: { optimize: false } } as const;
const validators = new WeakMap<object, ValidateFunction>();
function compiled(schema: object): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, ...TRUSTED });
  const validate = ajv.compile(schema);
  validators.set(schema, validate);
  return validate;
}

function describe(file: SourceFile, error: ErrorObject): readonly LintFault[] {
  const path = jsonPath(error.instancePath, file.value);
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      const known = Object.keys(error.parentSchema?.['properties'] ?? {});
      return [faultAt(file, [...path, key], `未知的键 "${key}"${suggestion(key, known)}`, 'key')];
    }
    case 'required':
      return [faultAt(file, path, `缺少 "${String(params['missingProperty'])}"`)];
    case 'type':
      return [faultAt(file, path, `"${placeName(path)}" 应为${typeName(params['type'])}`)];
    case 'enum': {
      const allowed = listOf(params['allowedValues']);
      return [
        faultAt(
          file,
          path,
          `"${String(error.data)}" 不是允许的值${suggestion(String(error.data), allowed) || `（可用：${allowed.join('、')}）`}`,
        ),
      ];
    }
    case 'const':
      return [faultAt(file, path, `"${placeName(path)}" 只能是 ${JSON.stringify(params['allowedValue'])}`)];
    case 'propertyNames': {
      const key = String(params['propertyName']);
      return [
        faultAt(
          file,
          [...path, key],
          `名称 "${key}" 不符合规定：小写英文、数字、下划线，最长40个字符`,
          'key',
        ),
      ];
    }
    case 'pattern':
    case 'maxLength':
    case 'minLength':
      // Names of keys are reported once, by propertyNames.
      return error.propertyName === undefined ? [faultAt(file, path, textMessage(error, path))] : [];
    case 'minItems':
    case 'minProperties':
      return [faultAt(file, path, `"${placeName(path)}" 不能为空`)];
    case 'minimum':
    case 'maximum':
      return [
        faultAt(
          file,
          path,
          `"${placeName(path)}" 应${error.keyword === 'minimum' ? '不小于' : '不大于'} ${String(params['limit'])}`,
        ),
      ];
    case 'uniqueItems':
      return [faultAt(file, path, `"${placeName(path)}" 中有重复的值`)];
    default:
      return [faultAt(file, path, `"${placeName(path)}" 不符合格式：${error.message ?? error.keyword}`)];
  }
}

function textMessage(error: ErrorObject, path: JsonPath): string {
  const params: Readonly<Record<string, unknown>> = error.params;
  if (error.keyword === 'maxLength') return `"${placeName(path)}" 不能超过${String(params['limit'])}个字符`;
  if (error.keyword === 'minLength') return `"${placeName(path)}" 不能为空`;
  return `"${placeName(path)}" 的值 "${String(error.data)}" 格式不正确`;
}

function placeName(path: JsonPath): string {
  return path.length === 0 ? '文件' : path.join('.');
}

function typeName(type: unknown): string {
  return listOf(Array.isArray(type) ? type : [type])
    .map((name) => TYPE_NAMES[name] ?? name)
    .join('或');
}

function listOf(values: unknown): string[] {
  return Array.isArray(values) ? values.map(String) : [];
}

/** Turns ajv's pointer into a path; numbers are indexes only where the value is a list. */
function jsonPath(pointer: string, value: unknown): JsonPath {
  const path: (string | number)[] = [];
  let current = value;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const step = Array.isArray(current) ? Number(key) : key;
    path.push(step);
    current = memberOf(current, step);
  }
  return path;
}

function memberOf(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Reflect.get(value, step);
}
