import { fieldProblem } from '#server/auth/account.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { findBankConflict } from './bank-conflict.ts';
import { mergeEqualRelations } from './merge-relations.ts';
import { openCall } from '#server/records/call/open-call.ts';
import { repointReferences } from './repoint-references.ts';
import { findNamed } from '#server/business/find-named.ts';
import { lockRecords, type SystemContext } from '#server/records/write/system-write.ts';
import { insertNamed, runNamed } from '#server/business/named-records.ts';

interface Supplier {
  readonly id: string;
  readonly supplier_no: string;
  readonly name: string;
  readonly status: string;
  readonly partner_id: string | null;
  readonly business_type: string;
}

/**
 * Merges a duplicate supplier into another of the caller's company (spec 2.6): every reference moves, the replaced one
 * is disabled and a log row written, in one transaction. Relations that become equal are merged. `sellerCustid` is the code kept, `agcustid` the one replaced.
 */
export async function switchSupplier(
  services: Services,
  caller: Caller,
  codes: { readonly sellerCustid: string; readonly agcustid: string },
): Promise<void> {
  openCall(services, caller, 'supplier', 'merge');
  const keepNo = codes.sellerCustid.trim();
  const replacedNo = codes.agcustid.trim();
  const sides = [
    { path: 'sellerCustid', which: '保留', code: keepNo },
    { path: 'agcustid', which: '被替换', code: replacedNo },
  ] as const;
  refuseSides(sides, ({ which, code }) => (code === '' ? `${which}供应商编码不能为空` : null));
  refuseWhen(keepNo === replacedNo, '被替换供应商不能与保留供应商相同');
  await services.db.transaction(async (tx) => {
    const context = { tx, services, caller };
    const found = await findSuppliers(context, [keepNo, replacedNo]);
    await lockRecords(context, 'supplier', found.map(({ id }) => id).toSorted());
    const locked = await findSuppliers(context, [keepNo, replacedNo]);
    const supplierOf = (no: string) => locked.find(({ supplier_no: own }) => own === no);
    refuseSides(sides, ({ which, code }) =>
      supplierOf(code) === undefined ? `${which}供应商编码“${code}”不存在` : null,
    );
    const [keep, replaced] = [supplierOf(keepNo), supplierOf(replacedNo)];
    if (keep === undefined || replaced === undefined) throw new AppError('VALIDATION');
    await refuseMerged(context, [keep, replaced]);
    refuseSides(sides, ({ which, code }) =>
      supplierOf(code)?.status === 'active' ? null : `${which}供应商“${code}”未启用`,
    );
    refuseWhen(keep.business_type !== replaced.business_type, '代理与自营的供应商不能合并');
    refuseWhen(keep.partner_id !== replaced.partner_id, '两个供应商属于不同的委托方，不能合并');
    await refuseBankConflict(context, keep, replaced);
    const merged = await mergeEqualRelations(context, { keep: keep.id, replaced: replaced.id });
    const moved = await repointReferences(context, {
      resource: 'supplier',
      keep: keep.id,
      replaced: replaced.id,
    });
    await runNamed(context, 'supplier', {
      id: replaced.id,
      action: 'merge',
      opinion: `替换为${keepNo}`,
    });
    await insertNamed(context, 'supplier_switch', {
      keep_supplier_id: keep.id,
      replaced_supplier_id: replaced.id,
      affected: new Set([...merged, ...moved]).size,
      operator_id: caller.subject.id,
    });
  });
}

/** Another company's code is told like an unknown one. */
async function findSuppliers(context: SystemContext, codes: readonly string[]): Promise<readonly Supplier[]> {
  const rows = await findNamed(context, 'supplier', {
    where: { supplier_no: { in: codes } },
    fields: ['id', 'supplier_no', 'name', 'status', 'partner_id', 'business_type'],
  });
  return rows.map((row) => ({
    id: String(row.id),
    supplier_no: String(row.supplier_no),
    name: String(row.name ?? ''),
    status: String(row.status),
    partner_id: typeof row.partner_id === 'string' ? row.partner_id : null,
    business_type: String(row.business_type),
  }));
}

/** One of the two codes that are asked for. */
interface Side {
  readonly path: string;
  readonly which: string;
  readonly code: string;
}

/** Names whatever is wrong with either, each at its place. */
function refuseSides(sides: readonly Side[], faultOf: (side: Side) => string | null): void {
  const problems = sides.flatMap((side) => {
    const message = faultOf(side);
    return message === null ? [] : [fieldProblem(side.path, 'supplier', message)];
  });
  const [first] = problems;
  if (first !== undefined) throw new AppError('VALIDATION', { message: first.message, problems });
}

async function refuseMerged(context: SystemContext, suppliers: readonly Supplier[]): Promise<void> {
  const rows = await findNamed(context, 'supplier_switch', {
    where: { replaced_supplier_id: { in: suppliers.map(({ id }) => id) } },
    fields: ['replaced_supplier_id'],
  });
  const merged = suppliers.find(({ id }) => rows.some((row) => row.replaced_supplier_id === id));
  refuseWhen(merged !== undefined, `供应商“${merged?.supplier_no ?? ''}”已被替换`);
}

async function refuseBankConflict(context: SystemContext, keep: Supplier, replaced: Supplier): Promise<void> {
  const conflict = await findBankConflict(context, { keep: keep.id, replaced: replaced.id });
  refuseWhen(
    conflict !== null,
    `收款账户冲突：保留供应商“${keep.name}”的账户为${conflict?.kept ?? ''}，被替换供应商“${replaced.name}”的账户为${conflict?.replaced ?? ''}，请先由财务核对并登记到保留供应商`,
  );
}

function refuseWhen(isWrong: boolean, message: string): void {
  if (isWrong) throw new AppError('VALIDATION', { message });
}
