import { companyTime } from '#engine/values/dates.ts';
import type { Face, FaceBlockShown, FaceCard, FaceEntry, FaceRecordsShown } from '#contract/face.ts';
import { canSee } from '#engine/access/resource-access.ts';
import { roleWithDuty } from '#engine/access/role-duties.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { FaceBlock, FaceDefinition, FaceRecords } from '#engine/schema/face-definition.ts';
import { addressOf, listAddress, recordAddress } from '#engine/schema/record-address.ts';
import type { Catalog, ErpRecord, Resource } from '#engine/schema/resource.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { openPages } from '#server/records/call/open-pages.ts';
import { pageRoute } from '#server/records/definitions/page-route.ts';
import { queryRecords } from '#server/records/list/query-records.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { balancesInOrder } from './balances-in-order.ts';
import { openStarts } from './open-starts.ts';

/** The face of the person's role; null for whoever works with the staff's menu and home page. */
export function faceOf(
  services: Pick<Services, 'db' | 'definitions'>,
  { role_code: role }: Pick<Caller['subject'], 'role_code'>,
): FaceDefinition | null {
  const { roles } = currentCatalog(services);
  const { faces } = services.definitions.setup();
  const duty = roles[role]?.duty;
  return duty === undefined || roleWithDuty(roles, duty) !== role ? null : (faces[duty] ?? null);
}

/** The home page of a face with its records, each as the reader's own list would show it; empty without a face. */
export async function readFace(services: Services, caller: Caller): Promise<Face> {
  const face = faceOf(services, caller.subject);
  const blocks = await Promise.all((face?.home ?? []).map((block) => readBlock(services, caller, block)));
  return { blocks: blocks.flatMap((block) => block ?? []) };
}

async function readBlock(
  services: Services,
  caller: Caller,
  { kind, title, empty, records = [], starts = [] }: FaceBlock,
): Promise<FaceBlockShown | null> {
  const shown = await Promise.all(records.map((one) => readRecords(services, caller, one)));
  const opened = openStarts(services, caller, starts);
  const filled = shown.filter((one) => one !== null && one.cards.length > 0).flatMap((one) => one ?? []);
  if (filled.length + opened.length === 0 && empty === undefined) return null;
  return { kind, title, empty: empty ?? null, records: filled, starts: opened };
}

async function readRecords(
  services: Services,
  caller: Caller,
  shown: FaceRecords,
): Promise<FaceRecordsShown | null> {
  const call = openAnyCall(services, caller, shown.resource);
  const { operations } = call.access;
  if (!operations.has('list') || (shown.do !== undefined && !operations.has(shown.do))) return null;
  const page = await query(call, shown, shown.where ?? null);
  const pages = openPages(call.resource, caller);
  const below = shown.entries;
  const cards = await Promise.all(
    page.records.map(async (record): Promise<FaceCard> => ({
      ...cardOf(call, shown, record),
      entries: below === undefined ? [] : await readEntries(call, below, record),
    })),
  );
  return {
    title: shown.title ?? call.resource.title,
    resource: shown.resource,
    ledger: below !== undefined && isLedger(call.catalog, below.resource) ? below.resource : null,
    address: listAddress(pages, toldCondition(shown.where)),
    total: page.total,
    isCapped: page.totalIsCapped,
    cards,
  };
}

async function readEntries(
  { services, caller, resource }: Call,
  below: FaceRecords & { readonly by: string },
  record: ErpRecord,
): Promise<readonly FaceEntry[]> {
  const call = openAnyCall(services, caller, below.resource);
  if (!call.access.operations.has('list')) return [];
  const own: Filter = { [below.by]: { eq: String(record['id']) } };
  const page = await query(call, below, below.where === undefined ? own : { and: [own, below.where] });
  const { ledger } = call.resource;
  const balance = record[resource.account?.balance ?? ''];
  const isWhole =
    below.where === undefined &&
    below.sort?.[0] === `-${ledger?.date}` &&
    canSee(call.access, ledger?.amount ?? '');
  const entries =
    ledger !== undefined && isWhole && typeof balance === 'string'
      ? balancesInOrder(page.records, ledger, balance)
      : page.records;
  return entries.map((entry) => cardOf(call, below, entry));
}

