import { DRAFT, TEXT } from './schema-words.ts';

/** Small closed lists of values. */
export const DICTIONARIES_SCHEMA = {
  $schema: DRAFT,
  title: '字典',
  type: 'object',
  properties: { $schema: TEXT },
  propertyNames: { pattern: '^(\\$schema|[a-z][a-z0-9_]*)$' },
  additionalProperties: {
    type: 'object',
    required: ['label'],
    properties: {
      label: { ...TEXT, description: '名称' },
      builtin: { type: 'boolean', description: '内置，不可修改' },
      items: {
        type: 'array',
        items: {
          type: 'object',
          required: ['value', 'label'],
          properties: {
            value: { ...TEXT, description: '值' },
            label: { ...TEXT, description: '标签' },
            partnerLabel: { ...TEXT, description: '委托方看到的标签' },
            isDefault: { type: 'boolean', description: '默认' },
            disabled: { type: 'boolean', description: '停用' },
          },
          additionalProperties: false,
        },
      },
      from: {
        type: 'object',
        required: ['resource', 'value'],
        properties: {
          resource: { ...TEXT, description: '取自资源' },
          value: { ...TEXT, description: '值字段' },
          label: { ...TEXT, description: '标签字段' },
        },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
} as const;

export const ENGLISH_SCHEMA = {
  $schema: DRAFT,
  title: '英文单据用语',
  type: 'object',
  properties: { $schema: TEXT },
  propertyNames: { pattern: '^(\\$schema|[a-z][a-z0-9_.]*)$' },
  additionalProperties: {
    type: 'object',
    description: '字典名，或 资源.字段；值 → 英文',
    additionalProperties: { type: 'string', minLength: 1 },
  },
} as const;
