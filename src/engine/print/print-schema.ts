import { FILTER_SCHEMA } from '../schema/field-schema.ts';
import { PICTURE_KINDS } from './print-template.ts';

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
    scale: { type: 'number', minimum: 0.5, maximum: 1, description: '整体缩小，如官方单据 0.75' },
    blocks: { type: 'array', minItems: 1, items: { $ref: '#/$defs/block' } },
    mail: {
      type: 'object',
      description: '发邮件时建议的收件人、主题和正文，占位同正文',
      required: ['subject', 'lines'],
      properties: {
        first: { type: 'string', description: '发出前先执行的动作，如与现状核对' },
        when: { ...WHEN, description: '满足条件时才能发出' },
        to: TEXT,
        subject: TEXT,
        lines: LINES,
        files: { type: 'array', items: TEXT, description: '建议附上其文件的附件字段' },
      },
      additionalProperties: false,
    },
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
            columns: { type: 'integer', minimum: 1, maximum: 8, description: '每行几项，默认 2' },
            grid: { type: 'boolean', description: '画表格线' },
            stacked: { type: 'boolean', description: '小字标签在内容上方，如官方单据' },
            joined: { type: 'boolean', description: '与下一块之间不留空' },
            numbered: { type: 'boolean', description: '打印出来的项依次编号' },
            items: listOf(
              {
                label: TEXT,
                value: TEXT,
                wide: { type: 'boolean' },
                keep: { type: 'boolean' },
                width: { type: 'number', exclusiveMinimum: 0, description: '占本行的份额，默认 1' },
              },
              ['label', 'value'],
            ),
          },
          ['items'],
        ),
        block('parties', { parties: listOf({ label: TEXT, lines: LINES }, ['label', 'lines']) }, ['parties']),
        block(
          'table',
          {
            lines: { type: 'string', description: '明细字段，可经引用：shipment_id.items' },
            from: {
              type: 'object',
              description: '引用本单据的其他记录，代替明细',
              required: ['resource', 'by'],
              properties: {
                resource: TEXT,
                by: { type: 'string', description: '其引用本单据的字段' },
                where: { $ref: '#/$defs/filter' },
                sort: LINES,
                period: {
                  type: 'string',
                  description: '按此日期取所选期间，{period.from}、{period.to} 为起止',
                },
              },
              additionalProperties: false,
            },
            opening: { type: 'string', description: '期初行的名称：累计列在期间之前的数' },
            closing: { type: 'string', description: '期末行的名称' },
            group: { type: 'string', description: '相同的行排在一起，此文本为组标题' },
            keep: { type: 'boolean', description: '没有明细也打印表头' },
            total: { type: 'string', description: '合计行的名称，没有则不合计' },
            carry: { type: 'boolean', description: '过次页、承前页' },
            joined: { type: 'boolean', description: '与下一块之间不留空' },
            columns: listOf(
              {
                label: TEXT,
                value: { type: 'string', description: '"#" 为行号' },
                width: { type: 'number', exclusiveMinimum: 0 },
                align: ALIGN,
                sum: { type: 'boolean' },
                unit: { type: 'string', description: '数量的单位，不同单位分别合计' },
                running: { type: 'boolean', description: '累计：本行及以前各行之和' },
              },
              ['label', 'value', 'width'],
            ),
          },
          ['columns'],
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
          {
            approvals: {
              type: 'string',
              description: '此动作的审核：提交人和各级审核人的姓名、日期，排在各方之前',
            },
            parties: {
              ...listOf(
                {
                  label: TEXT,
                  name: TEXT,
                  seal: { type: 'boolean', description: '留盖章的位置' },
                  stamp: {
                    type: 'object',
                    description: '公司的哪一枚章，何时加盖；没有图样则留空',
                    required: ['kind'],
                    properties: { kind: { enum: PICTURE_KINDS }, when: { $ref: '#/$defs/filter' } },
                    additionalProperties: false,
                  },
                  foot: { type: 'string', description: '签字线下的文字' },
                },
                ['label', 'name'],
              ),
              minItems: 0,
            },
          },
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
