import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { runDailyActions } from '#server/workflow/jobs/day-end.ts';
import { runSystemAction } from '#server/records/write/system-write.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { release, type ShipmentSteps, shipmentSteps } from './shipment-steps.ts';

let rules: RulesExample;
let steps: ShipmentSteps;

beforeAll(async () => {
  rules = await startRulesExample({ 'sp.aa': 'SP', 'tm.aa': 'TM', 'rk.aa': 'RK', 'dc.aa': 'DC' });
  steps = shipmentSteps(rules, 'buyout');
}, 300_000);
afterAll(() => rules.example.close());

/** A line of so much CNY; the book rate of the example is 7.1. */
async function aLine(amount: string, changes: Fields = {}): Promise<{ partner: string; line: string }> {
  const partner = await rules.aPartner();
  const line = await rules.given('credit_line', {
    partner_id: partner,
    purpose: 'shipment_risk',
    amount,
    valid_from: '2026-01-01',
    valid_to: '2099-12-31',
    sales_id: rules.example.masters.sales,
    dept_code: 'AA',
    status: 'active',
    ...changes,
  });
  return { partner, line };
}

async function figures(line: string): Promise<readonly unknown[]> {
  const { used, available } = await rules.stored('credit_line', line);
  return [used, available];
}

/** What the settlement does to a shipment, which no person may do by hand. */
async function happens(shipment: string, action: string): Promise<void> {
  const { services } = rules.example;
  await services.db.transaction((tx) =>
    runSystemAction({ tx, services, caller: systemCaller(services, 'AA') }, 'shipment', {
      id: shipment,
      action,
    }),
  );
}

const isOver = async (id: string): Promise<unknown> => (await rules.stored('shipment', id))['exposure_over'];

