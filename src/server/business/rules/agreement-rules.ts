import { addDays, daysBetween } from '#engine/values/dates.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import { updateRecordFields } from '#server/records/write/system-write.ts';
import { insertNamed, readNamed, runNamed } from '#server/business/named-records.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { isHit } from './check-blacklist.ts';
import { partiesInForce } from './parties.ts';
import { companyOf, knownFields, textOf } from './rule-values.ts';

/** 生效: the agreement that a renewal follows is 已续签. */
export async function activateAgreement(call: RuleCall): Promise<void> {
  const previous = textOf(call.record, 'prev_agreement_id');
  if (previous === null || call.record['agreement_type'] !== 'renewal') return;
  const before = await readNamed(call, 'cooperation_agreement', previous, true);
  if (before !== null && ['effective', 'expiring', 'expired'].includes(String(before['status'])))
    await runNamed(call, 'cooperation_agreement', { id: previous, action: 'mark_renewed' });
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
  await insertNamed(
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
  { key: 'partner', action: 'freeze', status: 'frozen' },
  { key: 'buyer', action: 'disable', status: 'disabled' },
  { key: 'supplier', action: 'disable', status: 'disabled' },
  { key: 'forwarder', action: 'disable', status: 'disabled' },
] as const;

/** Masters that match a new entry are frozen or disabled, which is told. */
export async function freezeMatches(call: RuleCall): Promise<void> {
  const { record, tx, services } = call;
  const entry = {
    name: textOf(record, 'name'),
    name_en: textOf(record, 'name_en'),
    ident_no: textOf(record, 'ident_no'),
    bank_account: textOf(record, 'bank_account'),
  };
  const opinion = `命中黑名单：${entry.name ?? ''}`;
  for (const { key, action, status } of MASTERS) {
    if (services.definitions.catalog().resources[key] === undefined) continue;
    const hits = (await partiesInForce(call, key)).filter((party) => isHit(party, entry));
    for (const { id } of hits) {
      // Not by the action: what is still open must not keep a listed party in force.
      const master = await updateRecordFields(call, key, { id, fields: { status }, action, opinion });
      const about = openSystemCall(services, call.caller, key);
      await emitEvent(tx, about, { event: 'PARTNER_FROZEN', record: master, opinion });
    }
  }
}
