import { isDate } from '#engine/values/dates.ts';
import { checkFilter } from '#engine/filter/check-filter.ts';
import { numberTokens } from '#engine/numbering/number-pattern.ts';
import type { ErpRecord, FieldProblem, Resource } from '#engine/schema/resource.ts';
import { findNamed } from '#server/business/find-named.ts';
import { parameterValues, shippedParameter } from '#server/records/read/parameter-values.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { linesIn, textOf } from './rule-values.ts';

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

/** A document never stays without a flow. */
export async function checkFlowCovered(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { services, record } = call;
  const [row] = await findNamed(call, 'approval_flow', {
    where: {
      resource: { eq: textOf(record, 'resource') ?? '' },
      id: { ne: String(record['id']) },
      status: { eq: 'active' },
    },
    fields: ['id'],
    limit: 1,
  });
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

/** A parameter that is chosen has one of its values: what a slip means is nothing that anybody chose. */
export async function checkParameterValue({ services, record }: RuleCall): Promise<readonly FieldProblem[]> {
  const file = services.definitions.setup().files['parameters'];
  const value = textOf(record, 'value') ?? '';
  const known = parameterValues(file, record);
  if (known.length > 0 && !known.some((one) => one.value === value)) {
    const labels = known.map(({ label }) => `“${label}”`).join('、');
    return [{ path: 'value', code: 'unknown', message: `参数值只能选${labels}` }];
  }
  const isDayOfYear = [record['kind'], shippedParameter(file, record)?.['kind']].includes('month_day');
  // A day that every year has.
  return !isDayOfYear || isDate(`2023-${value}`)
    ? []
    : [{ path: 'value', code: 'pattern', message: '参数值须为每年都有的月-日，如 04-30' }];
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
