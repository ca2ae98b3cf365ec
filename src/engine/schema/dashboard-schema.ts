import { CHART_KINDS } from '../report/report-definition.ts';
import { START } from './face-schema.ts';
import { DRAFT, TEXT } from './schema-words.ts';

const DASHBOARD_CARD = {
  type: 'object',
  required: ['title', 'report', 'column'],
  properties: {
    title: { ...TEXT, description: '卡片名称' },
    report: { type: 'integer', description: '报表编号' },
    column: { ...TEXT, description: '合计的列' },
    currency: { ...TEXT, description: '原币列取此币种；其他列的金额是什么币种' },
    params: { type: 'object', description: '参数' },
    before: { type: 'object', description: '作比较的参数，与 params 合用' },
    against: { ...TEXT, description: '与什么比较，如 昨日、上月同期' },
    tone: { enum: ['bad'], description: '有数即须关注' },
    stock: { type: 'boolean', description: '是余额：由流水合计而来，不说笔数' },
    days: { ...TEXT, description: '预警：天数的列' },
    overdue: { enum: ['positive', 'negative'], description: '预警：天数为正或为负表示逾期' },
    party: { ...TEXT, description: '预警：对象的列，默认为第二个文字列' },
    late: { type: 'object', description: '预警：只看逾期的参数，与 params 合用' },
  },
  dependentRequired: { before: ['against'], against: ['before'] },
  additionalProperties: false,
} as const;

/** Cards and charts over reports. */
export const DASHBOARDS_SCHEMA = {
  $schema: DRAFT,
  title: '看板',
  type: 'object',
  propertyNames: { pattern: '^(\\$schema|[a-z][a-z0-9_]*)$' },
  additionalProperties: {
    type: 'object',
    required: ['cards'],
    properties: {
      starts: {
        type: 'array',
        maxItems: 30,
        description: '快捷方式：只给能做的人，最多显示前八个',
        items: START,
      },
      cards: { type: 'array', maxItems: 12, items: DASHBOARD_CARD },
      charts: {
        type: 'array',
        maxItems: 6,
        items: {
          type: 'object',
          required: ['title', 'report', 'kind', 'x', 'y'],
          properties: {
            title: { ...TEXT, description: '图表名称' },
            report: { type: 'integer', description: '报表编号' },
            params: { type: 'object', description: '参数' },
            kind: { enum: CHART_KINDS, description: '图形' },
            x: { ...TEXT, description: '横轴的列' },
            y: { type: 'array', items: TEXT, minItems: 1, description: '数值的列' },
            top: { type: 'integer', minimum: 1, description: '前几个' },
          },
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  },
} as const;
