import { parseField } from '#engine/fields/field-types.ts';
import type { ErpRecord, Field, FieldProblem, Resource } from '#engine/schema/resource.ts';
import { linesIn, textOf } from './rule-values.ts';

/** A change of a shipment version as the shipment's own value. */
export interface ParsedChange {
  readonly index: number;
  readonly field: Field;
  /** The lines field and the line that is changed; null for the head. */
  readonly line: { readonly lines: string; readonly row: ErpRecord } | null;
  readonly value: unknown;
  readonly oldText: string;
}

const WHOLE: ReadonlySet<string> = new Set(['items']);

/** Reads the changes of a version against the shipment: which field, which line, which value; and what is wrong with them. */
export function parseChanges(
  version: ErpRecord,
  shipment: ErpRecord,
  resource: Resource,
): { readonly changes: readonly ParsedChange[]; readonly problems: readonly FieldProblem[] } {
  const changes: ParsedChange[] = [];
  const problems: FieldProblem[] = [];
  for (const [index, change] of linesIn(version, 'changes').entries()) {
    const found = parseChange(change, shipment, resource);
    if (typeof found === 'string')
      problems.push({
        path: `changes.${index}.${found === LINE_FAULT ? 'line_no' : found === VALUE_FAULT ? 'new_value' : 'field'}`,
        code: 'change',
        message: found,
      });
    else if ('fault' in found)
      problems.push({ path: `changes.${index}.new_value`, code: 'change', message: found.fault });
    else changes.push({ index, ...found });
  }
  return { changes, problems };
}

/** The shipment after the changes. */
export function appliedChanges(
  shipment: ErpRecord,
  changes: readonly ParsedChange[],
): Record<string, unknown> {
  const next: Record<string, unknown> = { ...shipment };
  for (const { field, line, value } of changes)
    if (line === null) next[field.name] = value;
    else
      next[line.lines] = linesIn(next, line.lines).map((row) =>
        row['id'] === line.row['id'] ? { ...row, [field.name]: value } : row,
      );
  return next;
}

const LINE_FAULT = '没有这一行';
const VALUE_FAULT = '请填写变更后的内容';
const FIELD_FAULT = '明细单没有这个字段，或该字段不能变更';

type Parsed = Omit<ParsedChange, 'index'>;

function parseChange(
  change: ErpRecord,
  shipment: ErpRecord,
  resource: Resource,
): Parsed | string | { readonly fault: string } {
  const path = textOf(change, 'field') ?? '';
  const [name = '', column] = path.split('.');
  const lines = column === undefined ? undefined : resource.fields[name];
  const field = column === undefined ? resource.fields[name] : lines?.fields?.[column];
  if (
    field === undefined ||
    field.computed ||
    WHOLE.has(path) ||
    field.type === 'attachment' ||
    field.name === 'status'
  )
    return FIELD_FAULT;
  const row =
    lines === undefined ? null : (linesIn(shipment, name)[Number(change['line_no'] ?? 0) - 1] ?? null);
  if (lines !== undefined && row === null) return LINE_FAULT;
  const text = textOf(change, 'new_value');
  if (text === null) return VALUE_FAULT;
  const parsed = parseField(typed(text, field), field);
  if ('problem' in parsed) return { fault: `${field.title}：${parsed.problem.message}` };
  return {
    field,
    line: row === null ? null : { lines: name, row },
    value: parsed.value,
    oldText: shownText((row ?? shipment)[field.name]),
  };
}

/** The text of a change as the type that the field takes. */
function typed(text: string, field: Field): unknown {
  if (field.type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (field.type === 'boolean') return ['true', '是', '1'].includes(text);
  return text;
}

function shownText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What a version's stage is from the state the shipment was in. */
export function stageOf(status: string | null): 'before_declare' | 'after_declare' | 'after_ship' {
  if (status === 'shipped') return 'after_ship';
  return status === 'declared' ? 'after_declare' : 'before_declare';
}

/** Fields that stand on a customs declaration: changing one after declaring needs a 改单. */
export const DECLARED_FIELDS: ReadonlySet<string> = new Set([
  'incoterm', 'currency', 'port_loading_id', 'exit_port_id', 'port_dest_id', 'dest_country_id', 'trade_country_id', 'transport_mode', 'supervision_mode',
  'freight', 'insurance_fee', 'bl_no', 'vessel', 'voyage', 'container_nos', 'goods_id', 'hs_code', 'name_cn', 'quantity', 'unit', 'unit_price', 'legal_quantity1',
  'legal_quantity2', 'packages', 'package_kind', 'gross_weight', 'net_weight', 'source_place_id',
]); // prettier-ignore
