import {
  elementNames,
  type HsChange,
  type HsFault,
  type KnownVersion,
  missingColumns,
  planVersions,
  readLibrary,
} from '#trade/hs-library.ts';
import { findNamed } from '#server/business/find-named.ts';
import { dictionaryLabels } from '#server/records/read/dictionary-labels.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import type { Services } from '#server/records/services.ts';
import {
  insertRecords,
  type SystemContext,
  updateManyRecordFields,
} from '#server/records/write/system-write.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { letOthers } from '#server/kernel/let-others.ts';
import { cellsOf, type CsvRow } from './csv-table.ts';
import type { ElementChange, LibraryReport } from './hs-library-report.ts';

/** So many codes are written in one transaction: cut off, the rest is what the next run finds to do. */
const STRETCH = 100;

/**
 * Brings a refund-rate library and a list of declaration elements into the HS codes, as versions: audited, written by the
 * system. Without `isApplied` nothing is written. What people keyed for days of which the library says nothing stays.
 */
export async function importHsLibrary(
  services: Services,
  given: {
    readonly rates: Uint8Array | null;
    readonly elements: Uint8Array | null;
    readonly isApplied: boolean;
  },
): Promise<LibraryReport> {
  const known = await knownVersions(services);
  const rates = given.rates === null ? null : readRates(services, given.rates);
  const changes = rates === null ? [] : planVersions(known, rates.versions);
  if (given.isApplied) await applyVersions(services, changes);
  // Elements go to the versions as they are then, those that are new among them.
  const after = given.isApplied ? await knownVersions(services) : asPlanned(known, changes);
  const listed = given.elements === null ? null : await planElements(services, given.elements, after);
  if (given.isApplied && listed !== null) await applyElements(services, listed.changes);
  const mentioned = new Set(rates?.versions.map(({ code }) => code));
  return {
    changes,
    elements: listed?.changes ?? [],
    faults: [...(rates?.faults ?? []), ...(listed?.faults ?? [])],
    unmentioned:
      rates === null ? 0 : new Set(known.flatMap(({ code }) => (mentioned.has(code) ? [] : [code]))).size,
  };
}

/** The versions as they would be; what would be new has no id yet. */
function asPlanned(known: readonly KnownVersion[], changes: readonly HsChange[]): readonly KnownVersion[] {
  const changed = new Map(
    changes.flatMap(({ before, after }) => (before === null ? [] : [[before.id, after]])),
  );
  const added = changes.flatMap(({ before, after }) => (before === null ? [{ ...after, id: '' }] : []));
  return [...known.map((version) => ({ ...version, ...changed.get(version.id) })), ...added];
}

function readRates(services: Services, bytes: Uint8Array): ReturnType<typeof readLibrary> {
  const rows = tableOf(bytes);
  const missing = missingColumns(Object.keys(rows[0] ?? {}));
  if (missing.length > 0) throw new StartRefusal(`文库缺少列：${missing.join('、')}`);
  return readLibrary(rows, unitFinder(services));
}

/** Names and codes of the units that the program knows. */
function unitFinder(services: Services): (text: string) => string | null {
  const catalog = currentCatalog(services);
  const field = catalog.resources['hs_code']?.fields['unit1'];
  const labels = field === undefined ? new Map<string, string>() : dictionaryLabels(catalog, field);
  const codes = new Map(
    [...labels].flatMap(([code, label]) => [[label, code] as const, [code, code] as const]),
  );
  return (text) => codes.get(text) ?? null;
}

async function planElements(
  services: Services,
  bytes: Uint8Array,
  known: readonly KnownVersion[],
): Promise<{ readonly changes: readonly ElementChange[]; readonly faults: readonly HsFault[] }> {
  const rows = tableOf(bytes);
  const today = systemCaller(services, '').context.today;
  const stored = new Map(
    (
      await services.db.query<{ id: string; elements: string | null }>(
        'select id, elements from hs_code where not is_deleted',
        [],
      )
    ).map(({ id, elements }) => [id, elements]),
  );
  const current = new Map<string, KnownVersion[]>();
  for (const version of known)
    if (version.to === null || version.to >= today)
      current.set(version.code, [...(current.get(version.code) ?? []), version]);
  const seen = new Map<string, string>();
  const faults: HsFault[] = [];
  const changes: ElementChange[] = [];
  for (const [place, row] of rows.entries()) {
    const code = cellOf(row, ['商品编码', '商品代码', '编码', 'code']);
    const after = elementNames(cellOf(row, ['申报要素', '规范申报要素', 'elements']));
    const message = elementFault({ code, after, earlier: seen.get(code), isKnown: current.has(code) });
    if (message !== null) faults.push({ line: place + 2, code, message });
    if (message !== null || seen.has(code)) continue;
    seen.set(code, after);
    for (const { id } of current.get(code) ?? []) {
      const before = stored.get(id) ?? null;
      if (before !== after) changes.push({ id, code, before, after });
    }
  }
  return { changes, faults };
}

/** The text of the first of the columns that a line has. */
function cellOf(row: CsvRow, names: readonly string[]): string {
  return (row[names.find((name) => row[name] !== undefined) ?? ''] ?? '').trim();
}

