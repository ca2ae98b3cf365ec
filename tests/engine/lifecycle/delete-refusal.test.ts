import { expect, it } from 'vitest';
import { deleteRefusal } from '#engine/lifecycle/delete-refusal.ts';
import type { PostingDefinition } from '#engine/schema/ledger-definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { exampleCatalog, resourceOf } from '../schema/example-files.ts';

const document = resourceOf(exampleCatalog(), 'shipment');
const initial = { status: document.lifecycle?.initial, submitted_at: null };

function posting(...postings: readonly PostingDefinition[]): Resource {
  return { ...document, postings };
}

it.each([
  ['a new document', document, initial, null],
  [
    'one that people were asked about',
    document,
    { ...initial, submitted_at: '2026-01-01T00:00:00Z' },
    '单据提交过审核，不能删除，请作废',
  ],
  ['one that went on', document, { ...initial, status: 'approved' }, '当前状态为"已审核"，不能删除'],
  ['master data in any state', { ...document, kind: 'master' as const }, { status: 'approved' }, null],
  [
    'what posts as it is made',
    posting({ at: 'create', account: '@general' }),
    initial,
    '登记时即已过账，不能删除',
  ],
  ['what posts later', posting({ at: 'approved', account: '@general' }), initial, null],
  [
    'what posts as it is made under a condition',
    posting({ at: 'create', when: { remark: { eq: '加急' } } }),
    initial,
    null,
  ],
  ['what posts for lines that it may not have', posting({ at: 'create', each: 'items' }), initial, null],
])('says of %s whether it may be deleted', (_, resource, record, refusal) => {
  expect(deleteRefusal(resource, record)).toBe(refusal);
});
