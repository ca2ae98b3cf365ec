import { checkFilter } from '#engine/filter/check-filter.ts';
import { numberTokens } from '#engine/numbering/number-pattern.ts';
import type { ErpRecord, FieldProblem, Resource } from '#engine/schema/resource.ts';
import { isDate } from '#engine/values/dates.ts';
import { compareDecimals, isPlainDecimal } from '#engine/values/decimal.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { decimalOf, linesIn, textOf } from './rule-values.ts';

/** Levels are numbered 1, 2, 3 ... and there is at least one. */
export async function checkFlowLevels({ record }: RuleCall): Promise<readonly FieldProblem[]> {
  const numbers = linesIn(record, 'levels').map((level) => Number(level['level_no']));
  if (numbers.length === 0) return [{ path: 'levels', code: 'required', message: '至少要有一级审核' }];
  const isConsecutive = numbers.toSorted((a, b) => a - b).every((number, index) => number === index + 1);
  return isConsecutive ? [] : [{ path: 'levels', code: 'levels', message: '级次须从1开始连续' }];
}

/** A flow speaks of a document with approval, its amount and its fields. */
export async function checkFlowFields({ services, record }: RuleCall): Promise<readonly FieldProblem[]> {
  const catalog = services.definitions.catalog();
  const key = textOf(record, 'resource') ?? '';
  const resource = catalog.resources[key];
  if (resource === undefined) return [{ path: 'resource', code: 'unknown', message: `未知资源“${key}”` }];
  const problems: FieldProblem[] = [];
  if (!Object.values(resource.lifecycle?.actions ?? {}).some((action) => action.approval !== undefined))
    problems.push({ path: 'resource', code: 'no_approval', message: `${resource.title}没有需要审核的动作` });
  const amount = textOf(record, 'amount_field');
  if (amount !== null && !['money', 'decimal'].includes(resource.fields[amount]?.type ?? ''))
    problems.push({
      path: 'amount_field',
      code: 'unknown',
      message: `“${amount}”不是${resource.title}的金额字段`,
    });
  if (record['condition'] !== null && record['condition'] !== undefined)
    problems.push(...conditionProblems(parsed(record['condition']), resource, 'condition', catalog));
  for (const [index, level] of linesIn(record, 'levels').entries())
    if (level['condition'] !== null && level['condition'] !== undefined)
      problems.push(
        ...conditionProblems(parsed(level['condition']), resource, `levels.${index}.condition`, catalog),
      );
  return problems;
}

/** Bands of amounts of the same document and condition do not overlap. */
export async function checkFlowBands({ tx, record }: RuleCall): Promise<readonly FieldProblem[]> {
  const rows = await tx.query<{ name: string; amount_from: string | null; amount_to: string | null }>(
    `select name, amount_from, amount_to from approval_flow where co_code = $1 and resource = $2 and id <> $3::uuid and status = 'active' and not is_deleted
       and action is not distinct from $4 and condition is not distinct from $5::jsonb`,
    [
      record['co_code'],
      record['resource'],
      record['id'],
      record['action'] ?? null,
      record['condition'] === null || record['condition'] === undefined
        ? null
        : JSON.stringify(parsed(record['condition'])),
    ],
  );
  const from = decimalOf(record, 'amount_from');
  const to = textOf(record, 'amount_to');
  const hit = rows.find((row) => isBelow(from, row.amount_to) && isBelow(row.amount_from ?? '0', to));
  return hit === undefined
    ? []
    : [{ path: 'amount_from', code: 'overlap', message: `金额区间与流程“${hit.name}”重叠` }];
}

/** A document never stays without a flow. */
export async function checkFlowCovered({ tx, services, record }: RuleCall): Promise<readonly FieldProblem[]> {
  const [row] = await tx.query(
    `select 1 from approval_flow where co_code = $1 and resource = $2 and id <> $3::uuid and status = 'active' and not is_deleted limit 1`,
    [record['co_code'], record['resource'], record['id']],
  );
  const file: unknown = services.definitions.setup().files['approval-flows'];
  const inFile =
    Array.isArray(file) &&
    file.some((flow: unknown) => isRecord(flow) && flow['resource'] === record['resource']);
  return row !== undefined || inFile
    ? []
    : [{ path: '', code: 'uncovered', message: '停用后该单据没有适用的审核流程' }];
}

/** Values of a built-in dictionary stay what its state machines know. */
export async function checkDictionaryItems({ services, record }: RuleCall): Promise<readonly FieldProblem[]> {
  const name = textOf(record, 'name') ?? '';
  const files: unknown = services.definitions.setup().files['dictionaries'];
  const file = isRecord(files) ? files[name] : undefined;
  if (!isRecord(file) || file['builtin'] !== true || !Array.isArray(file['items'])) return [];
  const wanted = file['items']
    .map((item: unknown) => (isRecord(item) ? String(item['value']) : ''))
    .toSorted();
  const given = linesIn(record, 'items')
    .map((item) => String(item['value']))
    .toSorted();
  return JSON.stringify(wanted) === JSON.stringify(given)
    ? []
    : [{ path: 'items', code: 'builtin', message: '内置字典的值不可增删' }];
}

const PARAMETER_FORMS: Readonly<Record<string, (value: string) => boolean>> = {
  number: isPlainDecimal,
  percent: (value) =>
    isPlainDecimal(value) && compareDecimals(value, '0') >= 0 && compareDecimals(value, '100') <= 0,
  bool: (value) => value === '0' || value === '1',
  date: isDate,
};

export async function checkParameterValue({ record }: RuleCall): Promise<readonly FieldProblem[]> {
  const fits = PARAMETER_FORMS[textOf(record, 'kind') ?? ''];
  const value = textOf(record, 'value');
  return fits === undefined || value === null || fits(value)
    ? []
    : [{ path: 'value', code: 'format', message: '参数值格式不正确' }];
}

export async function checkNumberPattern({ services, record }: RuleCall): Promise<readonly FieldProblem[]> {
  const resource = services.definitions.catalog().resources[textOf(record, 'resource') ?? ''];
  if (resource?.number === undefined)
    return [{ path: 'resource', code: 'unknown', message: '该单据没有编号' }];
  const pattern = textOf(record, 'pattern') ?? '';
  const sequences = pattern.match(/\{seq:[1-9]\}/g)?.length ?? 0;
  if (numberTokens(pattern) === null)
    return [{ path: 'pattern', code: 'pattern', message: '编号规则不正确' }];
  return sequences === 1
    ? []
    : [{ path: 'pattern', code: 'pattern', message: '编号规则须有且只有一个 {seq:位数}' }];
}

function conditionProblems(
  condition: unknown,
  resource: Resource,
  path: string,
  catalog: Parameters<typeof checkFilter>[1]['catalog'],
): readonly FieldProblem[] {
  return checkFilter(condition, { resource, catalog }).map((fault) => ({
    path,
    code: 'filter',
    message: fault.message,
  }));
}

function isBelow(amount: string, limit: string | null): boolean {
  return limit === null || compareDecimals(amount, limit) < 0;
}

/** JSON fields come as values or, from the database, as text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function isRecord(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
