import { FILTER_SCHEMA } from '../schema/field-schema.ts';
import { CHECK_RULES } from './document-set.ts';

const TEXT = { type: 'string', minLength: 1 } as const;
const RELATED = {
  of: { ...TEXT, description: '引用主单据的资源' },
  by: { ...TEXT, description: '其引用字段' },
  where: { $ref: '#/$defs/filter' },
} as const;

/** JSON Schema of resources/setup/document-sets.json. */
export const DOCUMENT_SETS_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: '成套单证',
  type: 'array',
  items: {
    type: 'object',
    required: ['set', 'title', 'resource', 'papers', 'sources', 'checks'],
    properties: {
      set: { ...TEXT, description: '名称，程序与单据以此引用' },
      title: TEXT,
      resource: { ...TEXT, description: '主单据' },
      papers: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['print'],
          properties: {
            ...RELATED,
            print: { ...TEXT, description: '打印的标识' },
            english: { ...TEXT, description: '英文名称' },
          },
          additionalProperties: false,
        },
      },
      sources: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['source', 'title'],
          properties: {
            ...RELATED,
            source: TEXT,
            title: TEXT,
            at: { ...TEXT, description: '主单据到该记录的引用路径' },
            required: { type: 'boolean', description: '没有则单证不齐' },
          },
          additionalProperties: false,
        },
      },
      checks: {
        type: 'array',
        items: {
          type: 'object',
          required: ['title', 'rule', 'as', 'values'],
          properties: {
            title: TEXT,
            rule: { enum: CHECK_RULES, description: '一致、包含、第一处不大于（不晚于）其他' },
            as: { enum: ['number', 'text', 'date'] },
            values: {
              type: 'array',
              minItems: 2,
              items: {
                type: 'object',
                required: ['source', 'path'],
                properties: {
                  source: TEXT,
                  path: TEXT,
                  by: { ...TEXT, description: '分组的字段，与 path 同在明细' },
                  optional: { type: 'boolean', description: '可以为空' },
                },
                additionalProperties: false,
              },
            },
          },
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  },
  $defs: { filter: FILTER_SCHEMA },
} as const;
