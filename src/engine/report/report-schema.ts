import { FILTER_SCHEMA } from '../schema/field-schema.ts';
import { CALENDAR_PARTS, CHART_KINDS, COMPARISONS, PARAM_TYPES } from './report-definition.ts';

const TEXT = { type: 'string', minLength: 1 } as const;
const NAME = '^[a-z][a-z0-9_]*$';
const NAMES = { type: 'array', items: TEXT } as const;
const FILTER = { $ref: '#/$defs/filter' } as const;

const PARAM = {
  type: 'object',
  description: '参数',
  required: ['type', 'title'],
  properties: {
    type: { enum: PARAM_TYPES, description: '类型' },
    title: { ...TEXT, maxLength: 40, description: '名称' },
    required: { type: 'boolean', description: '必填' },
    default: {
      description:
        '默认值；{ "$": "today" }、month_start、month_start-11、month_end、year_start，或公式 { "=": … }',
    },
    options: { type: 'object', additionalProperties: { type: 'string' }, description: '固定选项：值到名称' },
    to: { ...TEXT, description: '引用的资源' },
    dictionary: { ...TEXT, description: '字典' },
    multiple: { type: 'boolean', description: '可多选' },
  },
  additionalProperties: false,
} as const;

const SOURCE_PROPERTIES = {
  from: { ...TEXT, description: '来源：资源、其明细（shipment.items）或流水' },
  where: { ...FILTER, description: '哪些行；参数为空的条件不起作用' },
  with: {
    type: 'object',
    propertyNames: { pattern: NAME },
    additionalProperties: { $ref: '#/$defs/with' },
    description: '对其他单据汇总，每行一个数',
  },
  let: {
    type: 'object',
    propertyNames: { pattern: NAME },
    additionalProperties: { $ref: '#/$defs/let' },
    description: '公式，或按日历、区间、前几位归类',
  },
  stock: { type: 'boolean', description: '余额：截至期末的累计，不限期初' },
  optional: { type: 'boolean', description: '无权查看此来源的角色略去它，页面注明' },
} as const;

const FIGURE_PROPERTIES = {
  kind: { enum: CHART_KINDS, description: '图形' },
  x: { ...TEXT, description: '横轴的列' },
  y: { ...NAMES, minItems: 1, description: '数值的列' },
  top: { type: 'integer', minimum: 1, maximum: 100, description: '前几个' },
  rising: { type: 'boolean', description: '各列由轻到重，按此着色（绿至红）' },
} as const;

