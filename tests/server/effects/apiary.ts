import type { ResourceDefinition } from '#engine/schema/definition.ts';
import type { AccessDefinition } from '#engine/schema/lifecycle-definition.ts';

const EVERYTHING: AccessDefinition = { role: 'AD', do: ['*'], rows: 'company' };
const WEIGHT = { type: 'decimal' as const, title: '重量', precision: 18, scale: 3 };

/** A field in bloom, within others. */
const MEADOW: ResourceDefinition = {
  resource: 'meadow',
  title: '蜜源地',
  kind: 'master',
  mixins: ['scope'],
  label: 'name',
  fields: {
    name: { type: 'text', title: '名称', required: true, max: 40 },
    within_id: { type: 'reference', title: '所在', to: 'meadow' },
    way: { type: 'text', title: '路径', max: 400, system: true },
    rank: { type: 'integer', title: '层级', system: true },
  },
  tree: { parent: 'within_id', path: 'way', depth: 'rank', max: 4 },
  access: [EVERYTHING, { role: 'SP', do: ['list', 'read'], rows: 'company' }],
};

/** What was taken from the hives: comb by comb, until all of it stands in jars. */
const GATHERING: ResourceDefinition = {
  resource: 'gathering',
  title: '采蜜单',
  kind: 'document',
  label: 'gather_no',
  number: { field: 'gather_no', pattern: 'G{seq:4}' },
  fields: {
    gather_no: { type: 'text', title: '单号', max: 20 },
    keeper: { type: 'text', title: '蜂农', required: true, max: 20 },
    meadow_id: { type: 'reference', title: '蜜源地', to: 'meadow' },
    season: { type: 'text', title: '季节', max: 10 },
    secret: { type: 'text', title: '内部评语', max: 60 },
    combs: {
      type: 'lines',
      title: '蜂脾',
      fields: {
        kind: { type: 'text', title: '蜜种', required: true, max: 20 },
        weight: { ...WEIGHT, required: true },
        jarred: {
          ...WEIGHT,
          title: '已装',
          rollup: {
            of: 'jarring.jars',
            by: 'comb',
            where: { 'parent.status': { in: '@counts' } },
            sum: 'weight',
          },
        },
        left: { ...WEIGHT, title: '未装', formula: 'weight - jarred' },
      },
    },
    total: { ...WEIGHT, title: '合计', formula: 'sum(combs.weight)' },
  },
  limits: [{ each: 'combs', assert: { left: { gte: '0' } }, message: '装罐重量超过采蜜重量' }],
  makes: {
    jarring: {
      to: 'jarring',
      title: '装罐',
      same: ['keeper', 'meadow_id'],
      map: { note: 'secret', stamp: "text('出自', gather_no)" },
      lines: {
        jars: {
          of: 'combs',
          where: { left: { gt: '0' } },
          map: { comb: 'id', kind: 'kind', weight: 'left' },
        },
      },
      empty: '蜂脾已全部装罐',
    },
    by_kind: {
      to: 'jarring',
      title: '按蜜种装罐',
      as: 'form',
      per: 'combs.kind',
      when: { status: { eq: 'gathered' } },
      same: ['keeper'],
      lines: { jars: { of: 'combs', map: { comb: 'id', kind: 'kind', weight: 'left' } } },
    },
    tag: {
      to: 'hive_tag',
      title: '制标签',
      as: 'form',
      once: true,
      when: { status: { eq: 'gathered' } },
      map: { gathering_id: 'id', words: "text(keeper, ' ', gather_no)" },
    },
    share: { to: 'levy.rows', map: { gathering_id: 'id', weight: 'total' } },
  },
  lifecycle: {
    initial: 'draft',
    groups: { final: ['spoiled', 'done'], dead: ['spoiled'] },
    states: {
      draft: { title: '草稿', edit: '*' },
      gathered: { title: '已采' },
      done: { title: '已结' },
      spoiled: { title: '已废' },
    },
    actions: {
      gather: { title: '采收', from: ['draft'], to: 'gathered' },
      jar: { title: '装罐', from: ['gathered'], to: '$same', then: [{ make: 'jarring' }] },
      finish: { title: '了结', from: ['gathered'], to: 'done' },
      spoil: { title: '报废', from: ['draft', 'gathered'], to: 'spoiled' },
    },
  },
  access: [
    EVERYTHING,
    { role: 'SP', do: ['list', 'read', 'create', 'update', 'gather', 'jar'], rows: 'own', hide: ['secret'] },
    { role: 'GM', do: ['list', 'read'], rows: 'company' },
  ],
};

