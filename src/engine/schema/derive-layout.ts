import type { ResourceDefinition } from './definition.ts';
import type { PageDefinition, PageKind, SectionDefinition } from './layout-definition.ts';
import type { Field, Resource } from './resource.ts';

type Fields = Readonly<Record<string, Field>>;

const MAX_COLUMNS = 8;
const MAX_FILTERS = 6;
const WIDE_TYPES: ReadonlySet<string> = new Set([
  'textarea',
  'richtext',
  'json',
  'attachment',
  'lines',
  'secret',
]);
const FILTER_TYPES: ReadonlySet<string> = new Set(['dictionary', 'reference', 'date', 'boolean']);
const STAMP_FIELDS = [
  'business_type', 'sales_id', 'dept_code', 'submitted_by', 'submitted_at', 'approved_by', 'approved_at', 'reject_reason',
  'created_by', 'created_at', 'updated_by', 'updated_at',
] as const; // prettier-ignore

/** The list: columns, filters and order of the file, else the label, the first plain fields and the status, newest first. */
export function deriveList(definition: ResourceDefinition, fields: Fields): Resource['list'] {
  const plain = ownFields(definition, fields).filter((field) => !WIDE_TYPES.has(field.type));
  const names = [definition.label, ...plain.map((field) => field.name)].filter(isFirst);
  const status = fields['status'] === undefined ? [] : ['status'];
  const columns = [...names.filter((name) => name !== 'status').slice(0, MAX_COLUMNS), ...status];
  const filterable = columns.filter(
    (name) => name !== 'status' && isFilterable(fields[name], definition.label),
  );
  const stamped = fields['created_at'] === undefined ? `-${definition.label}` : '-created_at';
  return {
    columns: definition.list?.columns ?? columns,
    filters: definition.list?.filters ?? [...filterable.slice(0, MAX_FILTERS), ...status],
    sort: definition.list?.sort ?? [stamped],
    ...(definition.list?.group === undefined ? {} : { group: definition.list.group }),
    ...(definition.list?.parts === undefined ? {} : { parts: definition.list.parts }),
    ...(definition.list?.empty === undefined ? {} : { empty: definition.list.empty }),
  };
}

/** The edit form: the file's sections, else one of all writable fields and one of each child table; remark and attachments come last unless the file places them. */
export function deriveEdit(definition: ResourceDefinition, fields: Fields): readonly SectionDefinition[] {
  const sections = definition.edit ?? editSections(definition, fields);
  const placed = placedFields(sections);
  const note = ['remark', 'attachments'].filter(
    (name) => fields[name]?.standard === true && !placed.has(name),
  );
  return note.length === 0 ? sections : [...sections, { title: '备注与附件', columns: 1, fields: note }];
}

/** The details page: the sections of the form, what the form does not show by what it is, and the stamps. */
export function deriveDetails(
  definition: ResourceDefinition,
  fields: Fields,
  edit: readonly SectionDefinition[],
): Resource['details'] {
  const isDocument = definition.kind === 'document';
  return {
    sections: definition.details?.sections ?? detailsSections(definition, fields, edit),
    figures: definition.details?.figures ?? [],
    ...(definition.details?.partner === undefined ? {} : { partner: definition.details.partner }),
    related: definition.details?.related ?? [],
    panels:
      definition.details?.panels ??
      (isDocument ? ['timeline', 'attachments', 'comments', 'history'] : ['history']),
    links: definition.details?.links ?? [],
  };
}

const PAGE_SUFFIX = {
  list: '',
  edit: '编辑',
  details: '详情',
  approval: '审核',
  print: '打印',
  settings: '',
  custom: '',
  dashboard: '',
} as const satisfies Record<PageKind, string>;

/** The pages with their titles: by default the resource's with the kind behind it. */
export function derivePages(definition: ResourceDefinition): readonly PageDefinition[] {
  return (definition.pages ?? []).map((page) => ({
    ...page,
    title: page.title ?? `${definition.title}${PAGE_SUFFIX[page.kind]}`,
  }));
}

function editSections(definition: ResourceDefinition, fields: Fields): SectionDefinition[] {
  const writable = ownFields(definition, fields).filter((field) => !field.computed);
  const plain = writable.filter((field) => field.type !== 'lines').map((field) => field.name);
  const lines = writable.filter((field) => field.type === 'lines');
  return [
    { title: '基本信息', columns: 3, fields: plain },
    ...lines.map((field) => ({ title: field.title, lines: field.name })),
  ];
}

function detailsSections(
  definition: ResourceDefinition,
  fields: Fields,
  edit: readonly SectionDefinition[],
): readonly SectionDefinition[] {
  const facts = (definition.details?.facts ?? []).map((section) => ({ ...section, columns: 3 }));
  const placed = placedFields([...edit, ...facts]);
  const shown = edit.map((section) =>
    'lines' in section
      ? section
      : { ...section, fields: section.fields.filter((name) => fields[name]?.type !== 'secret') },
  );
  const others = ownFields(definition, fields).filter(
    (field) =>
      !placed.has(field.name) && field.type !== 'lines' && field.type !== 'secret' && field.name !== 'status',
  );
  const lines = ownFields(definition, fields).filter(
    (field) => field.type === 'lines' && !placed.has(field.name),
  );
  for (const { name } of others) placed.add(name);
  const stamps = STAMP_FIELDS.filter((name) => fields[name]?.standard === true && !placed.has(name));
  return [
    ...shown,
    ...lines.map((field) => ({ title: field.title, lines: field.name })),
    ...facts,
    ...(others.length === 0
      ? []
      : [{ title: '其他信息', columns: 3, fields: others.map((field) => field.name) }]),
    ...(stamps.length === 0 ? [] : [{ title: '记录信息', columns: 4, fields: stamps }]),
  ];
}

/** The fields that the file names, in its order; the standard ones among them too, those for rules alone not. */
function ownFields(definition: ResourceDefinition, fields: Fields): readonly Field[] {
  return Object.values(fields).filter(
    (field) => definition.fields[field.name] !== undefined && field.internal !== true,
  );
}

function placedFields(sections: readonly SectionDefinition[]): Set<string> {
  return new Set(sections.flatMap((section) => ('lines' in section ? [section.lines] : section.fields)));
}

function isFilterable(field: Field | undefined, label: string): boolean {
  return field !== undefined && (field.name === label || FILTER_TYPES.has(field.type));
}

function isFirst(name: string, index: number, names: readonly string[]): boolean {
  return names.indexOf(name) === index;
}
