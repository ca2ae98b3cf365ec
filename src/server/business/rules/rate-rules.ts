import { addDays } from '#engine/values/dates.ts';
import {
  absoluteDecimal,
  compareDecimals,
  divideDecimals,
  subtractDecimals,
} from '#engine/values/decimal.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { writeDerivedFields } from '#server/records/write/system-write.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { decimalOf, knownFields, textOf } from './rule-values.ts';

/** A rate far from the one before needs a second look. */
export async function checkRateDeviation({ tx, record, caller }: RuleCall): Promise<readonly FieldProblem[]> {
  if (record['confirmed'] === true) return [];
  const date = textOf(record, 'date');
  if (date === null) return [];
  const [row] = await tx.query<{ rate: string }>(
    `select rate from currency_rate where currency = $1 and kind = $2 and date < $3::date and date >= $4::date and id <> $5::uuid and not is_deleted order by date desc limit 1`,
    [record['currency'], record['kind'], date, addDays(date, -31), record['id']],
  );
  const quotient = row === undefined ? null : divideDecimals(decimalOf(record, 'rate'), row.rate);
  if (quotient === null) return [];
  const deviation = absoluteDecimal(subtractDecimals(quotient, '1'));
  const allowed = caller.context.params['RATE_DAY_DEVIATION'] ?? '0.05';
  return compareDecimals(deviation, allowed) > 0
    ? [
        {
          path: 'confirmed',
          code: 'deviation',
          message: '与前一汇率相差超过允许偏差，请复核后勾选“已复核偏差”',
        },
      ]
    : [];
}

/** A rate that a voucher or split used never changes. */
export async function checkRateLocked({ record, previous }: RuleCall): Promise<readonly FieldProblem[]> {
  if (previous?.['locked'] !== true) return [];
  const isSame = ['currency', 'kind', 'date', 'rate'].every(
    (name) => String(previous[name]) === String(record[name]),
  );
  return isSame ? [] : [{ path: 'rate', code: 'locked', message: '汇率已被使用，不能修改' }];
}

/** The rate knows its currency; the currency shows the newest book rate. */
export async function postCurrencyRate(call: RuleCall): Promise<void> {
  const { tx, record, resource, caller } = call;
  const [currency] = await tx.query<{ id: string }>(
    'select id from currency where code = $1 and not is_deleted',
    [record['currency']],
  );
  if (currency === undefined) return;
  await writeDerivedFields(call, resource.resource, {
    id: String(record['id']),
    company: null,
    fields: knownFields(resource.fields, { currency_id: currency.id }),
  });
  if (record['kind'] !== 'book') return;
  await tx.query(
    `update currency set current_book_rate = (select rate from currency_rate where currency = $1 and kind = 'book' and date <= $2::date and not is_deleted order by date desc limit 1) where id = $3::uuid`,
    [record['currency'], caller.context.today, currency.id],
  );
}

/** A partner is never left without a rate. */
export async function checkRateCovered({ tx, record, caller }: RuleCall): Promise<readonly FieldProblem[]> {
  const [row] = await tx.query(
    `select 1 from partner_rate where co_code = $1 and (partner_id = $2::uuid or partner_id is null) and id <> $3::uuid and status = 'active' and not is_deleted
       and valid_from <= $4::date and (valid_to is null or valid_to >= $4::date) limit 1`,
    [record['co_code'], record['partner_id'] ?? null, record['id'], caller.context.today],
  );
  return row === undefined ? [{ path: '', code: 'uncovered', message: '停用后没有适用的费率' }] : [];
}

/** Below the company's own default the fee needs 总经理. */
export async function markRateFloor(call: RuleCall): Promise<void> {
  const { tx, record, resource } = call;
  const [floor] = await tx.query<{ fee_rate: string }>(
    `select fee_rate from partner_rate where co_code = $1 and partner_id is null and status = 'active' and not is_deleted and fee_basis = $2
       and (currency is null or currency = $3) and (export_mode is null or export_mode = $4)
     order by (currency is not null)::int + (export_mode is not null)::int desc, valid_from desc limit 1`,
    [record['co_code'], record['fee_basis'], record['currency'] ?? null, record['export_mode'] ?? null],
  );
  const isBelow =
    textOf(record, 'partner_id') !== null &&
    floor !== undefined &&
    compareDecimals(decimalOf(record, 'fee_rate'), floor.fee_rate) < 0;
  await writeDerivedFields(call, resource.resource, {
    id: String(record['id']),
    company: record['co_code'],
    fields: { below_floor: isBelow },
  });
}
