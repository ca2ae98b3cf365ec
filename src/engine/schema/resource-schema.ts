import {
  COMPARISON_SCHEMA,
  FIELD_SCHEMA,
  FILTER_SCHEMA,
  ROLLUP_SCHEMA,
  UNIQUE_SCHEMA,
} from './field-schema.ts';
import {
  COLUMN_SCHEMA,
  DETAILS_SCHEMA,
  LIST_SCHEMA,
  PAGE_SCHEMA,
  PRINT_SCHEMA,
  SECTION_SCHEMA,
} from './layout-schema.ts';
import {
  ACCESS_SCHEMA,
  ACTION_SCHEMA,
  APPROVAL_SCHEMA,
  LIFECYCLE_SCHEMA,
  RULE_SCHEMA,
  STATE_SCHEMA,
} from './lifecycle-schema.ts';

const NAMES = { type: 'array', items: { type: 'string' } } as const;

/** What a resource file may say, for the lint and for editors; `schemas/resource.schema.json` is written from it. */
export const RESOURCE_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: '资源文件',
  type: 'object',
  required: ['resource', 'title', 'kind', 'label', 'fields'],
  properties: {
    $schema: { type: 'string' },
    resource: {
      type: 'string',
      pattern: '^[a-z][a-z0-9_]*$',
      maxLength: 40,
      description: '资源名（英文，下划线）',
    },
    title: { type: 'string', minLength: 1, maxLength: 40, description: '名称' },
    was: { type: 'string', pattern: '^[a-z][a-z0-9_]*$', description: '原资源名，升级时改表名' },
    kind: {
      enum: ['master', 'document', 'ledger', 'log', 'view', 'config'],
      description: '种类：档案、单据、台账、日志、视图、设置',
    },
    scope: { enum: ['global', 'company'], description: '全部公司共用，或按公司（默认）' },
    mixins: {
      type: 'array',
      items: { enum: ['scope', 'biz', 'appr', 'note'] },
      uniqueItems: true,
      description: '标准字段组：归属、业务类型、审核、备注附件',
    },
    versioned: { type: 'boolean', description: '修改产生新版本' },
    source: { type: 'string', description: '视图的查询名' },
    label: { type: 'string', description: '代表记录的字段' },
    caption: { ...NAMES, description: '选择时在旁显示的字段' },
    number: {
      type: 'object',
      required: ['field', 'pattern'],
      properties: {
        field: { type: 'string', description: '编号字段' },
        pattern: {
          type: ['string', 'object'],
          additionalProperties: { type: 'string' },
          description: '如 {co}WX{yyyy}{seq:5}',
        },
        at: { enum: ['create', 'post'], description: '新增时（默认）或过账时取号' },
      },
      additionalProperties: false,
      description: '编号',
    },
    fields: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^[a-z][a-z0-9_]*$', maxLength: 40 },
      additionalProperties: { $ref: '#/$defs/field' },
      description: '字段',
    },
    unique: { type: 'array', items: { $ref: '#/$defs/unique' }, description: '唯一约束' },
    rules: { type: 'array', items: { $ref: '#/$defs/rule' }, description: '规则' },
    checks: {
      type: 'object',
      properties: {
        save: { ...NAMES, description: '每次保存' },
        submit: { ...NAMES, description: '每次提交' },
      },
      additionalProperties: false,
      description: '服务器检查',
    },
    effects: {
      type: 'object',
      properties: {
        create: { ...NAMES, description: '新增后' },
        update: { ...NAMES, description: '修改后' },
      },
      additionalProperties: false,
      description: '服务器后续处理',
    },
    lifecycle: { $ref: '#/$defs/lifecycle' },
    access: { type: 'array', items: { $ref: '#/$defs/access' }, description: '权限' },
    indexes: { type: 'array', items: { ...NAMES, minItems: 1 }, description: '索引，前加 - 为降序' },
    list: { $ref: '#/$defs/list' },
    edit: { type: 'array', items: { $ref: '#/$defs/section' }, description: '编辑页分区' },
    details: { $ref: '#/$defs/details' },
    print: { type: 'array', items: { $ref: '#/$defs/print' }, description: '打印' },
    pages: { type: 'array', items: { $ref: '#/$defs/page' }, description: '页面' },
  },
  additionalProperties: false,
  $defs: {
    field: FIELD_SCHEMA,
    filter: FILTER_SCHEMA,
    comparison: COMPARISON_SCHEMA,
    unique: UNIQUE_SCHEMA,
    rollup: ROLLUP_SCHEMA,
    lifecycle: LIFECYCLE_SCHEMA,
    state: STATE_SCHEMA,
    action: ACTION_SCHEMA,
    approval: APPROVAL_SCHEMA,
    rule: RULE_SCHEMA,
    access: ACCESS_SCHEMA,
    column: COLUMN_SCHEMA,
    list: LIST_SCHEMA,
    section: SECTION_SCHEMA,
    details: DETAILS_SCHEMA,
    print: PRINT_SCHEMA,
    page: PAGE_SCHEMA,
  },
} as const;
