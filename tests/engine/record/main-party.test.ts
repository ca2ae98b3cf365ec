import { expect, it } from 'vitest';
import { mainParty } from '#engine/record/main-party.ts';
import { expandField } from '#engine/schema/expand-resource.ts';
import type { Field } from '#engine/schema/resource.ts';

const refers = (name: string, leadsTo: Field['leadsTo'] & string): Field => ({
  ...expandField(name, { type: 'reference', title: name, to: name }),
  leadsTo,
});
const insured = {
  fields: {
    partner_id: refers('partner_id', 'party'),
    buyer_id: refers('buyer_id', 'party'),
    country_id: refers('country_id', 'base'),
  },
  list: { columns: ['country_id', 'partner_id', 'buyer_id'], filters: [], sort: [] },
} satisfies Parameters<typeof mainParty>[0];
const all = (): boolean => true;

it('a document is with the first of its list that it names and that the reader may know', () => {
  const whole = { _labels: { partner_id: '恒禾', buyer_id: 'OSTSEE', country_id: '德国' } };
  expect(mainParty(insured, whole, all)).toBe('恒禾');
  expect(mainParty(insured, { _labels: { ...whole._labels, partner_id: null } }, all)).toBe('OSTSEE');
  expect(mainParty(insured, whole, ({ name }) => name !== 'partner_id')).toBe('OSTSEE');
  expect(mainParty(insured, { _labels: { country_id: '德国' } }, all)).toBeNull();
});

it('what is with nobody is about what it is of, unless it has a name', () => {
  const { country_id } = insured.fields;
  const listed = { fields: { country_id }, list: { ...insured.list, columns: ['country_id'] } };
  const record = { _labels: { country_id: '德国' } };
  expect(mainParty(listed, record, all)).toBe('德国');
  expect(mainParty({ ...listed, isNamed: true }, record, all)).toBeNull();
});
