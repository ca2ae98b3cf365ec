import type { ResourceDefinition } from '#engine/schema/definition.ts';

const EVERYTHING = [{ role: 'AD', do: ['*'], rows: 'company' as const }];
const TONS = { type: 'decimal' as const, title: '吨数', precision: 18, scale: 4 };

/** Where stone is taken from: a limit, figures of two kinds, an action of its own, a blocker. */
const QUARRY: ResourceDefinition = {
  resource: 'quarry',
  title: '采石场',
  kind: 'master',
  mixins: ['scope'],
  label: 'name',
  fields: {
    name: { type: 'text', title: '名称', required: true, max: 60 },
    capacity: { ...TONS, title: '储量' },
    grade: { type: 'text', title: '等级', max: 10 },
    drawn: {
      ...TONS,
      title: '已采',
      rollup: {
        of: 'haul.loads',
        by: 'quarry_id',
        where: { 'parent.status': { in: '@counts' } },
        sum: 'tons',
      },
    },
    same_grade: {
      type: 'integer',
      title: '同级订单',
      rollup: { of: 'haul', by: { grade: 'grade' }, where: { status: { in: '@counts' } }, count: true },
    },
    left: { ...TONS, title: '余量', formula: 'capacity - drawn' },
    seen_on: { type: 'date', title: '最近采石' },
    worth: {
      ...TONS,
      title: '大宗',
      rollup: {
        of: 'haul.loads',
        by: 'quarry_id',
        where: { tons: { eq: { '=': 'source.worth_from' } } },
        sum: 'tons',
      },
    },
    worth_from: { ...TONS, title: '大宗吨数' },
    share: { type: 'percent', title: '份额' },
    same_share: {
      type: 'integer',
      title: '同份额',
      rollup: { of: 'haul', by: { share: 'share' }, count: true },
    },
    rent_share: { type: 'percent', title: '租金份额' },
    rent_days: { type: 'integer', title: '租期' },
    rent: { type: 'money', title: '租金', currency: 'CNY' },
  },
  limits: [{ assert: { left: { gte: '0' } }, message: '采石吨数超过储量' }],
  blockers: [
    {
      actions: ['disable'],
      of: 'haul',
      by: 'loads.quarry_id',
      where: { status: { nin: '@final' } },
      message: '还有未完结的采石单',
    },
  ],
  lifecycle: {
    initial: 'active',
    states: {
      active: { title: '启用', edit: '*' },
      empty: { title: '采空', edit: '*' },
      disabled: { title: '停用', edit: '*' },
    },
    actions: {
      let: {
        title: '出租',
        from: ['active', 'empty'],
        to: '$same',
        complete: false,
        system: true,
        inputs: {
          share: { type: 'percent', title: '份额' },
          days: { type: 'integer', title: '租期' },
          rent: { type: 'money', title: '租金', currency: 'CNY' },
        },
        set: { rent_share: 'input.share', rent_days: 'input.days', rent: 'input.rent' },
      },
      disable: { title: '停用', from: ['active', 'empty'], to: 'disabled', complete: false },
      shut: { title: '封场', from: ['active'], to: 'disabled', complete: false, system: true },
      run_dry: {
        title: '采空',
        from: ['active'],
        to: 'empty',
        auto: true,
        when: { left: { lte: '0' } },
        complete: false,
      },
      refill: {
        title: '恢复',
        from: ['empty'],
        to: 'active',
        auto: true,
        when: { left: { gt: '0' } },
        complete: false,
      },
    },
  },
  access: EVERYTHING,
};

