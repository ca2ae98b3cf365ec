import type { FieldDefinition, Mixin, ResourceDefinition, ResourceKind } from './definition.ts';
import type { LifecycleDefinition } from './lifecycle-definition.ts';

const person = (title: string): FieldDefinition => ({ type: 'reference', title, to: 'person' });

const IDENTITY_FIELDS = {
  id: { type: 'text', title: '编号', max: 36 },
  version: { type: 'integer', title: '版本' },
  created_by: person('创建人'),
  created_at: { type: 'datetime', title: '创建时间' },
  updated_by: person('修改人'),
  updated_at: { type: 'datetime', title: '修改时间' },
} as const satisfies Record<string, FieldDefinition>;

const CO_CODE = { type: 'text', title: '公司', max: 2 } as const satisfies FieldDefinition;

const MIXIN_FIELDS = {
  scope: {
    co_code: CO_CODE,
    dept_code: { type: 'text', title: '部门', max: 20 },
    sales_id: person('业务员'),
  },
  biz: {
    business_type: {
      type: 'dictionary',
      title: '业务类型',
      dictionary: 'business_type',
      default: 'agency',
      fixed: true,
    },
  },
  appr: {
    submitted_by: person('提交人'),
    submitted_at: { type: 'datetime', title: '提交时间' },
    approved_by: person('审核人'),
    approved_at: { type: 'datetime', title: '审核时间' },
    reject_reason: { type: 'textarea', title: '驳回原因', max: 500 },
  },
  note: {
    remark: { type: 'textarea', title: '备注', max: 2000 },
    attachments: { type: 'attachment', title: '附件' },
  },
} as const satisfies Record<Mixin, Record<string, FieldDefinition>>;

/** Standard fields of text that are codes of a dictionary, where there is one. */
export const STANDARD_DICTIONARIES: Readonly<Record<string, string>> = { dept_code: 'department_code' };

const KIND_MIXINS = {
  document: ['scope', 'biz', 'appr', 'note'],
  master: [],
  config: [],
  ledger: [],
  log: [],
  view: [],
} as const satisfies Record<ResourceKind, readonly Mixin[]>;

/** Standard fields that a client may write: the two of `note` and the business type always, owner fields once the file names them. */
const WRITABLE: ReadonlySet<string> = new Set(['business_type', 'remark', 'attachments']);
const WRITABLE_WHEN_NAMED: ReadonlySet<string> = new Set(['sales_id', 'dept_code', 'co_code']);

/** Columns that storage adds to every table and no resource shows; a file must not use their names. */
export const STORAGE_COLUMNS: ReadonlySet<string> = new Set([
  'is_deleted',
  'previous_status',
  'search_text',
  'search_grams',
  'parent_id_',
  'posted_as',
  'posted_seq',
]);

/** The lifecycle of masters and settings whose file has none: 启用 and 停用, editable in both. */
export const ENABLE_LIFECYCLE = {
  initial: 'active',
  states: {
    active: { title: '启用', edit: '*', color: 'green' },
    disabled: { title: '停用', edit: '*', color: 'default' },
  },
  actions: {
    enable: { title: '启用', from: ['disabled'], to: 'active', batch: true, complete: false },
    disable: {
      title: '停用',
      from: ['active'],
      to: 'disabled',
      batch: true,
      complete: false,
      confirm: '停用后不能再被选用，确定停用吗？',
    },
  },
} as const satisfies LifecycleDefinition;

/** The lifecycle that a resource has: its file's, else the standard pair for masters and settings, else none. */
export function lifecycleOf(definition: ResourceDefinition): LifecycleDefinition | undefined {
  if (definition.lifecycle !== undefined) return definition.lifecycle;
  return definition.kind === 'master' || definition.kind === 'config' ? ENABLE_LIFECYCLE : undefined;
}

/** The mixins of a resource, by its kind unless the file names them. */
export function mixinsOf(definition: ResourceDefinition): readonly Mixin[] {
  return definition.mixins ?? KIND_MIXINS[definition.kind];
}

/**
 * The fields that come by themselves, in the order in which they follow the file's own: id, version and the
 * stamps (views: only id), `co_code` for company scope, `status` with a lifecycle, `version_no` when versioned, and
 * those of the mixins.
 */
export function standardFields(definition: ResourceDefinition): Readonly<Record<string, FieldDefinition>> {
  const fields: Record<string, FieldDefinition> = {};
  const lifecycle = lifecycleOf(definition);
  if (lifecycle !== undefined) fields['status'] = statusField(lifecycle);
  for (const mixin of mixinsOf(definition)) Object.assign(fields, MIXIN_FIELDS[mixin]);
  if (definition.scope === 'global' && definition.fields['co_code'] === undefined) delete fields['co_code'];
  if (definition.scope !== 'global') fields['co_code'] ??= CO_CODE;
  if (definition.versioned === true) fields['version_no'] = { type: 'integer', title: '版本号' };
  if (definition.kind === 'view') return { ...fields, id: IDENTITY_FIELDS.id };
  return { ...fields, ...IDENTITY_FIELDS };
}

/** True when a standard field is stamped by the server and never taken from a client. */
export function isStamped(name: string, definition: ResourceDefinition): boolean {
  if (WRITABLE.has(name)) return false;
  const isNamed = definition.fields[name] !== undefined;
  if (name === 'co_code') return definition.scope !== 'global' || !isNamed;
  return !(isNamed && WRITABLE_WHEN_NAMED.has(name));
}

function statusField(lifecycle: LifecycleDefinition): FieldDefinition {
  const options = Object.fromEntries(
    Object.entries(lifecycle.states).map(([state, { title }]) => [state, title]),
  );
  return { type: 'dictionary', title: '状态', options };
}