describe('the credit line of a partner', () => {
  it('lets one of two shipments pass that fit only one by one, approved at once', async () => {
    const { partner, line } = await aLine('50000.00');
    const ids = [
      await steps.submitted(await steps.contract(partner), '600'),
      await steps.submitted(await steps.contract(partner), '600'),
    ];
    expect(await Promise.all(ids.map(isOver))).toEqual([false, false]);
    for (const id of ids) await must(steps.decide('tm.aa', 'shipment', id));
    const answers = await Promise.all(ids.map((id) => steps.decide('rk.aa', 'shipment', id)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, problems }) => [status, problems])).toEqual([
      [
        400,
        [
          expect.objectContaining({
            path: 'total_amount',
            message: '授信额度不足，超出35,200.00元；请驳回后重新提交，由风控按超敞口审核',
          }),
        ],
      ],
    ]);
    expect(await figures(line)).toEqual(['42600.00', '7400.00']);
  });

  it('refuses what was frozen since the submission; what was submitted as beyond it, risk control decides', async () => {
    const { partner, line } = await aLine('50000.00');
    const contract = await steps.contract(partner);
    const within = await steps.submitted(contract, '600');
    await must(steps.decide('tm.aa', 'shipment', within));
    await must(rules.act('rk.aa', 'credit_line', line, 'freeze', { opinion: '逾期' }));
    const refused = await steps.decide('rk.aa', 'shipment', within);
    expect([refused.status, refused.problems[0]?.path, refused.msg]).toEqual([
      400,
      'total_amount',
      '授信额度已冻结；请驳回后重新提交，由风控按超敞口审核',
    ]);
    const beyond = await steps.approved(contract, '100');
    expect([await isOver(beyond), ...(await figures(line))]).toEqual([true, '7100.00', '42900.00']);
    await must(rules.act('rk.aa', 'credit_line', line, 'unfreeze'));
    await must(steps.decide('rk.aa', 'shipment', within));
    expect(await figures(line)).toEqual(['49700.00', '300.00']);
  });

  it('refuses a change of a shipment that raises it beyond the line, and lets lower ones pass', async () => {
    const { partner, line } = await aLine('50000.00');
    const shipment = await steps.approved(await steps.contract(partner), '600');
    const amended = await must(
      rules.act('sp.aa', 'shipment', shipment, 'amend', {
        opinion: '客户加单',
        inputs: { reason_kind: '客户要求' },
      }),
    );
    const version = (amended['_created'] as readonly { id: string }[])[0]?.id ?? '';
    const submit = async (quantity: string) => {
      const stored = await must(rules.as('sp.aa', 'GET', `/data/shipment_version/${version}`));
      const [known] = stored['changes'] as readonly Fields[];
      const saved = await rules.as('sp.aa', 'PATCH', `/data/shipment_version/${version}`, {
        version: stored['version'],
        reason: '客户改单',
        changes: [
          {
            ...(known === undefined ? {} : { id: known['id'] }),
            field: 'items.quantity',
            line_no: 1,
            new_value: quantity,
          },
        ],
      });
      // A change is tried as it is saved: what cannot be approved is not kept.
      return saved.status === 200 ? rules.act('sp.aa', 'shipment_version', version, 'submit') : saved;
    };
    const over = await submit('705');
    expect([over.status, over.problems[0]?.path, over.msg]).toEqual([
      400,
      'changes.0.new_value',
      '授信额度不足，超出55.00元，不能变更',
    ]);
    await must(submit('704'));
    await must(steps.decide('tm.aa', 'shipment_version', version));
    expect(await figures(line)).toEqual(['49984.00', '16.00']);
  });

  it('follows a shipment from its approval to the last money', async () => {
    const { partner, line } = await aLine('50000.00');
    const contract = await steps.contract(partner);
    const id = await steps.submitted(contract, '600');
    await must(steps.decide('tm.aa', 'shipment', id));
    expect(await figures(line)).toEqual(['0.00', '50000.00']);
    await must(steps.decide('rk.aa', 'shipment', id));
    expect(await figures(line)).toEqual(['42600.00', '7400.00']);

    await release(rules, id);
    const { version } = await rules.stored('shipment', id);
    const shipping = { version, atd: '2026-10-01', bl_no: 'COSU1' };
    await must(rules.as('dc.aa', 'PATCH', `/data/shipment/${id}`, shipping));
    await must(rules.act('dc.aa', 'shipment', id, 'ship'));
    expect(await figures(line)).toEqual(['42600.00', '7400.00']);

    const writeOff = (amount: string) =>
      rules.act('rk.aa', 'shipment', id, 'write_off', { opinion: '无法收回', inputs: { amount } });
    await must(writeOff('1000.00'));
    expect(await figures(line)).toEqual(['35500.00', '14500.00']);
    await happens(id, 'settle');
    expect(await figures(line)).toEqual(['0.00', '50000.00']);
    await happens(id, 'unsettle');
    expect(await figures(line)).toEqual(['35500.00', '14500.00']);
    await must(writeOff('5000.00'));
    expect(await figures(line)).toEqual(['0.00', '50000.00']);
  });

  it('is asked of a shipment whose purchase is agreed: while that is changed, neither it nor a version is approved', async () => {
    const { partner } = await aLine('500000.00');
    const contract = await steps.contract(partner);
    const id = await steps.submitted(contract, '600');
    const bought = (status: string) =>
      rules.example.services.db.query(
        'update purchase_contract set status = $2 where export_contract_id = $1::uuid',
        [contract, status],
      );
    await bought('pending');
    for (const who of ['tm.aa', 'rk.aa']) {
      const early = await steps.decide(who, 'shipment', id);
      if (early.status === 200) continue;
      expect([early.status, early.problems[0]?.path, early.msg]).toEqual([
        400,
        'items.0.purchase_contract_id',
        '采购合同须已审核，外销合同与供应商须与本行一致',
      ]);
      await bought('signed');
      await must(steps.decide(who, 'shipment', id));
    }
    expect((await rules.stored('shipment', id))['status']).toBe('approved');
    const asked = { opinion: '唛头', inputs: { reason_kind: '客户要求' } };
    const amended = await must(rules.act('sp.aa', 'shipment', id, 'amend', asked));
    const version = String((amended['_created'] as readonly Fields[])[0]?.['id']);
    await must(
      rules.as('sp.aa', 'PATCH', `/data/shipment_version/${version}`, {
        version: (await rules.stored('shipment_version', version))['version'],
        reason: '客户要求',
        changes: [{ field: 'marks', new_value: 'N/M 2' }],
      }),
    );
    await bought('rejected');
    const refused = await rules.act('sp.aa', 'shipment_version', version, 'submit');
    expect([refused.status, refused.msg]).toEqual([400, '采购合同的变更尚未审核通过，不能变更明细单']);
    await bought('signed');
    const sold = (status: string) =>
      rules.example.services.db.query('update export_contract set status = $2 where id = $1::uuid', [
        contract,
        status,
      ]);
    await sold('pending');
    const unsold = await rules.act('sp.aa', 'shipment_version', version, 'submit');
    expect([unsold.status, unsold.msg]).toEqual([400, '外销合同的变更尚未审核通过，不能变更明细单']);
    await sold('executing');
    await must(rules.act('sp.aa', 'shipment_version', version, 'submit'));
  });

  it('is free again when a shipment is cancelled, and takes no account of prepaid ones', async () => {
    const { partner, line } = await aLine('50000.00');
    const id = await steps.approved(await steps.contract(partner), '700');
    expect(await figures(line)).toEqual(['49700.00', '300.00']);
    await must(rules.act('tm.aa', 'shipment', id, 'cancel', { opinion: '客户取消' }));
    expect(await figures(line)).toEqual(['0.00', '50000.00']);
    const prepaid = await steps.submitted(await steps.contract(partner, { payment_term: 'TT_ADV' }), '9000');
    expect(await isOver(prepaid)).toBe(false);
    await must(steps.decide('tm.aa', 'shipment', prepaid));
    expect([(await rules.stored('shipment', prepaid))['status'], ...(await figures(line))]).toEqual([
      'approved',
      '0.00',
      '50000.00',
    ]);
  });

  it('is passed by what risk control lets pass, and tells it', async () => {
    const { partner, line } = await aLine('50000.00');
    const contract = await steps.contract(partner);
    const exact = await steps.approved(contract, '704');
    expect(await isOver(exact)).toBe(false);
    const over = await steps.submitted(contract, '3');
    expect(await isOver(over)).toBe(true);
    for (const who of ['tm.aa', 'rk.aa']) await must(steps.decide(who, 'shipment', over));
    expect(await figures(line)).toEqual(['50197.00', '-197.00']);
  });

  it('decides nothing once it has run out or was never there: risk control does', async () => {
    const expired = await aLine('50000.00', { valid_to: '2026-01-31', status: 'expired' });
    const late = await aLine('50000.00', { valid_to: '2026-01-31' });
    const none = await rules.aPartner();
    for (const partner of [expired.partner, late.partner, none])
      expect(await isOver(await steps.submitted(await steps.contract(partner), '1'))).toBe(true);
  });

  it('takes no account of what the partner bears, and of insured shipments only what is not covered', async () => {
    const { partner, line } = await aLine('50000.00');
    const contract = await steps.contract(partner);
    await rules.example.services.db.query(
      `update cooperation_agreement set risk_deviation = true where partner_id = $1::uuid`,
      [partner],
    );
    const theirs = await steps.submitted(contract, '9000');
    expect(await isOver(theirs)).toBe(false);
    await must(steps.decide('tm.aa', 'shipment', theirs));
    await must(steps.decide('rk.aa', 'shipment', theirs));
    expect(await figures(line)).toEqual(['0.00', '50000.00']);
    await rules.example.services.db.query(
      `update cooperation_agreement set risk_deviation = false where partner_id = $1::uuid`,
      [partner],
    );
    const ours = await steps.approved(contract, '600');
    expect(await figures(line)).toEqual(['42600.00', '7400.00']);
    await rules.given('insurance_application', {
      ...{
        business_type: 'agency',
        kind: 'sinosure',
        shipment_id: ours,
        partner_id: partner,
        currency: 'USD',
      },
      ...{ insured_amount: '6000', cover_ratio: '90', rate: '0.35', payment_term: 'OA', term_days: 60 },
      ...{ ship_date: '2026-10-01', declared_date: '2026-10-02', status: 'declared' },
    });
    await runDailyActions(rules.example.services);
    expect(await rules.stored('credit_line', line)).toMatchObject({
      ...{ receivable: '4260.00', funding: '0.00', exposure: '4260.00', used: '4260.00' },
    });
  });

  it('is held against the larger of what is lent and what is to come, or the one that is chosen', async () => {
    const { partner, line } = await aLine('50000.00');
    await steps.approved(await steps.contract(partner), '600');
    const lent = await rules.given('financing', {
      ...{
        business_type: 'agency',
        partner_id: partner,
        financing_type: 'order',
        currency: 'CNY',
        rate: '1',
      },
      ...{ amount: '45000', ratio: '30', daily_rate: '0.018', due_date: '2099-12-31', purpose: '周转' },
      ...{ status: 'drawn', sales_id: rules.example.masters.sales, dept_code: 'AA' },
    });
    await rules.example.services.db.query(
      `update financing set amount = 45000, amount_cny = 45000, principal_left = 45000, interest_accrued = 12.5, penalty_accrued = 0 where id = $1::uuid`,
      [lent],
    );
    const seen = async (): Promise<unknown[]> => {
      await rules.example.services.db.query('update credit_line set reckoned_on = null', []);
      await runDailyActions(rules.example.services);
      const { funding, receivable, exposure } = await rules.stored('credit_line', line);
      return [funding, receivable, exposure];
    };
    await rules.example.services.db.query(`update financing set accrued_on = current_date + 1`, []);
    expect(await seen()).toEqual(['45012.50', '42600.00', '45012.50']);
    const param = await rules.given('system_default', {
      ...{ co_code: 'AA', param: 'EXPOSURE_MODE', label: '敞口口径', value: 'receivable', kind: 'text' },
      effective_from: '2026-01-01',
    });
    await rules.example.services.definitions.refreshOverrides();
    expect(await seen()).toEqual(['45012.50', '42600.00', '42600.00']);
    await rules.example.services.db.query('delete from system_default where id = $1::uuid', [param]);
    await rules.example.services.definitions.refreshOverrides();
  });
});
