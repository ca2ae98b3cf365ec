import type { ErpRecord, FieldProblem, Resource } from '#engine/schema/resource.ts';
import { addDecimals, compareDecimals, multiplyDecimals, roundDecimal } from '#engine/values/decimal.ts';
import { AppError } from '#server/kernel/errors.ts';
import { writeDerivedFields } from '#server/records/write/system-write.ts';
import { insertNamed, readNamed, runNamed, updateNamed } from '#server/business/named-records.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { checkRaisedExposure } from './credit-exposure.ts';
import { companyOf, decimalOf, knownFields, linesIn, textOf } from './rule-values.ts';
import {
  appliedChanges,
  DECLARED_FIELDS,
  type ParsedChange,
  parseChanges,
  stageOf,
} from './version-changes.ts';

/** 变更 of a shipment opens a draft version with its snapshot. */
export async function createShipmentVersion(call: RuleCall): Promise<void> {
  const { record, input } = call;
  const version = versionResource(call);
  await insertNamed(
    call,
    'shipment_version',
    knownFields(version.fields, {
      business_type: record['business_type'] ?? undefined,
      co_code: record['co_code'],
      dept_code: record['dept_code'] ?? undefined,
      sales_id: record['sales_id'] ?? undefined,
      shipment_id: record['id'],
      shipment_no: record['shipment_no'],
      partner_id: record['partner_id'] ?? undefined,
      reason_kind: input['reason_kind'] ?? undefined,
    }),
  );
}

/** A new version: its stage and snapshot as of now, and the shipment is 变更中 until it is decided. */
export async function openShipmentVersion(call: RuleCall): Promise<void> {
  const shipment = await shipmentOf(call);
  const before =
    call.previous === undefined ? await previousStatus(call, shipment) : textOf(shipment, 'status');
  await writeDerivedFields(call, 'shipment_version', {
    id: String(call.record['id']),
    company: call.record['co_code'],
    fields: knownFields(call.resource.fields, {
      stage: stageOf(before),
      snapshot_before: plainSnapshot(shipment),
    }),
  });
  await describeVersion(call, shipment);
  await setAmending(call, shipment);
}

/** A changed version: old values, what comes out, and whether customs must be told. */
export async function refreshShipmentVersion(call: RuleCall): Promise<void> {
  await describeVersion(call, await shipmentOf(call));
}

/** A re-submitted version puts the shipment back to 变更中. */
export async function reopenAmendment(call: RuleCall): Promise<void> {
  await setAmending(call, await shipmentOf(call));
}

/** Rejected, withdrawn or given up: the shipment goes back to where it was, unchanged. */
export async function closeShipmentVersion(call: RuleCall): Promise<void> {
  const shipment = await shipmentOf(call);
  if (shipment['status'] === 'amending')
    await runNamed(call, 'shipment', {
      id: String(shipment['id']),
      action: 'amend_done',
      opinion: '变更未生效',
    });
}

/** Approved: the shipment goes back to where it was, the new values are written, older versions are superseded. */
export async function applyShipmentVersion(call: RuleCall): Promise<void> {
  const shipment = await shipmentOf(call);
  const id = String(shipment['id']);
  const { changes, problems } = parseChanges(call.record, shipment, shipmentResource(call));
  const [first] = problems;
  if (first !== undefined) throw new AppError('RULE_REFUSED', { problems, message: first.message });
  if (shipment['status'] === 'amending')
    await runNamed(call, 'shipment', { id, action: 'amend_done', opinion: '变更生效' });
  const next = appliedChanges(shipment, changes);
  const fields = Object.fromEntries(
    [...new Set(changes.map((change) => change.line?.lines ?? change.field.name))].map((name) => [
      name,
      next[name],
    ]),
  );
  await updateNamed(call, 'shipment', {
    id,
    fields,
    action: 'amend',
    opinion: textOf(call.record, 'version_no'),
  });
  const older = await call.tx.query<{ id: string }>(
    `select id from shipment_version where co_code = $1 and shipment_id = $2::uuid and id <> $3::uuid and status = 'effective' and not is_deleted`,
    [companyOf(call), id, call.record['id']],
  );
  for (const row of older) await runNamed(call, 'shipment_version', { id: row.id, action: 'supersede' });
}

/** The changes speak of real fields and lines, their values fit, and quantities stay within the contracts. */
export async function checkVersionChanges(call: RuleCall): Promise<readonly FieldProblem[]> {
  if (textOf(call.record, 'shipment_id') === null) return [];
  const shipment = await shipmentOf(call);
  const other = await otherOpenVersion(call, shipment);
  if (other !== null)
    return [{ path: 'shipment_id', code: 'open_version', message: `该明细单已有未完成的变更 ${other}` }];
  return parseChanges(call.record, shipment, shipmentResource(call)).problems;
}