/** The meta-schema of report files. */
export const REPORT_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: '报表',
  type: 'object',
  required: ['report', 'title', 'route', 'roles', 'rows', 'columns'],
  properties: {
    $schema: { type: 'string' },
    report: { type: 'integer', minimum: 1, description: '报表编号' },
    title: { ...TEXT, maxLength: 40, description: '名称' },
    route: { type: 'string', pattern: '^/[A-Za-z0-9/_-]+$', description: '地址' },
    roles: { ...NAMES, minItems: 1, description: '可以打开的角色' },
    params: {
      type: 'object',
      propertyNames: { pattern: NAME },
      additionalProperties: { $ref: '#/$defs/param' },
      description: '参数',
    },
    rows: {
      type: 'object',
      description: '数据行',
      properties: {
        ...SOURCE_PROPERTIES,
        union: {
          type: 'array',
          minItems: 1,
          items: { $ref: '#/$defs/source' },
          description: '多个来源，名称相同',
        },
        by: { ...NAMES, description: '分组，由外到内；{参数} 取参数的值' },
        each: { type: 'boolean', description: '逐行列出' },
        period: {
          type: 'object',
          required: ['date', 'from', 'to'],
          properties: {
            date: { ...TEXT, description: '日期' },
            from: { ...TEXT, description: '起始参数' },
            to: { ...TEXT, description: '截止参数' },
            complete: {
              type: 'boolean',
              description: '期间内没有数据的日、周、月也列出；只按该日期的日历分一级组',
            },
          },
          additionalProperties: false,
          description: '期间，环比、同比等以此移动',
        },
      },
      additionalProperties: false,
    },
    columns: {
      type: 'array',
      minItems: 1,
      maxItems: 60,
      items: { $ref: '#/$defs/column' },
      description: '列',
    },
    sort: { ...NAMES, description: '排序的列，前加 - 为降序' },
    totals: { type: 'boolean', description: '合计行' },
    top: { type: 'integer', minimum: 1, maximum: 500, description: '只列前几名，其余合为一行' },
    chart: {
      type: 'object',
      required: ['kind', 'x', 'y'],
      properties: {
        ...FIGURE_PROPERTIES,
        beside: {
          type: 'object',
          required: ['kind', 'x', 'y'],
          properties: FIGURE_PROPERTIES,
          additionalProperties: false,
          description: '旁边的另一个图，如地图旁的占比',
        },
        trend: {
          type: 'object',
          required: ['report', 'on'],
          properties: {
            report: { type: 'integer', minimum: 1, description: '另一张报表的编号' },
            on: { type: 'string', description: '本表的日期参数：另一张报表的默认期间从这一天算起' },
          },
          additionalProperties: false,
          description: '下方再画另一张报表的图，如走势；同名的其他参数随本表',
        },
      },
      additionalProperties: false,
      description: '图表',
    },
    cacheMinutes: { type: 'integer', minimum: 1, maximum: 1440, description: '结果保留几分钟' },
  },
  additionalProperties: false,
  $defs: {
    filter: FILTER_SCHEMA,
    param: PARAM,
    source: {
      type: 'object',
      required: ['from'],
      properties: SOURCE_PROPERTIES,
      additionalProperties: false,
    },
    with: {
      type: 'object',
      required: ['of', 'by'],
      properties: {
        of: { ...TEXT, description: '来源，如 receipt_split.lines' },
        by: {
          type: ['string', 'object'],
          additionalProperties: { type: 'string' },
          description: '来源中保存本行编号的字段，或来源字段: 本行字段',
        },
        where: { ...FILTER, description: '只汇总满足条件的行' },
        whole: {
          type: 'boolean',
          description:
            '属于本行的单据全部汇总，不限于查看人可见的；by 须是保存本行编号的字段，自建报表不可用',
        },
        sum: { ...TEXT, description: '求和' },
        min: { ...TEXT, description: '最小' },
        max: { ...TEXT, description: '最大' },
        avg: { ...TEXT, description: '平均' },
        count: { const: true, description: '计数' },
      },
      additionalProperties: false,
    },
    let: {
      type: ['string', 'object'],
      required: ['of'],
      properties: {
        of: { ...TEXT, description: '归类的值' },
        calendar: { enum: CALENDAR_PARTS, description: '日、周（周一）、月、季、年' },
        steps: {
          type: 'array',
          minItems: 1,
          maxItems: 20,
          items: { type: 'string' },
          description: '各段的上限',
        },
        first: { type: 'integer', minimum: 1, maximum: 20, description: '前几位' },
      },
      additionalProperties: false,
    },
    column: {
      type: 'object',
      required: ['key', 'title'],
      properties: {
        key: { type: 'string', pattern: NAME, description: '列名' },
        title: { ...TEXT, maxLength: 40, description: '标题；{参数} 为所选项的名称' },
        value: { ...TEXT, description: '行的内容：字段、名称或公式' },
        names: {
          type: 'object',
          minProperties: 1,
          additionalProperties: {
            anyOf: [
              TEXT,
              {
                type: 'object',
                required: ['title', 'as'],
                properties: {
                  title: { ...TEXT, maxLength: 40, description: '名称' },
                  as: { enum: ['number', 'integer'], description: '该行的数显示为' },
                },
                additionalProperties: false,
              },
            ],
          },
          description: '值的名称，行按此顺序',
        },
        none: { ...TEXT, maxLength: 40, description: '没有值时显示' },
        sum: { ...TEXT, description: '求和' },
        per: { ...TEXT, description: '求和时每个只计一次，如每位业务员的目标' },
        avg: { ...TEXT, description: '平均' },
        weight: { ...TEXT, description: '平均时的权重' },
        min: { ...TEXT, description: '最小' },
        max: { ...TEXT, description: '最大' },
        distinct: { ...TEXT, description: '不同值的个数' },
        count: { const: true, description: '行数' },
        where: { ...FILTER, description: '只计满足条件的行' },
        ratio: {
          type: 'array',
          items: TEXT,
          minItems: 2,
          maxItems: 2,
          description: '两列之比；total.列 为合计',
        },
        formula: { ...TEXT, description: '由同一行各列计算，合计行重新计算' },
        compare: {
          enum: COMPARISONS,
          description: '环比 previous、同比 year、本年累计 ytd、12 月滚动 rolling',
        },
        of: { ...TEXT, description: '比较的列' },
        show: { enum: ['growth', 'value'], description: '显示增长率或数值' },
        cumulative: { ...TEXT, description: '累计占比的列' },
        running: { ...TEXT, description: '逐行累计的列' },
        abc: { ...TEXT, description: '按累计占比分 A、B、C 级的列' },
        currency: { ...TEXT, description: '原币的币种字段，只按币种合计' },
        as: { enum: ['money', 'number', 'percent', 'integer'], description: '显示为' },
        scale: { type: 'integer', minimum: 0, maximum: 8, description: '小数位数' },
        hidden: { type: 'boolean', description: '只参与计算' },
      },
      additionalProperties: false,
    },
  },
} as const;