function elementFault(said: {
  readonly code: string;
  readonly after: string;
  readonly earlier: string | undefined;
  readonly isKnown: boolean;
}): string | null {
  if (!/^\d{8}(\d{2})?$/.test(said.code)) return '编码应为8位或10位数字';
  if (said.after === '') return '没有申报要素';
  if (said.earlier !== undefined)
    return said.earlier === said.after ? null : '同一编码出现两次且要素不同，以前一行为准';
  return said.isKnown ? null : '没有该编码的现行版本';
}

async function knownVersions(services: Services): Promise<readonly KnownVersion[]> {
  const rows = await services.db.query<Record<string, string | null>>(
    `select id, code, name, unit1, vat_rate::text, refund_rate::text, special_mark, valid_from::text, valid_to::text
     from hs_code where not is_deleted order by code, valid_from`,
    [],
  );
  return rows.map((row) => ({
    id: String(row['id']),
    code: String(row['code']),
    name: String(row['name']),
    unit: row['unit1'] ?? null,
    vatRate: plain(row['vat_rate']),
    refundRate: plain(row['refund_rate']),
    mark: row['special_mark'] ?? null,
    from: String(row['valid_from']),
    to: row['valid_to'] ?? null,
  }));
}

/** `13.0000` as the library writes it. */
function plain(text: string | null | undefined): string {
  return (text ?? '0').replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
}

async function applyVersions(services: Services, changes: readonly HsChange[]): Promise<void> {
  // The versions of a code change together: at no moment is it without the rate of a day.
  const byCode = new Map<string, HsChange[]>();
  for (const change of changes) {
    const known = byCode.get(change.after.code);
    if (known === undefined) byCode.set(change.after.code, [change]);
    else known.push(change);
  }
  await inStretches(services, [...byCode.values()], async (context, codes) => {
    const stretch = codes.flat();
    await updateManyRecordFields(context, 'hs_code', {
      changes: stretch.flatMap(({ before, after }) =>
        before === null ? [] : [{ id: before.id, fields: movedFields(before, after) }],
      ),
      reason: { action: 'import' },
    });
    const added = stretch.flatMap(({ before, after }) => (before === null ? [after] : []));
    const stored = await carriedVersions(context, added);
    await insertRecords(
      context,
      'hs_code',
      added.map((after) => ({
        ...stored.find(({ code, from }) => code === after.code && from < after.from)?.carried,
        ...versionFields(after),
        ...{ code: after.code, status: 'active' },
      })),
    );
  });
}

/** What a library says nothing of: a new version takes it from the one before it. */
const CARRIED = [
  'unit1',
  'unit2',
  'export_tariff',
  'supervision_cond',
  'inspection_class',
  'elements',
] as const;

/** What the stored versions of these codes have of it, the youngest first. */
async function carriedVersions(
  context: SystemContext,
  added: readonly { readonly code: string }[],
): Promise<readonly { readonly code: string; readonly from: string; readonly carried: OpenRecord }[]> {
  if (added.length === 0) return [];
  const rows = await findNamed(context, 'hs_code', {
    where: { code: { in: [...new Set(added.map(({ code }) => code))] } },
    fields: ['code', 'valid_from', ...CARRIED],
    order: ['-valid_from'],
  });
  return rows.map(({ code, valid_from, ...carried }) => ({
    code: String(code),
    from: String(valid_from),
    carried,
  }));
}

/** Only what the library changes: a rate that nobody has said stays unsaid. */
function movedFields(before: HsChange['after'], after: HsChange['after']): OpenRecord {
  const old = versionFields(before);
  return Object.fromEntries(
    Object.entries(versionFields(after)).filter(([name, value]) => old[name] !== value),
  );
}

function versionFields(after: HsChange['after']): OpenRecord {
  return {
    name: after.name,
    ...(after.unit === null ? {} : { unit1: after.unit }),
    vat_rate: after.vatRate,
    refund_rate: after.refundRate,
    special_mark: after.mark,
    valid_from: after.from,
    valid_to: after.to,
  };
}

async function applyElements(services: Services, changes: readonly ElementChange[]): Promise<void> {
  await inStretches(services, changes, async (context, stretch) => {
    await updateManyRecordFields(context, 'hs_code', {
      changes: stretch.map(({ id, after }) => ({ id, fields: { elements: after } })),
      reason: { action: 'import' },
    });
  });
}

async function inStretches<T>(
  services: Services,
  all: readonly T[],
  write: (context: SystemContext, stretch: readonly T[]) => Promise<void>,
): Promise<void> {
  const caller = systemCaller(services, '');
  for (let start = 0; start < all.length; start += STRETCH) {
    const stretch = all.slice(start, start + STRETCH);
    await services.db.transaction((tx) => write({ tx, services, caller }, stretch));
    await letOthers();
  }
}

/** Lines of a CSV file with a header, in UTF-8 or, as offices in China save it, in GB 18030. */
function tableOf(bytes: Uint8Array): readonly CsvRow[] {
  const [header = [], ...lines] = cellsOf(decoded(bytes));
  const names = header.map((name) => name.trim());
  return lines.map((cells) => Object.fromEntries(names.map((name, place) => [name, cells[place] ?? ''])));
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}
