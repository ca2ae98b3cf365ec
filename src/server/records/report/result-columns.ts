import type { ReportResultColumn } from '#contract/reports.ts';
import { digitsOf } from '#engine/fields/decimal-value.ts';
import { isGrowth } from '#engine/report/finish-report.ts';
import type { ReportPlan } from '#engine/report/plan-report.ts';
import { measureOf, type ReportColumn } from '#engine/report/report-definition.ts';
import type { Field } from '#engine/schema/resource.ts';
import { shownField } from './read-labels.ts';
import type { OpenSource } from './report-sources.ts';

/** The columns of an answer: what they show, and how. */
export function resultColumns(
  sources: readonly OpenSource[],
  plan: ReportPlan,
): readonly ReportResultColumn[] {
  return plan.columns
    .filter(({ hidden }) => hidden !== true)
    .map((column) => {
      const group = plan.keys.findIndex(({ columns }) => columns.includes(column.key));
      const shape = shapeOf(column, sources, plan);
      return {
        key: column.key,
        title: column.title,
        isFigure: column.value === undefined,
        ...shape,
        ...(column.currency === undefined ? {} : { byCurrency: true }),
        opens: drilledColumn(plan, column.key) !== null,
        ...(group < 0 ? {} : { group }),
      };
    });
}

/**
 * The column whose rows stand behind a figure: of ratios and what is reckoned the one that they come from. The figure of
 * another stretch has rows of its own, but for one put together from the lines of other months: that does not open.
 */
export function drilledColumn(plan: ReportPlan, key: string): string | null {
  const column = plan.columns.find((one) => one.key === key);
  if (column === undefined) return null;
  if (measureOf(column) !== null || column.value !== undefined) return key;
  if (column.compare !== undefined && !isGrowth(column))
    return plan.measures.some((one) => one.column === key && one.role !== 'series') ? key : null;
  const from = column.ratio?.[0] ?? column.of ?? column.cumulative ?? column.running ?? column.abc;
  return from === undefined ? '' : from.replace(/^total\./, '');
}

type Look = Pick<ReportResultColumn, 'as' | 'scale'> & { readonly to?: string };

function shapeOf(column: ReportColumn, [open]: readonly OpenSource[], plan: ReportPlan): Look {
  const own = ownShape(column, open, plan);
  return {
    ...own,
    as: column.as ?? own.as,
    scale: column.scale ?? (column.as === undefined ? own.scale : SCALES[column.as]),
  };
}

const SCALES = { money: 2, number: 2, percent: 2, integer: 0 } as const;

function ownShape(column: ReportColumn, open: OpenSource | undefined, plan: ReportPlan): Look {
  if (column.value !== undefined) return valueShape(shownField(open, column.value, plan));
  const measure = measureOf(column);
  if (measure !== null) {
    if (measure.kind === 'count' || measure.kind === 'distinct') return { as: 'integer', scale: 0 };
    return figureShape(shownField(open, measure.over, plan));
  }
  if (column.ratio !== undefined || column.cumulative !== undefined || isGrowth(column))
    return { as: 'percent', scale: 2 };
  if (column.abc !== undefined) return { as: 'text', scale: 0 };
  const over = plan.columns.find(({ key }) => key === (column.of ?? column.running));
  return over === undefined
    ? { as: 'money', scale: 2 }
    : shapeOf(over, open === undefined ? [] : [open], plan);
}

function figureShape(field: Field | null): Look {
  switch (field?.type) {
    case 'integer':
      return { as: 'integer', scale: 0 };
    case 'date':
    case 'datetime':
      return { as: field.type, scale: 0 };
    case 'decimal':
      return { as: 'number', scale: field.standard || field.scale === undefined ? 2 : field.scale };
    default:
      return { as: 'money', scale: 2 };
  }
}

function valueShape(field: Field | null): Look {
  switch (field?.type) {
    case 'date':
    case 'datetime':
    case 'boolean':
      return { as: field.type, scale: 0 };
    case 'money':
    case 'decimal':
    case 'percent':
      return { as: field.type === 'money' ? 'money' : 'number', scale: digitsOf(field).scale };
    case 'integer':
      return { as: 'integer', scale: 0 };
    case 'reference':
      return { as: 'text', scale: 0, ...(typeof field.to === 'string' ? { to: field.to } : {}) };
    default:
      return { as: 'text', scale: 0 };
  }
}