/** The new amount is not below what has been received. */
export async function checkVersionAmounts(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { before, after } = await changedShipment(call);
  const received = addDecimals(decimalOf(before, 'received_amount'), decimalOf(before, 'written_off_amount'));
  return compareDecimals(decimalOf(after, 'total_amount'), received) < 0
    ? [{ path: 'changes', code: 'below_received', message: '变更后的发票金额不能少于已收汇金额' }]
    : [];
}

/** What the change adds fits the partner's credit line. */
export async function checkVersionCredit(call: RuleCall): Promise<readonly FieldProblem[]> {
  return checkRaisedExposure(call, await changedShipment(call));
}

/** The shipment as it is and as the version leaves it, with its new total. */
async function changedShipment(
  call: RuleCall,
): Promise<{ readonly before: ErpRecord; readonly after: ErpRecord }> {
  const before = await shipmentOf(call);
  const next = appliedChanges(before, parseChanges(call.record, before, shipmentResource(call)).changes);
  const total = linesIn(next, 'items').reduce((sum, line) => addDecimals(sum, amountOf(line)), '0');
  return { before, after: { ...next, total_amount: total } };
}

/** A declared field changed after declaring: customs must have amended first. */
export async function checkCustomsAmended({ record }: RuleCall): Promise<readonly FieldProblem[]> {
  return record['need_customs_amend'] === true && record['customs_amended'] !== true
    ? [{ path: 'customs_amended', code: 'customs', message: '已申报的内容有变更，请先完成海关改单' }]
    : [];
}

async function describeVersion(call: RuleCall, shipment: ErpRecord): Promise<void> {
  const version = await readNamed(call, 'shipment_version', String(call.record['id']));
  if (version === null) return;
  const { changes } = parseChanges(version, shipment, shipmentResource(call));
  const rows = linesIn(version, 'changes');
  await writeDerivedFields(call, 'shipment_version', {
    id: String(version['id']),
    company: version['co_code'],
    fields: knownFields(call.resource.fields, {
      snapshot_after: plainSnapshot(appliedChanges(shipment, changes)),
      need_customs_amend: version['stage'] !== 'before_declare' && changes.some(isDeclared),
    }),
    lines: {
      changes: changes.map((change) => ({
        id: rows[change.index]?.['id'],
        old_value: change.oldText.slice(0, 200),
      })),
    },
  });
}

async function setAmending(call: RuleCall, shipment: ErpRecord): Promise<void> {
  if (shipment['status'] === 'amending') return;
  await updateNamed(call, 'shipment', {
    id: String(shipment['id']),
    fields: { status: 'amending' },
    action: 'amend',
    opinion: '开始变更',
  });
}

/** Another version of the shipment that is not decided yet. */
async function otherOpenVersion(call: RuleCall, shipment: ErpRecord): Promise<string | null> {
  const [row] = await call.tx.query<{ version_no: string }>(
    `select version_no from shipment_version where co_code = $1 and shipment_id = $2::uuid and id <> $3::uuid and not is_deleted and status in ('draft', 'pending', 'rejected') limit 1`,
    [companyOf(call), shipment['id'], call.record['id'] ?? '00000000-0000-0000-0000-000000000000'],
  );
  return row?.version_no ?? null;
}

/** The state the shipment was in before 变更: the stored previous one while it is 变更中. */
async function previousStatus(call: RuleCall, shipment: ErpRecord): Promise<string | null> {
  if (shipment['status'] !== 'amending') return textOf(shipment, 'status');
  const [row] = await call.tx.query<{ previous_status: string | null }>(
    'select previous_status from shipment where co_code = $1 and id = $2::uuid',
    [companyOf(call), shipment['id']],
  );
  return row?.previous_status ?? null;
}

async function shipmentOf(call: RuleCall): Promise<ErpRecord> {
  const id = textOf(call.record, 'shipment_id');
  const shipment = id === null ? null : await readNamed(call, 'shipment', id, true);
  if (shipment === null) throw new AppError('NOT_FOUND', { message: '明细单不存在' });
  return shipment;
}

function shipmentResource(call: RuleCall): Resource {
  const resource = call.services.definitions.catalog().resources['shipment'];
  if (resource === undefined) throw new AppError('UNKNOWN_RESOURCE');
  return resource;
}

function versionResource(call: RuleCall): Resource {
  const resource = call.services.definitions.catalog().resources['shipment_version'];
  if (resource === undefined) throw new AppError('UNKNOWN_RESOURCE');
  return resource;
}

function isDeclared(change: ParsedChange): boolean {
  return DECLARED_FIELDS.has(change.field.name);
}

function amountOf(line: ErpRecord): string {
  return roundDecimal(multiplyDecimals(decimalOf(line, 'quantity'), decimalOf(line, 'unit_price')), 2);
}

/** A record without what only travels with answers. */
function plainSnapshot(record: ErpRecord): string {
  return JSON.stringify(record, (key, value: unknown) => (key.startsWith('_') ? undefined : value));
}
