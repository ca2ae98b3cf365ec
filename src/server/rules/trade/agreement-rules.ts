import { addDays, daysBetween } from '#engine/values/dates.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import {
  insertRecord,
  readRecord,
  runSystemAction,
  updateRecordFields,
} from '#server/operations/system-write.ts';
import type { RuleCall } from '../rule-registry.ts';
import { isHit } from './check-blacklist.ts';
import { companyOf, knownFields, linesIn, textOf } from './rule-values.ts';

/** 生效: the agreement that a renewal follows is 已续签. */
export async function activateAgreement(call: RuleCall): Promise<void> {
  const previous = textOf(call.record, 'prev_agreement_id');
  if (previous === null || call.record['agreement_type'] !== 'renewal') return;
  const before = await readRecord(call, 'cooperation_agreement', previous, true);
  if (before !== null && ['effective', 'expiring', 'expired'].includes(String(before['status'])))
    await runSystemAction(call, 'cooperation_agreement', { id: previous, action: 'mark_renewed' });
}

/** 续签 needs that no other renewal is under way. */
export async function checkOpenRenewal(call: RuleCall): Promise<readonly FieldProblem[]> {
  const [row] = await call.tx.query<{ agreement_no: string }>(
    `select agreement_no from cooperation_agreement where co_code = $1 and prev_agreement_id = $2::uuid and not is_deleted and status in ('draft', 'pending', 'approved', 'rejected') limit 1`,
    [companyOf(call), call.record['id']],
  );
  return row === undefined
    ? []
    : [{ path: '', code: 'open', message: `已有未完成的续签协议 ${row.agreement_no}` }];
}

const NOT_COPIED = new Set([
  'id',
  'version',
  'agreement_no',
  'status',
  'sign_date',
  'scan',
  'attachments',
  'submitted_by',
  'submitted_at',
  'approved_by',
  'approved_at',
  'reject_reason',
]);

/** 续签: a draft like this one, from the day after its end, as long as it was. */
export async function createRenewal(call: RuleCall): Promise<void> {
  const { record, resource } = call;
  const [start, end] = [textOf(record, 'start_date'), textOf(record, 'end_date')];
  if (start === null || end === null) return;
  const from = addDays(end, 1);
  const copied = Object.fromEntries(
    Object.values(resource.fields)
      .filter(
        (field) =>
          !NOT_COPIED.has(field.name) &&
          !field.name.startsWith('created_') &&
          !field.name.startsWith('updated_') &&
          field.type !== 'attachment',
      )
      .map((field) => [field.name, record[field.name] ?? undefined]),
  );
  await insertRecord(
    call,
    'cooperation_agreement',
    knownFields(resource.fields, {
      ...copied,
      agreement_type: 'renewal',
      prev_agreement_id: record['id'],
      start_date: from,
      end_date: addDays(from, daysBetween(start, end)),
    }),
  );
}

/** The same subject is on the blacklist once. */
export async function checkDuplicateBlacklist(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { record } = call;
  const [row] = await call.tx.query(
    `select 1 from blacklist where co_code = $1 and id <> $2::uuid and status = 'active' and not is_deleted and kind = $3
       and (lower(name) = lower($4) or ($5::text is not null and ident_no = $5) or ($6::text is not null and bank_account = $6)) limit 1`,
    [
      companyOf(call),
      record['id'],
      record['kind'],
      record['name'],
      record['ident_no'] ?? null,
      record['bank_account'] ?? null,
    ],
  );
  return row === undefined ? [] : [{ path: 'name', code: 'duplicate', message: '该对象已在黑名单中' }];
}

const MASTERS = [
  { key: 'partner', action: 'freeze' },
  { key: 'buyer', action: 'disable' },
  { key: 'supplier', action: 'disable' },
  { key: 'forwarder', action: 'disable' },
] as const;

/** Masters that match a new entry are frozen or disabled, and their owners are told. */
export async function freezeMatches(call: RuleCall): Promise<void> {
  const { record, tx, services } = call;
  const entry = {
    name: textOf(record, 'name'),
    name_en: textOf(record, 'name_en'),
    ident_no: textOf(record, 'ident_no'),
    bank_account: textOf(record, 'bank_account'),
  };
  for (const { key, action } of MASTERS) {
    const resource = services.definitions.catalog().resources[key];
    if (resource === undefined) continue;
    const ids = await tx.query<{ id: string }>(
      `select id from ${key} where co_code = $1 and status = 'active' and not is_deleted`,
      [companyOf(call)],
    );
    for (const { id } of ids) {
      const master = await readRecord(call, key, id);
      if (master === null) continue;
      const banks = linesIn(master, 'banks');
      const party = {
        names: texts([master['name'], master['name_cn'], master['name_en']]),
        identNos: texts([master['credit_code'], master['id_no'], master['reg_no']]),
        accounts: texts(banks.map((bank) => bank['account_no'])),
        swifts: texts(banks.map((bank) => bank['swift'])),
      };
      if (!isHit(party, entry)) continue;
      await updateRecordFields(call, key, {
        id,
        fields: { status: action === 'freeze' ? 'frozen' : 'disabled' },
        action,
        opinion: `命中黑名单：${entry.name ?? ''}`,
      });
      const owner = textOf(master, 'sales_id');
      if (owner !== null)
        await services.notices.notify(tx, {
          event: 'PARTNER_FROZEN',
          to: [owner],
          title: '黑名单命中',
          content: `${resource.title}「${party.names[0] ?? ''}」命中黑名单，已${action === 'freeze' ? '冻结' : '停用'}`,
          coCode: companyOf(call),
          level: 'urgent',
          resource: key,
          recordId: id,
        });
    }
  }
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.filter((value): value is string => typeof value === 'string' && value !== '');
}
