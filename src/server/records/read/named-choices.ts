import { grantableOperations } from '#engine/access/shipped-grant.ts';
import { isFilterShape } from '#engine/fields/json.ts';
import { describeFilter } from '#engine/filter/describe-filter.ts';
import { templateInWords } from '#engine/values/template-words.ts';
import { eventFields, GENERAL_WORDS, resourcesOfEvent } from '#engine/schema/event-words.ts';
import type { ReportDefinition } from '#engine/report/report-definition.ts';
import type { NameKind } from '#engine/schema/definition.ts';
import type { Catalog, ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { FIRST_OWN_REPORT, reportsOf } from '#server/records/report/served-reports.ts';
import { operationTitle } from './operation-titles.ts';
import { parameterValues } from './parameter-values.ts';

/** A name of the definitions with what people call it. */
export interface NamedChoice {
  readonly value: string;
  readonly label: string;
}

/** What is read for choices. */
type Surroundings = Pick<Call, 'services' | 'catalog' | 'caller'>;

/** True for a field whose value people read in words: a picked name, a template, or a filter over the fields of what is named. */
export function isSpokenOfNames(field: Field): boolean {
  return field.names !== undefined || field.json === 'filter';
}

/**
 * What a field that names definitions may name, in the order of the files; of fields, actions, operations and words
 * those of the resource or event that the record names, so none while it names none.
 */
export function namedChoices(around: Surroundings, field: Field, record: ErpRecord): readonly NamedChoice[] {
  return field.names === undefined ? [] : CHOICES[field.names](around, field, record);
}

/** The texts of a field's values. */
export function namedTexts(
  around: Surroundings,
  field: Field,
  record: ErpRecord,
): (value: unknown) => string {
  if (field.json === 'filter') return (value) => filterText(around, value, record);
  const choices = namedChoices(around, field, record);
  if (field.names === 'template') return (value) => templateInWords(String(value), choices);
  const labels = new Map(choices.map(({ value, label }) => [value, label]));
  return (value) => labels.get(String(value)) ?? String(value);
}

type Choices = (around: Surroundings, field: Field, record: ErpRecord) => readonly NamedChoice[];

const CHOICES: Readonly<Record<NameKind, Choices>> = {
  resource: ({ catalog }, { having }) =>
    Object.values(catalog.resources)
      .filter((resource) => has(resource, having))
      .map(({ resource, title }) => ({ value: resource, label: title })),
  event: ({ services }) =>
    Object.entries(services.definitions.setup().events).map(([value, { name, title }]) => ({
      value,
      label: name ?? title.replace(/[：:]?\s*\{\w+\}/g, ''),
    })),
  field: (around, { having }, record) =>
    Object.values(resourceNamed(around, record)?.fields ?? {})
      .filter(
        ({ name, type }) => name !== 'id' && (having !== 'amount' || type === 'money' || type === 'decimal'),
      )
      .map(({ name, title }) => ({ value: name, label: title })),
  template: (around, _, record) => templateWords(around, record),
  action: (around, { having }, record) =>
    Object.values(resourceNamed(around, record)?.lifecycle?.actions ?? {})
      .filter((action) => having !== 'approval' || action.approval !== undefined)
      .map(({ key, title }) => ({ value: key, label: title })),
  operation: (around, _, record) => {
    const resource = resourceNamed(around, record);
    if (resource === null) return [];
    return grantableOperations(resource).map((value) => ({ value, label: operationTitle(resource, value) }));
  },
  company: ({ services }) =>
    entriesOf(services.definitions.setup().files['regions']).map((region) => ({
      value: String(region['coCode']),
      label: String(region['coName']),
    })),
  page: ({ services, catalog }) => {
    const own = Object.values(catalog.resources).flatMap(({ pages, title }) =>
      pages.map((page) => ({ value: page.route, label: page.title ?? title })),
    );
    const setup = services.definitions.setup().pages.map((page) => ({
      value: page.route,
      label: page.title ?? page.route,
    }));
    return [...new Map([...own, ...setup].map((choice) => [choice.value, choice])).values()];
  },
  dictionary: ({ services }) =>
    Object.values(services.definitions.catalog().dictionaries)
      .filter(({ from }) => from === undefined)
      .map(({ name, label }) => ({ value: name, label })),
  parameter: ({ services }) => [
    ...new Map(
      entriesOf(services.definitions.setup().files['parameters']).map((entry) => [
        String(entry['param']),
        { value: String(entry['param']), label: String(entry['label']) },
      ]),
    ).values(),
  ],
  parameter_value: ({ services }, _, record) =>
    parameterValues(services.definitions.setup().files['parameters'], record),
  amended: ({ catalog }, field) => amendedChoices(catalog, field),
  report: (around) => reportChoices(around),
  report_column: (around, _, record) =>
    (reportNamed(around, record)?.columns ?? [])
      .filter(({ hidden }) => hidden !== true)
      .map(({ key, title }) => ({ value: key, label: title })),
  report_param: (around, _, record) =>
    Object.entries(reportNamed(around, record)?.params ?? {}).map(([value, { title }]) => ({
      value,
      label: title,
    })),
};

/** What the amendment whose lines have this field may change: fields, columns of tables, whole lines. */
function amendedChoices(catalog: Catalog, { name }: Field): readonly NamedChoice[] {
  const holder = Object.values(catalog.resources).find(
    ({ amendment, fields }) =>
      amendment !== undefined && fields[amendment.changes]?.fields?.[name]?.names === 'amended',
  );
  const { amendment } = holder ?? {};
  const target = catalog.resources[amendment?.of ?? ''];
  if (amendment === undefined || target === undefined) return [];
  const whole = Object.entries(amendment.lines ?? {}).flatMap(([value, allowed]) => {
    const title = target.fields[value]?.title;
    return title === undefined || !allowed.includes('remove') ? [] : [{ value, label: `${title}：整行` }];
  });
  const single = amendment.fields.flatMap((value) => {
    const [head = '', column] = value.split('.');
    const field = target.fields[head];
    const title = column === undefined ? field?.title : field?.fields?.[column]?.title;
    if (field === undefined || title === undefined) return [];
    return [{ value, label: column === undefined ? title : `${field.title}：${title}` }];
  });
  return [...single, ...whole];
}

/** The reports of the reader's company, and the number that the next of its own would have. */
function reportChoices({ services, caller }: Surroundings): readonly NamedChoice[] {
  const reports = Object.values(reportsOf(services, caller.subject.co_code));
  const next = Math.max(FIRST_OWN_REPORT, ...reports.map(({ report }) => report)) + 1;
  return [
    ...reports.map(({ report, title }) => ({ value: String(report), label: title })),
    { value: String(next), label: `新的自定义报表（${next}）` },
  ];
}

/** The report as its file says, since what a row hides is still to be picked; an own one as it was saved. */
function reportNamed({ services, caller }: Surroundings, record: ErpRecord): ReportDefinition | undefined {
  const { reports } = services.definitions.setup();
  const key = String(record['report']);
  return reports[key] ?? reportsOf(services, caller.subject.co_code)[key];
}

/** A stored filter as a sentence; as it stands when nobody knows what it is about. */
function filterText(around: Surroundings, value: unknown, record: ErpRecord): string {
  const resource = resourceNamed(around, record);
  const filter: unknown = typeof value === 'string' ? parsedText(value) : value;
  if (resource === null || !isFilterShape(filter)) return JSON.stringify(filter);
  return describeFilter(filter, { resource, catalog: around.catalog });
}

function parsedText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function has(resource: Resource, having: Field['having']): boolean {
  if (having === 'number') return resource.number !== undefined;
  if (having !== 'approval') return true;
  return Object.values(resource.lifecycle?.actions ?? {}).some((action) => action.approval !== undefined);
}

/** The resource that a record speaks of. */
function resourceNamed({ catalog }: Surroundings, record: ErpRecord): Resource | null {
  const key = NAMING_FIELDS.map((name) => record[name]).find((value) => typeof value === 'string');
  return typeof key === 'string' && Object.hasOwn(catalog.resources, key)
    ? (catalog.resources[key] ?? null)
    : null;
}

/** The resource itself, where something came from, what is asked for. */
const NAMING_FIELDS = ['resource', 'source_resource', 'target_resource'] as const;

/** What may stand in braces: of an event its general words and fields, of a number its parts and fields. */
function templateWords(around: Surroundings, record: ErpRecord): readonly NamedChoice[] {
  const code = record['event_code'];
  if (typeof code !== 'string')
    return [
      ...NUMBER_WORDS,
      ...Object.values(resourceNamed(around, record)?.fields ?? {})
        .filter(({ type }) => type === 'dictionary' || type === 'text')
        .map(({ name, title }) => ({ value: name, label: title })),
    ];
  const { events } = around.services.definitions.setup();
  const event = Object.hasOwn(events, code) ? events[code] : undefined;
  const fields = eventFields(around.catalog, resourcesOfEvent(around.catalog, code, event));
  return [
    ...GENERAL_WORDS.map((value) => ({ value, label: WORD_TITLES[value] ?? value })),
    ...[...fields.values()]
      .filter(({ name }) => !GENERAL_WORDS.includes(name))
      .map(({ name, title }) => ({ value: name, label: title })),
  ];
}

const NUMBER_WORDS: readonly NamedChoice[] = [
  { value: 'co', label: '公司编码' },
  { value: 'yyyy', label: '年' },
  { value: 'mm', label: '月' },
  { value: 'ww', label: '周' },
  { value: 'seq:5', label: '流水号5位' },
];

const WORD_TITLES: Readonly<Record<string, string>> = {
  no: '单据编号',
  name: '单据名称',
  title: '单据种类',
  amount: '金额',
  person: '操作人',
  opinion: '审核意见',
};

function entriesOf(file: unknown): readonly ErpRecord[] {
  return Array.isArray(file)
    ? file.filter((entry): entry is ErpRecord => typeof entry === 'object' && entry !== null)
    : [];
}
