import type { FieldDefinition, ResourceDefinition } from '#engine/schema/definition.ts';
import { expandResource } from '#engine/schema/expand-resource.ts';
import type { Catalog, Resource } from '#engine/schema/resource.ts';

/** Expands a definition for a test. */
function aResource(definition: ResourceDefinition): Resource {
  return expandResource(definition, JSON.stringify(definition));
}

/** A catalog of just these resources. */
export function aCatalog(...definitions: readonly ResourceDefinition[]): Catalog {
  const resources = definitions.map((definition) => [definition.resource, aResource(definition)] as const);
  return { resources: Object.fromEntries(resources), dictionaries: {}, roles: {}, menu: [] };
}

/** A small document with lines, and what it refers to. `fields` are added to those of the contract. */
export function aContract(
  changes: Partial<ResourceDefinition> = {},
  fields: Readonly<Record<string, FieldDefinition>> = {},
): ResourceDefinition {
  return {
    resource: 'contract',
    title: '合同',
    kind: 'document',
    label: 'contract_no',
    fields: {
      contract_no: { type: 'text', title: '合同号', max: 30 },
      buyer_id: { type: 'reference', title: '客户', to: 'customer' },
      sign_date: { type: 'date', title: '签约日期' },
      amount: { type: 'money', title: '金额', currency: 'CNY' },
      tags: { type: 'text', title: '标签', multiple: true },
      terms: { type: 'json', title: '条款' },
      count: { type: 'integer', title: '件数' },
      items: {
        type: 'lines',
        title: '明细',
        unique: [{ fields: ['line_no'] }],
        fields: {
          line_no: { type: 'text', title: '行号' },
          goods_name: { type: 'text', title: '品名' },
          quantity: { type: 'decimal', title: '数量', precision: 18, scale: 4 },
          pieces: { type: 'integer', title: '件数' },
          buyers: { type: 'reference', title: '客户', to: 'customer', multiple: true },
        },
      },
      ...fields,
    },
    unique: [{ fields: ['contract_no'], ignoreCase: true }],
    indexes: [['status', '-sign_date']],
    lifecycle: {
      initial: 'draft',
      states: {
        draft: { title: '草稿', edit: '*' },
        approved: { title: '已审核' },
        void: { title: '已作废' },
      },
    },
    ...changes,
  };
}

/** A master record. */
export function aCustomer(changes: Partial<ResourceDefinition> = {}): ResourceDefinition {
  return {
    resource: 'customer',
    title: '客户',
    kind: 'master',
    label: 'name',
    fields: { name: { type: 'text', title: '名称', required: true } },
    ...changes,
  };
}

/** An append-only ledger. */
export function aLedger(changes: Partial<ResourceDefinition> = {}): ResourceDefinition {
  return {
    resource: 'ledger_entry',
    title: '流水',
    kind: 'ledger',
    label: 'entry_no',
    fields: {
      entry_no: { type: 'text', title: '流水号' },
      amount: { type: 'money', title: '金额', currency: 'CNY' },
    },
    ...changes,
  };
}
