import { describe, expect, it } from 'vitest';
import { evaluate } from '#engine/expression/evaluate.ts';
import { parseExpression } from '#engine/expression/parse-expression.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { shipped, shippedDefinitions } from '../../resources/shipped-definitions.ts';

function valueOf(formula: string, record: ErpRecord): unknown {
  const { catalog } = shippedDefinitions();
  if (catalog === null) throw new Error('resources/ has faults');
  const subject = {
    id: 'p',
    personid: 'sp.aa',
    name: '周明',
    kind: 'staff',
    role_code: 'SP',
    role_codes: ['SP'],
    co_code: 'AA',
    dept_code: 'AA01',
    dept_codes: ['AA01'],
    sales_ids: ['p'],
    sales_id: 'p',
    partner_id: null,
    super_permission: false,
    scope_override: null,
  } as const;
  const context = { subject, today: '2026-11-20', now: '2026-11-20T06:00:00.000Z', params: {} };
  return evaluate(parseExpression(formula), {
    resource: shipped('purchase_contract'),
    catalog,
    record,
    context,
  });
}

describe('evaluate on shipped definitions', () => {
  it('goes on computing with a quotient that does not end', () => {
    expect(
      valueOf('round(total_amount / (1 + vat_rate), 2)', { total_amount: '1400.00', vat_rate: '13.0000' }),
    ).toBe('1238.94');
    expect(
      valueOf('round(total_amount / (1 + vat_rate) * 0.13, 2)', {
        total_amount: '28000.00',
        vat_rate: '13.0000',
      }),
    ).toBe('3221.24');
    expect(valueOf('0.0000000001 / 3 * 3', {})).not.toBeNull();
  });

  it('looks for a text inside a text, or a value in a list', () => {
    expect(valueOf("contains(purchase_no, 'CG')", { purchase_no: 'AACG202600001' })).toBe(true);
    expect(valueOf("contains(purchase_no, 'cg')", { purchase_no: 'AACG202600001' })).toBe(false);
    expect(valueOf("contains(purchase_no, '')", { purchase_no: 'AACG202600001' })).toBe(false);
    expect(valueOf("contains(purchase_no, 'x')", {})).toBe(false);
  });
});
