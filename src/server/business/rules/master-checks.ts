import type { FieldProblem } from '#engine/schema/resource.ts';
import { normalisePartyName } from '#trade/party-name.ts';
import { writeDerivedFields } from '#server/records/write/system-write.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { companyOf, textOf } from './rule-values.ts';

/** One real buyer is registered once: case, punctuation and legal forms do not make another one. */
export async function checkBuyerName(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { tx, record } = call;
  const name = normalisePartyName(textOf(record, 'name_en') ?? '');
  if (name === '') return [];
  const rows = await tx.query<{ buyer_no: string; name_en: string }>(
    `select buyer_no, name_en from buyer where co_code = $1 and id <> $2::uuid and not is_deleted and business_type = $3
       and partner_id is not distinct from $4::uuid and country_id is not distinct from $5::uuid`,
    [
      companyOf(call),
      record['id'] ?? null,
      record['business_type'],
      record['partner_id'] ?? null,
      record['country_id'] ?? null,
    ],
  );
  const same = rows.find((row) => normalisePartyName(row.name_en ?? '') === name);
  return same === undefined
    ? []
    : [{ path: 'name_en', code: 'duplicate', message: `已有同名国外客户 ${same.buyer_no}` }];
}

/** Every declaration element of the HS code has its value. */
export async function checkGoodsElements({ tx, record }: RuleCall): Promise<readonly FieldProblem[]> {
  const id = textOf(record, 'hs_code_id');
  const [row] =
    id === null
      ? []
      : await tx.query<{ elements: string | null }>('select elements from hs_code where id = $1::uuid', [id]);
  const elements = parts(row?.elements ?? '');
  if (elements.length === 0) return [];
  const values = (textOf(record, 'elements_value') ?? '').split(/[;；]/).map((value) => value.trim());
  const missing = elements.filter((_, index) => (values[index] ?? '') === '');
  return missing.length === 0
    ? []
    : [{ path: 'elements_value', code: 'elements', message: `请逐项填写申报要素：${missing.join('、')}` }];
}

/** The HS code of the goods is in force and not refused for every destination. */
export async function checkBannedGoods({ tx, record, caller }: RuleCall): Promise<readonly FieldProblem[]> {
  const id = textOf(record, 'hs_code_id');
  if (id === null) return [];
  const [row] = await tx.query<{ code: string; status: string; reason: string | null }>(
    `select h.code, h.status, (select b.reason from banned_hs_code b where b.status = 'active' and not b.is_deleted and h.code like b.hs_code || '%'
        and coalesce(cardinality(b.country_ids), 0) = 0 and (b.valid_from is null or b.valid_from <= $2::date) and (b.valid_to is null or b.valid_to >= $2::date) limit 1) as reason
     from hs_code h where h.id = $1::uuid`,
    [id, caller.context.today],
  );
  if (row === undefined) return [];
  if (row.status !== 'active')
    return [{ path: 'hs_code_id', code: 'not_active', message: `HS编码${row.code}已停用` }];
  return row.reason === null
    ? []
    : [{ path: 'hs_code_id', code: 'banned', message: `该HS编码禁止出口：${row.reason}` }];
}

const CONTROL_ORDER = ['block', 'approve', 'hint'] as const;

/** The strictest control of the Russia list that the goods fall under; it routes the approval. */
export async function markRussiaControl(call: RuleCall): Promise<void> {
  const { tx, record } = call;
  const [hs] = await tx.query<{ code: string }>('select code from hs_code where id = $1::uuid', [
    record['hs_code_id'] ?? null,
  ]);
  const rows = await tx.query<{ hs_prefix: string; keyword: string | null; control: string }>(
    `select hs_prefix, keyword, control from russia_sensitive_goods where status = 'active' and not is_deleted and (valid_from is null or valid_from <= $1::date)`,
    [call.caller.context.today],
  );
  const names = `${textOf(record, 'name') ?? ''} ${textOf(record, 'name_en') ?? ''}`.toLowerCase();
  const hits = rows.filter(
    (row) =>
      (hs?.code ?? '').startsWith(row.hs_prefix) ||
      parts(row.keyword ?? '', /[,，]/).some((word) => names.includes(word.toLowerCase())),
  );
  const control = CONTROL_ORDER.find((kind) => hits.some((row) => row.control === kind)) ?? null;
  await writeDerivedFields(call, 'goods', {
    id: String(record['id']),
    fields: { russia_control: control },
  });
}

function parts(text: string, separator: RegExp = /[;；]/): readonly string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