/** What stands on the shelf: from one gathering, or picked from several. */
const JARRING: ResourceDefinition = {
  resource: 'jarring',
  title: '装罐单',
  kind: 'document',
  label: 'jar_no',
  number: { field: 'jar_no', pattern: 'J{seq:4}' },
  fields: {
    jar_no: { type: 'text', title: '单号', max: 20 },
    keeper: { type: 'text', title: '蜂农', required: true, max: 20 },
    meadow_id: { type: 'reference', title: '蜜源地', to: 'meadow' },
    note: { type: 'text', title: '说明', max: 60 },
    stamp: { type: 'text', title: '戳记', max: 40, readOnly: true },
    shelf: { type: 'text', title: '货架', max: 10, default: '一号' },
    jars: {
      type: 'lines',
      title: '罐',
      from: ['gathering.jarring'],
      fields: {
        comb: {
          type: 'reference',
          title: '蜂脾',
          to: 'gathering.combs',
          where: { 'parent.keeper': { eq: { $: 'record.parent.keeper' } } },
        },
        kind: { type: 'text', title: '蜜种', max: 20, readOnly: true },
        weight: { ...WEIGHT, required: true },
        lid: { type: 'text', title: '盖', max: 10, default: '木' },
      },
    },
    total: { ...WEIGHT, title: '合计', formula: 'sum(jars.weight)' },
  },
  lifecycle: {
    initial: 'draft',
    groups: { counts: ['sealed'], final: ['sealed', 'broken'], dead: ['broken'] },
    states: { draft: { title: '草稿', edit: '*' }, sealed: { title: '已封' }, broken: { title: '已碎' } },
    actions: {
      seal: { title: '封罐', from: ['draft'], to: 'sealed' },
      break: { title: '打碎', from: ['draft', 'sealed'], to: 'broken' },
    },
  },
  access: [
    EVERYTHING,
    { role: 'SP', do: ['*'], rows: 'company' },
    { role: ['FN', 'GM'], do: ['list', 'read', 'create'], rows: 'company' },
  ],
};

const HIVE_TAG: ResourceDefinition = {
  resource: 'hive_tag',
  title: '标签',
  kind: 'document',
  label: 'words',
  fields: {
    words: { type: 'text', title: '文字', max: 60 },
    gathering_id: { type: 'reference', title: '采蜜单', to: 'gathering' },
  },
  lifecycle: {
    initial: 'draft',
    groups: { final: ['torn'], dead: ['torn'] },
    states: { draft: { title: '草稿', edit: '*' }, torn: { title: '已撕' } },
    actions: { tear: { title: '撕去', from: ['draft'], to: 'torn' } },
  },
  access: [EVERYTHING],
};

/** What a keeper owes for a season: all of his gatherings, taken in at once. */
const LEVY: ResourceDefinition = {
  resource: 'levy',
  title: '蜜捐',
  kind: 'document',
  label: 'keeper',
  fields: {
    keeper: { type: 'text', title: '蜂农', required: true, max: 20 },
    rows: {
      type: 'lines',
      title: '明细',
      from: ['gathering.share'],
      fields: {
        gathering_id: {
          type: 'reference',
          title: '采蜜单',
          to: 'gathering',
          fill: { place_id: 'meadow_id' },
        },
        place_id: { type: 'reference', title: '蜜源地', to: 'meadow', readOnly: true },
        share: { type: 'integer', title: '份数', default: 1 },
        weight: WEIGHT,
        note: { type: 'text', title: '说明', max: 20 },
      },
    },
    total: { ...WEIGHT, title: '合计', formula: 'sum(rows.weight)' },
  },
  lifecycle: {
    initial: 'draft',
    groups: { final: ['settled'] },
    states: {
      draft: { title: '草稿', edit: '*' },
      reckoned: { title: '已算', edit: '*' },
      settled: { title: '已结' },
    },
    actions: {
      reckon: {
        title: '算捐',
        from: ['draft', 'reckoned'],
        to: 'reckoned',
        complete: false,
        pull: { rows: { keeper: { eq: { '=': 'source.keeper' } }, status: { eq: 'gathered' } } },
      },
      settle: { title: '结捐', from: ['reckoned'], to: 'settled' },
    },
  },
  access: [EVERYTHING, { role: 'SP', do: ['*'], rows: 'company' }],
};

/** Honey: makes of one document for another, lines picked from several, all taken in at once, a tree of places. */
export const APIARIES: readonly ResourceDefinition[] = [MEADOW, GATHERING, JARRING, HIVE_TAG, LEVY];
