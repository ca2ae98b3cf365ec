import type { Change, HistoryEntry } from '#contract/records.ts';
import { canSee } from '#engine/access/resource-access.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { linesOf } from './attach-references.ts';
import { FormerNames } from './former-names.ts';
import { isRecordId, readStored } from './read-stored.ts';
import { presentValue } from './present-record.ts';
import { statesTold } from './states-told.ts';
import { rowText, rowTextOrNull } from '#server/kernel/db/row-text.ts';

const MAX_ENTRIES = 500;
const SYSTEM_TITLE = '系统更新';
/** What was refused is no step in the life of a record: the audit keeps it for those who look into it. */
const REFUSED = 'refused';
/** How the house works: customers are told what becomes of a document, not who had to agree and what was filled in by itself. */
const OF_THE_HOUSE: ReadonlySet<string> = new Set([
  'approve',
  'delegate',
  'entrust',
  'end_entrust',
  'preview',
  'merge',
  'transfer',
  'hand_over',
  'used',
  'derive',
  'retire',
  'recompute',
]);
/** What is no action of the definition: saves, decisions, and what effects write. */
const BASE_TITLES: Readonly<Record<string, string>> = {
  create: '新增',
  made: '审核时生成',
  update: '修改',
  delete: '删除',
  approve: '同意',
  approved: '审核通过',
  reject: '驳回',
  withdraw: '撤回',
  delegate: '转审',
  entrust: '委托审核',
  end_entrust: '取消审核委托',
  mail: '发邮件',
  preview: '身份预览',
  import: '导入',
  register: '自助注册',
  upload: '上传图片',
  merge: '合并',
  transfer: '转移',
  hand_over: '移交',
  insured: '承保',
  used: '额度占用更新',
  derive: '系统补全',
  retire: '状态调整',
};

/**
 * The audit rows of a record, newest first, without fields that the role may not see. Partners see no internal opinions,
 * and nothing of what the house did to a record while they did not see it.
 */
export async function recordHistory(call: Call, id: string): Promise<readonly HistoryEntry[]> {
  const { db } = call.services;
  const record = isRecordId(id)
    ? await readStored(callersReader(call), call, id, { isLimitingLines: true })
    : null;
  if (record === null) throw new AppError('NOT_FOUND');
  const rows = await db.query(
    `select a.id, a.at, a.person_id, a.person_name, a.for_sales_id, a.on_behalf_name, a.action, a.from_status, a.to_status, a.opinion, a.changes,
       (select p.name from person p where p.id = a.for_sales_id and p.co_code = a.co_code) as for_sales_name,
       a.person_id = $3::uuid as is_own
     from sys_audit a where a.resource = any(erp_resource_names($1)) and a.record_id = $2::uuid and a.action <> '${REFUSED}' order by a.at desc, a.id desc limit ${MAX_ENTRIES}`,
    [call.resource.resource, id, call.caller.subject.id],
    'history',
  );
  const isPartner = call.caller.subject.kind === 'partner';
  const names = await FormerNames.read(db, call.resource);
  const told = isPartner && call.resource.lifecycle !== undefined ? statesTold(call, record) : null;
  const isTold = (state: unknown): boolean => told === null || typeof state !== 'string' || told.has(state);
  return rows
    .map((each) => names.present(each))
    .filter((row) => isTold(row['to_status']) && !(isPartner && OF_THE_HOUSE.has(String(row['action']))))
    .map((row) => ({
      id: rowText(row, 'id'),
      at: rowText(row, 'at'),
      person_id: isPartner ? null : rowTextOrNull(row, 'person_id'),
      // Of the house nobody is named to customers; of their own people whoever it was.
      person_name: isPartner && row['is_own'] !== true ? null : rowTextOrNull(row, 'person_name'),
      for_sales_id: isPartner ? null : rowTextOrNull(row, 'for_sales_id'),
      for_sales_name: isPartner ? null : rowTextOrNull(row, 'for_sales_name'),
      on_behalf_name: isPartner ? null : rowTextOrNull(row, 'on_behalf_name'),
      action: String(row['action']),
      action_title: titleOf(call, String(row['action'])),
      ...fromOf(call, isTold(row['from_status']) ? rowTextOrNull(row, 'from_status') : null),
      to_status: rowTextOrNull(row, 'to_status'),
      to_title: stateOf(call, row['to_status']),
      opinion: isPartner ? null : rowTextOrNull(row, 'opinion'),
      changes: visibleChanges(call, row['changes'], record),
    }))
    .filter((entry) => !isPartner || saysSomething(entry));
}

/** Of a step that left a record in its state a customer reads what changed; where nothing did that is theirs, it is none. */
function saysSomething({ action, from_status: from, to_status: to, changes }: HistoryEntry): boolean {
  return changes.length > 0 || from !== to || action === 'create' || action === 'register';
}

/**
 * The changes of an audit row that a role may see; line changes are named `items.<id>.quantity`. Of lists whose lines are
 * not all open to the role only those lines count that `shown`, the record as the role sees it, has: of one that is gone
 * nobody knows any more whose it was.
 */
export function visibleChanges(call: Call, changes: unknown, shown: ErpRecord): readonly Change[] {
  if (!Array.isArray(changes)) return [];
  return changes.flatMap((change: unknown): readonly Change[] => {
    if (!isChange(change)) return [];
    const entry = change;
    const [head = '', line, column] = entry.field.split('.');
    const path = column === undefined ? head : `${head}.${column}`;
    const isLine = call.resource.fields[head]?.type === 'lines';
    if (!canSee(call.access, path)) return [];
    if (isLine && call.access.lines[head] !== undefined && !hasLine(shown, head, line)) return [];
    if (isLine && column === undefined)
      return [
        { ...entry, old: visibleLine(call, head, entry['old']), new: visibleLine(call, head, entry['new']) },
      ];
    const field = isLine ? call.resource.fields[head]?.fields?.[column ?? ''] : call.resource.fields[head];
    if (field?.mask === undefined) return [entry];
    return [
      {
        ...entry,
        old: presentValue(call, entry['old'], field, path),
        new: presentValue(call, entry['new'], field, path),
      },
    ];
  });
}

function isChange(value: unknown): value is Change {
  return typeof value === 'object' && value !== null && 'field' in value && typeof value.field === 'string';
}

function hasLine(record: ErpRecord, lines: string, id: string | undefined): boolean {
  return linesOf(record[lines]).some((line) => line['id'] === id);
}

function visibleLine(call: Call, lines: string, line: unknown): unknown {
  if (typeof line !== 'object' || line === null) return line;
  const cells = call.resource.fields[lines]?.fields ?? {};
  return Object.fromEntries(
    Object.entries(line)
      .filter(([column]) => canSee(call.access, `${lines}.${column}`))
      .map(([column, value]: [string, unknown]) => {
        const cell = cells[column];
        return [
          column,
          cell?.mask === undefined ? value : presentValue(call, value, cell, `${lines}.${column}`),
        ];
      }),
  );
}

function titleOf(call: Call, action: string): string {
  const actions = call.resource.lifecycle?.actions ?? {};
  const known = Object.hasOwn(actions, action) ? actions[action]?.title : undefined;
  return known ?? BASE_TITLES[action] ?? SYSTEM_TITLE;
}

function fromOf(call: Call, state: string | null): Pick<HistoryEntry, 'from_status' | 'from_title'> {
  return { from_status: state, from_title: stateOf(call, state) };
}

function stateOf(call: Call, state: unknown): string {
  const states = call.resource.lifecycle?.states ?? {};
  return typeof state === 'string' && Object.hasOwn(states, state) ? (states[state]?.title ?? state) : '';
}
