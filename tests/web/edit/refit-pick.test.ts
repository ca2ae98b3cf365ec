import { expect, test } from 'vitest';
import { expandResource } from '#engine/schema/expand-resource.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import type { PickedRecord } from '#web/fields/field-view.ts';
import { FormStore } from '#web/pages/form/form-store.ts';
import { dependentPicks, nextPick, refitPick } from '#web/pages/form/refit-pick.ts';
import { SALES_CONTEXT } from './sales-context.ts';

const PLAIN = expandResource(
  {
    resource: 'contract',
    title: '合同',
    kind: 'document',
    label: 'contract_no',
    fields: {
      contract_no: { type: 'text', title: '合同号' },
      buyer_id: { type: 'reference', title: '国外客户', to: 'buyer' },
      relation_id: { type: 'reference', title: '关联关系', to: 'relation' },
    },
  },
  'hash',
);

/** As the server describes it: which records may be picked stays there, what they depend on is told. */
const CONTRACT: Resource = {
  ...PLAIN,
  fields: Object.fromEntries(
    Object.values(PLAIN.fields).map((field) => [
      field.name,
      field.name === 'relation_id' ? { ...field, chosenAfter: ['buyer_id'] } : field,
    ]),
  ),
};

const RELATIONS: readonly (PickedRecord & { readonly buyer: string })[] = ['a', 'b', 'c', 'c'].map(
  (buyer, index) => ({
    ...{ id: `r${index}`, label: `R${index}`, caption: [], fill: {}, fillLabels: {}, paths: {} },
    buyer,
  }),
);

const lookup = async (
  place: { readonly readRecord: () => ErpRecord },
  { texts }: { readonly texts?: readonly string[] | undefined },
) => {
  const { buyer_id: buyer } = place.readRecord();
  const records = RELATIONS.filter(
    (one) => one.buyer === buyer && (texts === undefined || texts.includes(one.label)),
  );
  return Promise.resolve({ records, total: records.length });
};

function formOf(buyer: string | null) {
  const store = new FormStore({ resource: CONTRACT, dictionaries: {}, context: SALES_CONTEXT, record: null });
  store.set('buyer_id', buyer);
  store.set('relation_id', 'r0', RELATIONS[0]);
  const [field] = dependentPicks(store);
  if (field === undefined) throw new TypeError('no dependent pick');
  return { store, told: () => refitPick({ store, field, lookup }) };
}

test('a pick that still fits stands', async () => {
  const { store, told } = formOf('a');
  expect(await told()).toBeNull();
  expect(store.field('relation_id').value).toBe('r0');
});

test('the only one that fits takes its place, and the user is told', async () => {
  const { store, told } = formOf('b');
  expect(await told()).toBe('关联关系「R0」与新的选择不符，已改为「R1」');
  expect(store.field('relation_id')).toMatchObject({ value: 'r1', label: 'R1' });
});

test.each(['c', 'd'])('with several or none it is emptied', async (buyer) => {
  const { store, told } = formOf(buyer);
  expect(await told()).toBe('关联关系「R0」与新的选择不符，已清空，请重新选择');
  expect(store.field('relation_id').value).toBeNull();
});

test('while the other field is empty it waits', async () => {
  const { store, told } = formOf(null);
  expect(await told()).toBeNull();
  expect(store.field('relation_id').value).toBe('r0');
});

test('a pick comes before those that depend on it', () => {
  const { store } = formOf('a');
  const { buyer_id: buyer, relation_id: relation } = store.resource.fields;
  if (buyer === undefined || relation === undefined) throw new TypeError('no such field');
  expect(nextPick(new Set([relation, buyer]))).toBe(buyer);
  expect(nextPick(new Set([relation]))).toBe(relation);
  expect(nextPick(new Set())).toBeNull();
});
