import { fieldColumn } from '#engine/fields/field-types.ts';
import type { Field } from '#engine/schema/resource.ts';
import { quoteLiteral } from '#server/kernel/db/sql-identifiers.ts';

/** What a definition asks of the values of a column and its type does not say. Kept with each migration, so that the next one sees what became stricter. */
export interface ColumnRule {
  readonly column: string;
  readonly title: string;
  readonly isList: boolean;
  readonly isRequired: boolean;
  /** Greatest length of a text. */
  readonly max: number | null;
  /** The closed list of values. */
  readonly options: readonly string[] | null;
  /** Former values with those that come in their place. */
  readonly were?: Readonly<Record<string, string>>;
  /** A literal default: what rows without a value of a new required column get. */
  readonly fill: string | number | boolean | readonly string[] | null;
}

/** One way in which rows may break a stricter rule: `require_title`, `narrow_title`. */
export interface RuleFault {
  readonly step: string;
  readonly says: string;
  /** True for a row that breaks it. */
  readonly where: string;
}

const LIMITED_TYPES: ReadonlySet<string> = new Set(['text', 'textarea']);

/** The rules of the columns of a table. What the engine computes or effects write is nobody's to fill in. */
export function columnRules(fields: readonly Field[]): readonly ColumnRule[] {
  return fields.flatMap((field): readonly ColumnRule[] => {
    if (fieldColumn(field) === null || field.computed) return [];
    return [
      {
        column: field.name,
        title: field.title,
        isList: field.multiple === true,
        isRequired: field.required && field.type !== 'boolean',
        max: LIMITED_TYPES.has(field.type) && typeof field.max === 'number' ? field.max : null,
        options: field.options === undefined || field.name === 'status' ? null : Object.keys(field.options),
        ...(field.were === undefined ? {} : { were: field.were }),
        fill: literalDefault(field),
      },
    ];
  });
}

/** What of a rule is stricter than it was, with the rows that break it. `column` is the SQL of its value; a rule that was not kept counts as none. */
export function stricterRules(
  before: ColumnRule | null,
  after: ColumnRule,
  column: string,
): readonly RuleFault[] {
  const faults: RuleFault[] = [];
  if (after.isRequired && before?.isRequired !== true)
    faults.push({
      step: `require_${after.column}`,
      says: `“${after.title}”改为必填`,
      where: after.isList ? `coalesce(cardinality(${column}), 0) = 0` : `${column} is null`,
    });
  const broken = before === null ? [] : narrowed(before, after, column);
  if (broken.length > 0)
    faults.push({
      step: `narrow_${after.column}`,
      says: `“${after.title}”的取值范围缩小`,
      where: `(${broken.join(' or ')})`,
    });
  return faults;
}

function narrowed(before: ColumnRule, after: ColumnRule, column: string): readonly string[] {
  const broken: string[] = [];
  const isShorter = after.max !== null && (before.max === null || after.max < before.max);
  if (isShorter) broken.push(anyValue(after, column, (value) => `char_length(${value}) > ${after.max}`));
  const kept = new Set(after.options ?? []);
  const isFewer = after.options !== null && (before.options?.some((option) => !kept.has(option)) ?? true);
  if (isFewer) {
    const list = [...kept, ...Object.keys(after.were ?? {})].map(quoteLiteral).join(', ');
    broken.push(anyValue(after, column, (value) => `${value} not in (${list})`));
  }
  return broken;
}

function anyValue(rule: ColumnRule, column: string, test: (value: string) => string): string {
  if (!rule.isList) return `${column} is not null and ${test(`${column}::text`)}`;
  return `exists (select 1 from unnest(${column}::text[]) as item where ${test('item')})`;
}

function literalDefault(field: Field): ColumnRule['fill'] {
  const { default: value } = field;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isTexts && field.multiple === true ? value : null;
}
