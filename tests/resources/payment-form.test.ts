import { expect, test } from 'vitest';
import { fieldStates } from '#engine/record/field-states.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { context } from '../engine/schema/example-files.ts';
import { shipped, shippedDefinitions } from './shipped-definitions.ts';

/** What the form of a payment leaves out. */
function hidden(values: ErpRecord): readonly string[] {
  const { catalog } = shippedDefinitions();
  if (catalog === null) throw new TypeError('no definitions');
  const resource = shipped('payment_request');
  const record = {
    status: 'draft',
    payee_kind: 'supplier',
    currency: 'CNY',
    supplier_account: null,
    ...values,
  };
  const states = fieldStates(resource, record, { resource, catalog, record, context: context() });
  return Object.keys(states).filter((path) => states[path]?.hidden !== undefined);
}

const BANK = ['payee_account', 'payee_bank', 'cnaps'];

test('where the supplier’s account is chosen nobody is asked for its number, bank and line', () => {
  expect(hidden({ pay_type: 'goods' })).toEqual(expect.arrayContaining(['bearer', ...BANK]));
});

test('what the chosen account says is shown, and a payee without one is typed', () => {
  const told = hidden({ pay_type: 'goods', supplier_account: '00000000-0000-7000-8000-0000000000a1' });
  const typed = hidden({ pay_type: 'freight' });
  for (const name of BANK) expect([told.includes(name), typed.includes(name)]).toEqual([false, false]);
  expect(typed).not.toContain('bearer');
});

test('who asks for a freight to be paid is asked for a forwarder, and only staff for the line of his bank', () => {
  const freight = { pay_type: 'freight', payee_kind: 'forwarder' };
  expect(hidden({ ...freight, by_customer: true })).toContain('cnaps');
  expect(hidden({ ...freight, by_customer: false })).not.toContain('cnaps');
  // What finance has filled in is shown to whom it is handed back.
  expect(hidden({ ...freight, by_customer: true, cnaps: '102332000013' })).not.toContain('cnaps');
  expect(hidden({ ...freight, by_customer: true, status: 'pending' })).not.toContain('cnaps');
});

test('columns that apply to no line of a payment are not there before it has lines', () => {
  const columns = (pay_type: string) => hidden({ pay_type }).filter((path) => path.startsWith('fee_lines.'));
  expect(columns('freight')).toContain('fee_lines.deposit_id');
  expect(columns('deposit')).not.toContain('fee_lines.deposit_id');
});

test('the result of a payment has no section before there is one, and what is attached has its own', () => {
  const { edit } = shipped('payment_request');
  const fieldsOf = (title: string) => {
    const section = edit.find((one) => one.title === title);
    return section === undefined || 'lines' in section ? [] : section.fields;
  };
  const { fields } = shipped('payment_request');
  const told = hidden({ pay_type: 'goods' });
  const shown = fieldsOf('付款结果').filter((name) => fields[name]?.system !== true && !told.includes(name));
  expect(shown).toEqual([]);
  expect(fieldsOf('付款结果')).toContain('actual_cny');
  expect(fieldsOf('备注与附件')).toEqual(['remark', 'attachments']);
});