const DEFAULT_SIZE = 5;

function query(call: Call, { sort = [], size = DEFAULT_SIZE }: FaceRecords, filters: Filter | null) {
  return queryRecords(call, {
    currentPage: 1,
    pageSize: size,
    filters,
    sorters: sort.filter((name) => canSee(call.access, name.replace(/^-/, ''))),
    keyword: '',
    group: null,
    columns: null,
    isExact: false,
  });
}

function cardOf(call: Call, shown: FaceRecords, record: ErpRecord): FaceEntry {
  const { resource, access } = call;
  const id = String(record['id']);
  const seen = (names: readonly string[] = []) =>
    names.filter((name) => resource.fields[name] !== undefined && canSee(access, name));
  return {
    id,
    address: recordAddress(openPages(resource, call.caller), id),
    name:
      shown.name === undefined ? recordLabel(resource, record) : (textOf(resource, record, shown.name) ?? ''),
    state: labelOf(record, shown.state ?? 'status'),
    texts: seen(shown.fields).flatMap((name) => {
      const text = textOf(resource, record, name);
      return text === null ? [] : [{ title: titleOf(resource, name), text }];
    }),
    amounts: seen(shown.amounts).flatMap((name) => {
      const amount = record[name];
      return typeof amount !== 'string'
        ? []
        : [{ title: titleOf(resource, name), amount, currency: currencyOf(resource, name, record) }];
    }),
    steps: (shown.steps ?? [])
      .filter(({ field }) => canSee(access, field))
      .map(({ title, field }) => ({
        title,
        date: textOf(resource, record, field)?.slice(0, DATE_LENGTH) ?? null,
      })),
    prints: access.operations.has('print') ? printsOf(call, shown.prints ?? [], id) : [],
  };
}

const DATE_LENGTH = '2026-11-20'.length;

function printsOf(call: Call, ids: readonly string[], record: string): FaceEntry['prints'] {
  const { services, resource } = call;
  const route = pageRoute(services.definitions, 'print');
  return resource.print
    .filter(({ id }) => ids.includes(id))
    .map(({ id, title }) => ({
      id,
      title,
      address: addressOf(route, { resource: resource.resource, id: record, print: id }),
    }));
}

/** A condition as an address says it; none where it takes something from the surroundings. */
function toldCondition(where: Filter | undefined): Filter | null {
  return where === undefined || /"[$=]":/.test(JSON.stringify(where)) ? null : where;
}

function isLedger(catalog: Pick<Catalog, 'resources'>, key: string): boolean {
  return catalog.resources[key]?.ledger !== undefined;
}

function titleOf(resource: Resource, name: string): string {
  return resource.fields[name]?.title ?? name;
}

/** A field of the record, or a code written out. */
function currencyOf(resource: Resource, name: string, record: ErpRecord): string {
  const { currency = '' } = resource.fields[name] ?? {};
  const value = resource.fields[currency] === undefined ? currency : record[currency];
  return typeof value === 'string' ? value : '';
}

function labelOf(record: ErpRecord, name: string): string | null {
  const labels = record['_labels'];
  const label: unknown =
    typeof labels === 'object' && labels !== null ? Reflect.get(labels, name) : undefined;
  return typeof label === 'string' && label !== '' ? label : null;
}

/** What people read of a field: its words, an instant as the company's clock shows it. */
function textOf({ fields }: Resource, record: ErpRecord, name: string): string | null {
  const label = labelOf(record, name);
  if (label !== null) return label;
  const value = record[name];
  if (fields[name]?.type === 'datetime' && typeof value === 'string') return companyTime(value);
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;
}