/** A load of stones: draws quarries down, makes a bill for each carrier. */
const HAUL: ResourceDefinition = {
  resource: 'haul',
  title: '采石单',
  kind: 'document',
  label: 'haul_no',
  number: { field: 'haul_no', pattern: 'H{seq:5}' },
  fields: {
    haul_no: { type: 'text', title: '单号', max: 30 },
    grade: { type: 'text', title: '等级', max: 10 },
    note: { type: 'text', title: '说明', max: 60 },
    share: { type: 'percent', title: '份额' },
    days: { type: 'integer', title: '天数' },
    rent: { type: 'money', title: '租金', currency: 'CNY' },
    touched: { type: 'integer', title: '改动次数', default: 0 },
    loads: {
      type: 'lines',
      title: '装载',
      min: 1,
      fields: {
        quarry_id: { type: 'reference', title: '采石场', to: 'quarry', required: true },
        carrier: { type: 'text', title: '承运', max: 20 },
        tons: { ...TONS, required: true },
        checked: { type: 'boolean', title: '已过磅' },
        grade: { type: 'text', title: '等级', max: 10 },
        billed: {
          ...TONS,
          title: '已开单',
          rollup: { of: 'bill.rows', by: 'load', where: { 'parent.status': { nin: '@dead' } }, sum: 'tons' },
        },
      },
    },
  },
  then: {
    save: [{ each: 'loads', changed: ['tons'], set: { checked: false } }],
    update: [{ changed: ['note'], set: { touched: 'touched + 1' } }],
  },
  makes: {
    bills: {
      to: 'bill',
      per: 'loads.carrier',
      once: true,
      map: { haul_id: 'id', carrier: 'first(loads.carrier)' },
      lines: { rows: { of: 'loads', where: { tons: { gt: '0' } }, same: ['tons'], map: { load: 'id' } } },
      empty: '没有可开单的装载',
    },
    sheets: {
      to: 'bill',
      into: { status: { eq: 'open' }, carrier: { eq: '清单' }, haul_id: { eq: { '=': 'source.id' } } },
      map: { haul_id: 'id', carrier: "'清单'" },
      lines: { rows: { of: '$record', map: { tons: 'sum(loads.tons)' } } },
      do: 'drop',
    },
    pooled: {
      to: 'bill',
      into: { status: { eq: 'open' }, carrier: { eq: { '=': 'source.note' } } },
      map: { carrier: 'note' },
      lines: { rows: { of: '$record', map: { tons: 'sum(loads.tons)' } } },
    },
    whole: {
      to: 'bill',
      map: { haul_id: 'id', carrier: "'总单'" },
      lines: { rows: { of: '$record', map: { tons: 'sum(loads.tons)' } } },
    },
    notes: {
      to: 'bill',
      map: { haul_id: 'id', carrier: "'说明'" },
      lines: {
        rows: { of: 'loads', same: ['tons', 'note', 'grade'] },
        copies: { of: 'loads', same: '*', except: ['tons'] },
      },
    },
  },
  lifecycle: {
    initial: 'draft',
    groups: { counts: ['counted', 'billed'], final: ['billed', 'cancelled'], dead: ['cancelled'] },
    states: {
      draft: { title: '草稿', edit: '*' },
      counted: { title: '已计量', edit: ['loads'] },
      billed: { title: '已开单' },
      cancelled: { title: '已取消' },
    },
    actions: {
      count: {
        title: '计量',
        from: ['draft'],
        to: 'counted',
        then: [
          { make: 'bills' },
          { to: 'loads.quarry_id', where: { status: { ne: 'disabled' } }, set: { seen_on: 'today' } },
        ],
      },
      sum_up: {
        title: '开总单',
        from: ['counted'],
        to: '$same',
        complete: false,
        then: [{ make: 'whole' }],
      },
      say: { title: '开说明', from: ['counted'], to: '$same', complete: false, then: [{ make: 'notes' }] },
      bill_rest: {
        title: '补开运单',
        from: ['counted'],
        to: '$same',
        complete: false,
        then: [{ make: 'bills' }],
      },
      list: {
        title: '开清单',
        from: ['counted'],
        to: '$same',
        complete: false,
        then: [{ make: 'sheets' }],
      },
      rebill: {
        title: '重开运单',
        from: ['counted'],
        to: '$same',
        complete: false,
        then: [{ remake: 'bills' }],
      },
      let: {
        title: '出租',
        from: ['draft'],
        to: '$same',
        complete: false,
        then: [
          {
            of: 'quarry',
            by: { share: 'share' },
            where: { status: { eq: 'active' } },
            do: 'let',
            inputs: { share: 'source.share', days: 'source.days', rent: 'source.rent / 3' },
          },
        ],
      },
      pool: { title: '并单', from: ['counted'], to: '$same', complete: false, then: [{ make: 'pooled' }] },
      close: {
        title: '封场',
        from: ['draft'],
        to: '$same',
        complete: false,
        then: [{ of: 'quarry', by: { name: 'note' }, where: { status: { eq: 'active' } }, do: 'shut' }],
      },
      cancel: {
        title: '取消',
        from: ['counted'],
        to: 'cancelled',
        then: [{ of: 'bill', by: 'haul_id', where: { status: { eq: 'open' } }, do: 'drop' }],
      },
    },
  },
  rules: [
    {
      on: ['count'],
      each: 'loads',
      assert: { tons: { gte: { '=': 'coalesce(above.tons, 0)' } } },
      message: '装载须由轻到重',
    },
  ],
  access: EVERYTHING,
};

const BILL: ResourceDefinition = {
  resource: 'bill',
  title: '运单',
  kind: 'document',
  label: 'bill_no',
  number: { field: 'bill_no', pattern: 'B{seq:5}' },
  fields: {
    bill_no: { type: 'text', title: '单号', max: 30 },
    haul_id: { type: 'reference', title: '采石单', to: 'haul' },
    carrier: { type: 'text', title: '承运', max: 20 },
    rows: {
      type: 'lines',
      title: '明细',
      fields: {
        load: { type: 'reference', title: '装载', to: 'haul.loads' },
        tons: TONS,
        note: { type: 'text', title: '说明', max: 60 },
        grade: { type: 'text', title: '等级', max: 10 },
      },
    },
    copies: {
      type: 'lines',
      title: '抄件',
      fields: {
        tons: TONS,
        carrier: { type: 'text', title: '承运', max: 20 },
        note: { type: 'text', title: '说明', max: 60 },
      },
    },
    total: { ...TONS, title: '合计', formula: 'sum(rows.tons)' },
  },
  lifecycle: {
    initial: 'open',
    groups: { dead: ['dropped'], final: ['dropped'] },
    states: { open: { title: '待运', edit: '*' }, dropped: { title: '已撤' } },
    actions: { drop: { title: '撤单', from: ['open'], to: 'dropped', system: true, complete: false } },
  },
  access: EVERYTHING,
};

export const QUARRIES: readonly ResourceDefinition[] = [QUARRY, HAUL, BILL];
