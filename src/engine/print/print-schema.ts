import { FILTER_SCHEMA } from '../schema/field-schema.ts';

const TEXT = { type: 'string' } as const;
const LINES = { type: 'array', items: TEXT } as const;
const ALIGN = { enum: ['left', 'right', 'center'] } as const;
const WHEN = { $ref: '#/$defs/filter', description: '单据满足条件时才打印此块' } as const;

const KINDS = ['letterhead', 'title', 'fields', 'parties', 'table', 'text', 'signatures', 'space'] as const;

/** JSON Schema of `resources/<area>/prints/*.json`. */
export const PRINT_FILE_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: '打印模板',
  description:
    '从上到下的块；文本中 {字段} 为占位，{buyer_id.name_en} 取引用单据，{company.name_en} 取公司，冒号后为格式：{etd:en}',
  type: 'object',
  required: ['print', 'resource', 'title', 'language', 'blocks'],
  properties: {
    $schema: TEXT,
    print: {
      type: 'string',
      pattern: '^[a-z][a-z0-9-]*$',
      description: '模板名，资源的 print.template 用它',
    },
    resource: { type: 'string', description: '打印的资源' },
    title: { type: 'string', minLength: 1, description: '文件标题' },
    language: { enum: ['en', 'zh'], description: '日期、是否等写成英文或中文' },
    landscape: { type: 'boolean', description: '横向' },
    blocks: { type: 'array', minItems: 1, items: { $ref: '#/$defs/block' } },
  },
  additionalProperties: false,
  $defs: {
    filter: FILTER_SCHEMA,
    block: {
      type: 'object',
      required: ['kind'],
      properties: { kind: { enum: KINDS } },
      allOf: [
        block('letterhead', { name: TEXT, lines: LINES }, ['name']),
        block('title', { text: TEXT, sub: TEXT }, ['text']),
        block(
          'fields',
          {
            columns: { enum: [1, 2, 3] },
            grid: { type: 'boolean', description: '画表格线' },
            items: listOf(
              { label: TEXT, value: TEXT, wide: { type: 'boolean' }, keep: { type: 'boolean' } },
              ['label', 'value'],
            ),
          },
          ['items'],
        ),
        block('parties', { parties: listOf({ label: TEXT, lines: LINES }, ['label', 'lines']) }, ['parties']),
        block(
          'table',
          {
            lines: { type: 'string', description: '明细字段' },
            group: { type: 'string', description: '相同的行排在一起，此文本为组标题' },
            keep: { type: 'boolean', description: '没有明细也打印表头' },
            total: { type: 'string', description: '合计行的名称，没有则不合计' },
            carry: { type: 'boolean', description: '过次页、承前页' },
            columns: listOf(
              {
                label: TEXT,
                value: { type: 'string', description: '"#" 为行号' },
                width: { type: 'number', exclusiveMinimum: 0 },
                align: ALIGN,
                sum: { type: 'boolean' },
              },
              ['label', 'value', 'width'],
            ),
          },
          ['lines', 'columns'],
        ),
        block(
          'text',
          {
            lines: LINES,
            title: TEXT,
            align: ALIGN,
            bold: { type: 'boolean' },
            numbered: { type: 'boolean' },
          },
          ['lines'],
        ),
        block(
          'signatures',
          { parties: listOf({ label: TEXT, name: TEXT, seal: { type: 'boolean' } }, ['label', 'name']) },
          ['parties'],
        ),
        block('space', { height: { type: 'number', minimum: 1, maximum: 400 } }, ['height']),
      ],
    },
  },
} as const;

function block(kind: (typeof KINDS)[number], properties: object, required: readonly string[]) {
  return {
    if: { properties: { kind: { const: kind } }, required: ['kind'] },
    then: { properties: { kind: true, when: WHEN, ...properties }, required, additionalProperties: false },
  } as const;
}

function listOf(properties: object, required: readonly string[]) {
  return {
    type: 'array',
    minItems: 1,
    items: { type: 'object', properties, required, additionalProperties: false },
  } as const;
}
