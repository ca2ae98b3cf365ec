import type { ResourceDefinition } from '#engine/schema/definition.ts';

const EVERYTHING = [{ role: 'AD', do: ['*'], rows: 'company' as const }];
export const AMOUNT = { type: 'decimal' as const, title: '金额', precision: 18, scale: 2 };

const HARBOUR: ResourceDefinition = {
  resource: 'harbour',
  title: '码头',
  kind: 'master',
  scope: 'global',
  label: 'name',
  fields: {
    name: { type: 'text', title: '名称', required: true, max: 40 },
    code: { type: 'text', title: '代码', max: 10 },
  },
  access: EVERYTHING,
};

/** What a crossing is charged by: versions by day, of one company. */
const TARIFF: ResourceDefinition = {
  resource: 'tariff',
  title: '资费',
  kind: 'master',
  mixins: ['scope'],
  label: 'name',
  fields: {
    name: { type: 'text', title: '名称', required: true, max: 40 },
    harbour_code: { type: 'text', title: '码头代码', max: 10 },
    zone: { type: 'text', title: '区', max: 10 },
    surcharge: { type: 'percent', title: '附加费', scale: 2 },
    valid_from: { type: 'date', title: '起' },
  },
  access: EVERYTHING,
};

/** What a kind of cargo costs in a zone. */
const FARE: ResourceDefinition = {
  resource: 'fare',
  title: '票价',
  kind: 'master',
  mixins: ['scope'],
  label: 'name',
  fields: {
    name: { type: 'text', title: '名称', required: true, max: 40 },
    kind: { type: 'text', title: '种类', max: 10 },
    zone: { type: 'text', title: '区', max: 10 },
    price: AMOUNT,
    unit: { type: 'text', title: '单位', max: 10 },
    valid_from: { type: 'date', title: '起' },
  },
  access: EVERYTHING,
};

/** Finds that need one another: the tariff by the harbour, the zone by the tariff, the fares of the lines by the zone. */
const CROSSING: ResourceDefinition = {
  resource: 'crossing',
  title: '航次',
  kind: 'document',
  label: 'crossing_no',
  number: { field: 'crossing_no', pattern: 'C{seq:5}' },
  fields: {
    crossing_no: { type: 'text', title: '航次号', max: 30 },
    harbour_id: { type: 'reference', title: '码头', to: 'harbour' },
    day: { type: 'date', title: '日期' },
    boat_id: {
      type: 'reference',
      title: '船只',
      to: 'boat',
      where: { status: { eq: 'active' } },
      message: '船只已停用，不能开航',
      again: ['sail', 'approved'],
    },
    zone: { type: 'text', title: '区', formula: 'tariff_id.zone', max: 10 },
    surcharge: {
      type: 'percent',
      title: '附加费',
      scale: 2,
      formula: 'tariff_id.surcharge',
      until: ['sailed'],
    },
    tariff_id: {
      type: 'reference',
      title: '资费',
      to: 'tariff',
      find: {
        where: {
          harbour_code: { eq: { '=': 'source.harbour_id.code' } },
          valid_from: { lte: { '=': 'coalesce(source.day, today)' } },
        },
        order: ['-valid_from'],
      },
      until: ['sailed'],
    },
    cargo: {
      type: 'lines',
      title: '货物',
      fields: {
        kind: { type: 'text', title: '种类', max: 10 },
        pieces: { type: 'integer', title: '件数' },
        unit: { type: 'text', title: '单位', max: 10, readOnly: true },
        fare_id: {
          type: 'reference',
          title: '票价',
          to: 'fare',
          fill: { unit: 'unit' },
          find: {
            where: {
              kind: { eq: { '=': 'source.kind' } },
              zone: { eq: { '=': 'source.parent.zone' } },
              valid_from: { lte: { '=': 'source.parent.day' } },
            },
            order: ['-valid_from'],
          },
        },
        /** No SQL says what stands in the line above. */
        after: { type: 'text', title: '前一种', max: 10, formula: 'above.kind', stored: false },
        amount: {
          ...AMOUNT,
          formula: 'round(fare_id.price * pieces * (1 + coalesce(parent.surcharge, 0)), 2)',
        },
      },
    },
    /** A column of the same name, which finds by the same values, and something else. */
    spare: {
      type: 'lines',
      title: '备选',
      fields: {
        kind: { type: 'text', title: '种类', max: 10 },
        fare_id: {
          type: 'reference',
          title: '最早票价',
          to: 'fare',
          find: {
            where: {
              kind: { eq: { '=': 'source.kind' } },
              zone: { eq: { '=': 'source.parent.zone' } },
              valid_from: { lte: { '=': 'source.parent.day' } },
            },
            order: ['valid_from'],
          },
        },
      },
    },
    total: { ...AMOUNT, title: '合计', formula: 'sum(cargo.amount)' },
    due: { ...AMOUNT, title: '应收', formula: 'total * 1.055', stored: false },
    tax: {
      type: 'percent',
      title: '税率',
      scale: 2,
      formula: 'if(pieces > 1, surcharge / 3, 0)',
      stored: false,
    },
    pieces: { type: 'integer', title: '件数', formula: 'sum(cargo.pieces)', stored: false },
    wait: { type: 'integer', title: '天数', formula: 'days(today, day)', stored: false },
    sold: {
      ...AMOUNT,
      title: '票款',
      rollup: { of: 'ticket', by: 'crossing_id', where: { status: { eq: 'active' } }, sum: 'amount' },
      until: ['sailed'],
    },
    taken: { ...AMOUNT, title: '收入', formula: 'sold + coalesce(total, 0)' },
  },
  lifecycle: {
    initial: 'draft',
    groups: { final: ['paid'] },
    states: {
      draft: { title: '草稿', edit: '*' },
      sailed: { title: '已开航', edit: ['harbour_id'] },
      pending: { title: '待审核' },
      paid: { title: '已付' },
    },
    actions: {
      sail: { title: '开航', from: ['draft'], to: 'sailed' },
      recount: { title: '重新取价', from: ['sailed'], to: '$same', refresh: true },
      pay: { title: '付款', from: ['sailed'], to: 'paid', fresh: '资费已变化，请重新取价' },
      bill: {
        title: '送审',
        from: ['sailed'],
        to: 'pending',
        approval: {
          approved: 'paid',
          rejected: 'sailed',
          withdrawn: 'sailed',
          fresh: '资费已变化，请驳回后重新取价',
        },
      },
    },
  },
  access: [...EVERYTHING, { role: ['FN', 'GM'], do: ['list', 'read', 'approve'], rows: 'company' }],
  list: { columns: ['crossing_no', 'due', 'wait'], filters: ['due'], sort: ['-wait'] },
};

const BOAT: ResourceDefinition = {
  resource: 'boat',
  title: '船只',
  kind: 'master',
  mixins: ['scope'],
  label: 'name',
  fields: { name: { type: 'text', title: '名称', required: true, max: 40 } },
  access: EVERYTHING,
};

const TICKET: ResourceDefinition = {
  resource: 'ticket',
  title: '客票',
  kind: 'master',
  mixins: ['scope'],
  label: 'name',
  fields: {
    name: { type: 'text', title: '名称', max: 40 },
    crossing_id: { type: 'reference', title: '航次', to: 'crossing' },
    amount: AMOUNT,
  },
  access: EVERYTHING,
};

export const FERRIES: readonly ResourceDefinition[] = [HARBOUR, TARIFF, FARE, CROSSING, BOAT, TICKET];
