import { matchesFilter } from '#engine/filter/matches-filter.ts';
import { filterReadPaths } from '#engine/schema/filter-reads.ts';
import { currencyOf } from '#engine/record/compute-record.ts';
import { mainAmount } from '#engine/record/main-amount.ts';
import type { Filter } from '#engine/schema/definition.ts';
import { compareDecimals, multiplyDecimals, roundDecimal } from '#engine/values/decimal.ts';
import type { LevelSource } from '#server/records/following.ts';
import { AppError } from '#server/kernel/errors.ts';
import { attachReferences, type OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';

type ApproverKind = LevelSource['approver_kind'];

export interface FlowLevel extends LevelSource {
  readonly level_no: number;
  readonly title: string;
  /** 或签 or 会签. */
  readonly mode: 'any' | 'all';
  readonly timeout_hours: number | null;
  readonly skip_if_same: boolean;
  /** The level is needed only when the record matches. */
  readonly condition: Filter | null;
}

/** A flow as it is configured: a row, or the file's default. */
interface ApprovalFlow {
  readonly id: string | null;
  readonly name: string;
  readonly version: number;
  readonly priority: number;
  readonly action: string | null;
  readonly amount_field: string | null;
  readonly amount_from: string | null;
  readonly amount_to: string | null;
  readonly condition: Filter | null;
  readonly levels: readonly FlowLevel[];
}

/** The flow that a record goes through, with its amount in CNY. */
export interface MatchedFlow {
  readonly flow: ApprovalFlow;
  readonly amountCny: string | null;
}

/** The first flow that fits a record by priority, amount and condition; null when none does. */
export async function matchFlow(
  db: Reader,
  call: Call,
  asked: { readonly record: OpenRecord; readonly action: string },
): Promise<MatchedFlow | null> {
  const flows = await loadFlows(db, call, asked.record);
  const record = await withConditionPaths(db, call, flows, asked.record);
  for (const flow of flows) {
    if (flow.action !== null && flow.action !== asked.action) continue;
    const scope = recordScope(call, record);
    if (flow.condition !== null && !matchesFilter(flow.condition, scope)) continue;
    const isBanded = flow.amount_from !== null || flow.amount_to !== null;
    const amountCny = amountInCny(call, record, flow.amount_field);
    if (isBanded && !isInBand(flow, amountCny ?? '0')) continue;
    const levels = flow.levels.filter(
      (level) => level.condition === null || matchesFilter(level.condition, scope),
    );
    if (levels.length > 0) return { flow: { ...flow, levels }, amountCny };
  }
  return null;
}

/**
 * A record's amount in CNY at the book rate of today: the named field, else the one its list totals. Null when there is
 * no amount or it is empty.
 * @throws AppError when the currency has no book rate: the level of approval would be a guess
 */
function amountInCny(call: Call, record: OpenRecord, name: string | null): string | null {
  const field = name === null ? mainAmount(call.resource) : call.resource.fields[name];
  const value = field === undefined ? null : record[field.name];
  if (field === undefined || typeof value !== 'string') return null;
  const currency = currencyOf(field, recordScope(call, record)) ?? 'CNY';
  if (currency === 'CNY' || field.type !== 'money') return roundDecimal(value, 2);
  const { context } = call.caller;
  const rate = context.rate?.(currency, 'book', context.today) ?? null;
  if (rate !== null) return roundDecimal(multiplyDecimals(value, rate), 2);
  if (name === null) return null;
  throw new AppError('VALIDATION', { message: `没有${currency}的记账汇率，无法确定审核流程` });
}

function isInBand(flow: ApprovalFlow, amount: string): boolean {
  if (flow.amount_from !== null && compareDecimals(amount, flow.amount_from) < 0) return false;
  return flow.amount_to === null || compareDecimals(amount, flow.amount_to) < 0;
}

/** Conditions of flows may read values of referenced records that the resource itself does not. */
async function withConditionPaths(
  db: Reader,
  call: Call,
  flows: readonly ApprovalFlow[],
  record: OpenRecord,
): Promise<OpenRecord> {
  const filters = flows.flatMap((flow) => [flow.condition, ...flow.levels.map((level) => level.condition)]);
  const paths = filters.flatMap((filter) => filterReadPaths(filter)).filter((path) => path.includes('.'));
  const copy = { ...record };
  await attachReferences(db, {
    catalog: call.catalog,
    resource: call.resource,
    records: [copy],
    withPaths: true,
    withLabels: true,
    company: textOf(record['co_code'] ?? call.caller.subject.co_code),
    extraPaths: paths,
  });
  return copy;
}

const FLOWS = 'approval_flow';

/** Active rows of the company; without any for the resource, the file's defaults. */
async function loadFlows(db: Reader, call: Call, record: OpenRecord): Promise<readonly ApprovalFlow[]> {
  const company = textOf(record['co_code'] ?? call.caller.subject.co_code);
  const rows = await loadRows(db, call, company);
  const flows = rows.length > 0 ? rows : fileFlows(call);
  return [...flows].sort((a, b) => a.priority - b.priority);
}

async function loadRows(db: Reader, call: Call, company: string): Promise<readonly ApprovalFlow[]> {
  const resource = call.catalog.resources[FLOWS];
  if (resource === undefined) return [];
  const shared = resource.fields['also_for'] === undefined ? '' : ' or $2 = any(f.also_for)';
  const scope =
    resource.fields['co_code'] === undefined ? '$2::text is not null' : `(f.co_code = $2${shared})`;
  const action = resource.fields['action'] === undefined ? 'null' : 'f.action';
  const condition = resource.fields['levels']?.fields?.['condition'] === undefined ? 'null' : 'l.condition';
  const rows = await db.query(
    `select f.id, f.name, f.priority, f.version, ${resource.versioned ? 'f.version_no' : 'null as version_no'}, f.amount_field, ${action} as action,
       f.amount_from::text as amount_from, f.amount_to::text as amount_to, f.condition,
       (select json_agg(json_build_object('level_no', l.level_no, 'title', l.title, 'approver_kind', l.approver_kind,
          'roles', array(select r.code from role r where r.id = any(l.role_ids) order by array_position(l.role_ids, r.id)), 'person_ids', l.person_ids, 'mode', l.mode,
          'timeout_hours', l.timeout_hours, 'skip_if_same', l.skip_if_same, 'condition', ${condition}) order by l.level_no)
        from approval_flow__levels l where l.parent_id = f.id) as levels
     from approval_flow f where f.resource = $1 and ${scope} and f.status = 'active' and f.is_deleted = false
     order by f.priority, ${resource.fields['co_code'] === undefined ? '' : 'f.co_code <> $2, '}f.id`,
    [call.resource.resource, company],
    'approval_flows',
  );
  return rows.map((row) => ({
    ...readFlow(row),
    id: String(row['id']),
    version: Number(row['version_no'] ?? row['version'] ?? 1),
  }));
}

function fileFlows(call: Call): readonly ApprovalFlow[] {
  const file: unknown = call.services.definitions.setup().files['approval-flows'];
  const list: readonly unknown[] = Array.isArray(file) ? file : [];
  return list.filter((flow) => member(flow, 'resource') === call.resource.resource).map(readFlow);
}

function readFlow(source: unknown): ApprovalFlow {
  const levels = member(source, 'levels');
  const priority = member(source, 'priority');
  return {
    id: null,
    name: text(member(source, 'name')) ?? '默认流程',
    version: 1,
    priority: Number(priority ?? 100),
    action: text(member(source, 'action')),
    amount_field: text(member(source, 'amount_field')),
    amount_from: text(member(source, 'amount_from')),
    amount_to: text(member(source, 'amount_to')),
    condition: filterOf(member(source, 'condition')),
    levels: Array.isArray(levels) ? levels.map(readLevel) : [],
  };
}

function readLevel(source: unknown, index: number): FlowLevel {
  const timeout = member(source, 'timeout_hours');
  const kind = member(source, 'approver_kind');
  return {
    level_no: Number(member(source, 'level_no') ?? index + 1),
    title: text(member(source, 'title')) ?? `第${index + 1}级审核`,
    approver_kind: KINDS.find((known) => known === kind) ?? 'role',
    roles: rolesOf(source),
    person_ids: texts(member(source, 'person_ids')),
    mode: member(source, 'mode') === 'all' ? 'all' : 'any',
    timeout_hours: timeout === null || timeout === undefined ? null : Number(timeout),
    skip_if_same: member(source, 'skip_if_same') !== false,
    condition: filterOf(member(source, 'condition')),
  };
}

/** A row answers with the codes of its roles, the file names one or a list. */
function rolesOf(source: unknown): readonly string[] {
  const role = member(source, 'role') ?? member(source, 'roles');
  return typeof role === 'string' ? [role] : texts(role);
}

const KINDS: readonly ApproverKind[] = ['role', 'person', 'dept_manager', 'owner_service'];

function filterOf(value: unknown): Filter | null {
  return isFilter(value) && Object.keys(value).length > 0 ? value : null;
}

function isFilter(value: unknown): value is Filter {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function text(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
