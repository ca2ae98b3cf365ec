import { expect, it } from 'vitest';
import { fillPrint } from '#engine/print/fill-print.ts';
import type { FilledBlock } from '#engine/print/filled-print.ts';
import type { PrintValue } from '#engine/print/write-value.ts';
import { shippedDefinitions } from './shipped-definitions.ts';

const { setup } = shippedDefinitions();
type Texts = Readonly<Record<string, string>>;

const plain = (value: string | undefined): PrintValue | null =>
  value === undefined ? null : { value, label: null, field: null, currency: null };

/** A shipped paper with these values; what is not among them is empty, and conditions hold where they say so. */
function printed(
  name: string,
  head: Texts,
  { rows = {}, holds = () => true }: Given = {},
): readonly FilledBlock[] {
  const template = setup.prints[name];
  if (template === undefined) throw new TypeError(`no print ${name}`);
  return fillPrint(template, {
    head: (path) => plain(head[path]),
    rows: (key) => (rows[key] ?? []).map((row) => (path) => plain(row[path])),
    opening: () => '0',
    picture: () => null,
    signers: () => [],
    holds: (when) => holds(JSON.stringify(when)),
  }).blocks;
}

interface Given {
  readonly rows?: Readonly<Record<string, readonly Texts[]>>;
  readonly holds?: (when: string) => boolean;
}

it.each([
  [{ payment_term: 'OPEN ACCOUNT', term_days: '60', due_base: 'B/L DATE' }, ['60 DAYS AFTER B/L DATE']],
  [{ payment_term: 'T/T DEPOSIT', deposit_ratio: '30%' }, ['30% OF THE CONTRACT AMOUNT']],
  [{ payment_term: 'T/T IN ADVANCE' }, []],
])('a sales contract on %o says when what is paid', (head, told) => {
  const items = printed('sales-contract', head).flatMap((block) =>
    block.kind === 'fields' ? block.items : [],
  );
  const at = items.findIndex(({ value }) => value === head.payment_term);
  expect(items.slice(at + 1).map(({ value }) => value)).toEqual(told);
});

it('a sales contract lists its additional charges, which its amount holds', () => {
  const head = { currency: 'USD', total_amount: '1,050.00' };
  const rows = { extra_charges: [{ name: 'MOULD', amount: '50.00' }] };
  const blocks = printed('sales-contract', head, { rows });
  const cells = blocks.flatMap((block) => (block.kind === 'table' ? block.rows : []));
  expect(cells).toEqual([expect.objectContaining({ cells: ['MOULD', '50.00'] })]);
  expect(JSON.stringify(blocks)).toContain('"USD 1,050.00"');
});

it.each([
  ['"ne":"DA"', 'AT SIGHT OF THIS FIRST OF EXCHANGE'],
  ['"eq":"DA"', 'AT 90 DAYS AFTER B/L DATE OF THIS FIRST OF EXCHANGE'],
])('a draft for collection where %s is drawn %s', (condition, told) => {
  const head = {
    'shipment_id.payment_term': 'D/P AT SIGHT',
    'shipment_id.term_days': '90',
    'shipment_id.due_base': 'B/L DATE',
    'bank_id.name_en': 'BANK OF CHINA',
  };
  const [tenor] = printed('bill-of-exchange', head, { holds: (when) => when.includes(condition) })
    .flatMap((block) => (block.kind === 'text' ? block.lines : []))
    .filter((line) => line.startsWith('AT '));
  expect(tenor).toMatch(new RegExp(`^${told}`));
});

it('a purchase contract without an advance says nothing of one', () => {
  const texts = (head: Texts) =>
    printed('purchase-contract', head).flatMap((block) => (block.kind === 'text' ? block.lines : []));
  const paid = (head: Texts) =>
    texts({ payment_terms: '见票付', ...head }).filter((line) => /付款/.test(line));
  expect(paid({})).toEqual([expect.stringMatching(/付款方式：见票付。$/)]);
  expect(paid({ advance_ratio: '30%' })[1]).toMatch(/预付款：合同金额的 30%。$/);
});

it.each([
  ['"gt":0', 'OPEN ACCOUNT, 60 DAYS AFTER B/L DATE'],
  ['"lte":0', 'OPEN ACCOUNT'],
])('an invoice where its days are %s says to pay %s', (condition, told) => {
  const head = { payment_term: 'OPEN ACCOUNT', term_days: '60', due_base: 'B/L DATE' };
  const paid = printed('commercial-invoice', head, { holds: (when) => when.includes(condition) })
    .flatMap((block) => (block.kind === 'fields' ? block.items : []))
    .filter(({ label }) => label.startsWith('Payment'));
  expect(paid.map(({ value }) => value)).toEqual([told]);
});
