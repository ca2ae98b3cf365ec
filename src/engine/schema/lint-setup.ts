import { lintDocumentSets } from '../print/lint-document-sets.ts';
import { ROLE_DUTIES } from '../access/role-duties.ts';
import { eventFields, GENERAL_WORDS, hasOpenBrace, resourcesOfEvent, wordsIn } from './event-words.ts';
import { targetPlace } from './field-path.ts';
import { lintFaces, startFaults } from './lint-faces.ts';
import { type KnownNames, LintContext } from './lint-context.ts';
import { lintFilter } from './lint-filter.ts';
import type { LookupRows, LookupTable } from './lookup-table.ts';
import type { Catalog, MenuGroup } from './resource.ts';
import { type DashboardCard, type Setup, setupName } from './setup-files.ts';
import { faultAt, type JsonPath, type LintFault, type SourceFile } from './source-file.ts';
import { isPlainDecimal } from '../values/decimal.ts';
import { suggestion } from './suggest-name.ts';

/** Everything a setup file may speak of. */
export interface SetupLint {
  readonly setup: Setup;
  readonly sources: readonly SourceFile[];
  readonly catalog: Catalog;
  readonly known: KnownNames;
  /** Menu routes are checked only when all routes are known, the reports' too. */
  readonly areRoutesComplete: boolean;
}

/** Checks what menu, dictionaries, approval flows and notices name. */
export function lintSetup(lint: SetupLint): readonly LintFault[] {
  return [
    ...lintMenu(lint),
    ...lintRoles(lint),
    ...lintDictionaries(lint),
    ...lintFlows(lint),
    ...lintEvents(lint),
    ...lintTables(lint),
    ...lintAccounts(lint),
    ...lintDashboards(lint),
    ...lintFaces(lint),
    ...lintSets(lint),
  ];
}

function lintMenu({ setup, sources, known, areRoutesComplete }: SetupLint): readonly LintFault[] {
  const file = sourceOf(sources, 'menu');
  const { routes } = known;
  if (file === undefined || routes === null || !areRoutesComplete) return [];
  return menuRoutes(setup.menu, []).flatMap(({ route, path }) =>
    routes.has(route) ? [] : [faultAt(file, path, `未知路由 "${route}"${suggestion(route, routes)}`)],
  );
}

function menuRoutes(
  groups: readonly MenuGroup[],
  path: JsonPath,
): { readonly route: string; readonly path: JsonPath }[] {
  return groups.flatMap((group, index) => itemRoutes(group, [...path, index]));
}

function itemRoutes(group: MenuGroup, path: JsonPath): { readonly route: string; readonly path: JsonPath }[] {
  return group.items.flatMap((item, index) => {
    const here = [...path, 'items', index];
    return typeof item === 'string' ? [{ route: item, path: here }] : itemRoutes(item, here);
  });
}

function lintSets({ setup, sources, catalog, known }: SetupLint): readonly LintFault[] {
  const file = sourceOf(sources, 'document-sets');
  return file === undefined ? [] : lintDocumentSets({ file, sets: setup.documentSets }, catalog, known);
}

/** Cards and charts name reports, their columns and parameters. */
function lintDashboards({
  setup,
  sources,
  catalog,
  known,
  areRoutesComplete,
}: SetupLint): readonly LintFault[] {
  const file = sourceOf(sources, 'dashboards');
  if (file === undefined) return [];
  const routes = areRoutesComplete ? known.routes : null;
  return Object.entries(setup.dashboards).flatMap(([name, { starts = [], cards, charts = [] }]) => [
    ...starts.flatMap((start, index) =>
      startFaults(start, { file, catalog, path: [name, 'starts', index] }, routes),
    ),
    ...cards.flatMap((card, index) =>
      dashboardFaults(file, setup, {
        path: [name, 'cards', index],
        shown: card,
        columns: [card.column, ...[card.days, card.party].filter((key) => key !== undefined)],
      }),
    ),
    ...charts.flatMap((chart, index) =>
      dashboardFaults(file, setup, {
        path: [name, 'charts', index],
        shown: chart,
        columns: [chart.x, ...chart.y],
      }),
    ),
  ]);
}

function dashboardFaults(
  file: SourceFile,
  { reports }: Setup,
  at: {
    readonly path: JsonPath;
    readonly shown: Pick<DashboardCard, 'report' | 'params' | 'late'>;
    readonly columns: readonly string[];
  },
): readonly LintFault[] {
  const report = reports[String(at.shown.report)];
  // Definitions without reports (a folder of their own) have nothing to show.
  if (Object.keys(reports).length === 0) return [];
  if (report === undefined) return [faultAt(file, [...at.path, 'report'], `没有报表 ${at.shown.report}`)];
  const keys = report.columns.map(({ key }) => key);
  const strange = at.columns.filter((column) => !keys.includes(column));
  const { params: chosen = {}, late = {} } = at.shown;
  const params = Object.keys({ ...chosen, ...late }).filter((name) => report.params?.[name] === undefined);
  return [
    ...strange.map((column) =>
      faultAt(file, at.path, `报表 ${report.report} 没有列 "${column}"${suggestion(column, keys)}`),
    ),
    ...params.map((name) =>
      faultAt(
        file,
        [...at.path, name in chosen ? 'params' : 'late', name],
        `报表 ${report.report} 没有参数 "${name}"`,
        'key',
      ),
    ),
  ];
}

/** Every duty has its role, and no more than one. */
function lintRoles({ setup, sources }: SetupLint): readonly LintFault[] {
  const file = sourceOf(sources, 'roles');
  if (file === undefined) return [];
  const held = new Set<string>();
  const twice = setup.roles.flatMap(({ duty }, index) => {
    if (duty === undefined) return [];
    const isTwice = held.has(duty);
    held.add(duty);
    return isTwice
      ? [faultAt(file, [index, 'duty'], `职责 "${duty}"（${ROLE_DUTIES[duty]}）已有角色担当`)]
      : [];
  });
  const missing = Object.entries(ROLE_DUTIES).filter(([duty]) => !held.has(duty));
  return [
    ...twice,
    ...missing.map(([duty, what]) => faultAt(file, [], `没有角色担当职责 "${duty}"（${what}）`)),
  ];
}

function lintDictionaries({ setup, sources, catalog }: SetupLint): readonly LintFault[] {
  const file = sourceOf(sources, 'dictionaries');
  if (file === undefined) return [];
  return setup.dictionaries.flatMap((dictionary) => {
    const { from, name } = dictionary;
    if (from === undefined) return [];
    const resource = catalog.resources[from.resource];
    if (resource === undefined)
      return [unknownResource(file, [name, 'from', 'resource'], from.resource, catalog)];
    return [['value', from.value] as const, ['label', from.label] as const].flatMap(([key, field]) =>
      field === undefined || Object.hasOwn(resource.fields, field)
        ? []
        : [
            faultAt(
              file,
              [name, 'from', key],
              `未知字段 "${field}"${suggestion(field, Object.keys(resource.fields))}`,
            ),
          ],
    );
  });
}

function lintFlows({ setup, sources, catalog, known }: SetupLint): readonly LintFault[] {
  const file = sourceOf(sources, 'approval-flows');
  if (file === undefined) return [];
  return setup.flows.flatMap((flow, index) => {
    const place = targetPlace(flow.resource, catalog);
    if (place === null) return [unknownResource(file, [index, 'resource'], flow.resource, catalog)];
    const context = new LintContext(file, place.resource, catalog, known);
    const where = { place, record: null };
    lintFilter(context, [index, 'condition'], flow.condition, where);
    if (flow.amount_field !== undefined) context.field([index, 'amount_field'], flow.amount_field, place);
    for (const [at, level] of flow.levels.entries()) {
      const roles = level.role ?? [];
      if (typeof roles === 'string') context.name([index, 'levels', at, 'role'], '角色', roles, known.roles);
      else
        for (const [nth, role] of roles.entries())
          context.name([index, 'levels', at, 'role', nth], '角色', role, known.roles);
      lintFilter(context, [index, 'levels', at, 'condition'], level.condition, where);
    }
    return context.faults;
  });
}

/** Templates speak in the general words and the fields of the event's records. */
function lintEvents({ setup, sources, catalog }: SetupLint): readonly LintFault[] {
  const file = sourceOf(sources, 'message-events');
  if (file === undefined) return [];
  return Object.entries(setup.events).flatMap(([code, event]) => {
    const unknown = (event.about ?? []).flatMap((key, at) =>
      Object.hasOwn(catalog.resources, key) ? [] : [unknownResource(file, [code, 'about', at], key, catalog)],
    );
    const fields = eventFields(catalog, resourcesOfEvent(catalog, code, event));
    const words = [...GENERAL_WORDS, ...fields.keys()];
    const strange = (['title', 'content'] as const).flatMap((key) => {
      const template = event[key] ?? '';
      const found = wordsIn(template).filter((word) => !words.includes(word));
      const faults = found.map((word) => `未知占位 "{${word}}"${suggestion(word, words)}`);
      if (hasOpenBrace(template)) faults.push('占位的花括号没有成对');
      return faults.map((message) => faultAt(file, [code, key], message));
    });
    return [...unknown, ...strange];
  });
}

/** Rows are as deep as there are keys, and end in values of the table's type. */
function lintTables({ setup, sources }: SetupLint): readonly LintFault[] {
  const file = sourceOf(sources, 'tables');
  if (file === undefined) return [];
  return Object.entries(setup.tables).flatMap(([name, table]) =>
    rowFaults(table, table.rows, []).map(({ path, message }) =>
      faultAt(file, [name, 'rows', ...path], message),
    ),
  );
}

interface RowFault {
  readonly path: JsonPath;
  readonly message: string;
}

function rowFaults(table: LookupTable, row: LookupRows[string], path: JsonPath): readonly RowFault[] {
  const left = table.keys.length - path.length;
  if (typeof row === 'object') {
    if (left === 0) return [{ path, message: `表“${table.title}”只有${table.keys.length}个键，此处应为值` }];
    return Object.entries(row).flatMap(([key, inner]) => rowFaults(table, inner, [...path, key]));
  }
  if (left > 0) return [{ path, message: `此处应再按“${table.keys[path.length] ?? ''}”分` }];
  const fits = table.value === 'text' ? typeof row === 'string' : isPlainDecimal(String(row));
  return fits ? [] : [{ path, message: table.value === 'text' ? '值应为文本' : '值应为普通小数' }];
}

function unknownResource(file: SourceFile, path: JsonPath, name: string, catalog: Catalog): LintFault {
  return faultAt(file, path, `未知资源 "${name}"${suggestion(name, Object.keys(catalog.resources))}`);
}

/** Two keys of one code would be one account under two names; dimensions are columns of the vouchers' lines. */
function lintAccounts({ setup, sources, catalog }: SetupLint): readonly LintFault[] {
  const file = sourceOf(sources, 'accounts');
  if (file === undefined) return [];
  const book = Object.values(catalog.resources).find(({ voucherBook }) => voucherBook !== undefined);
  const columns = book?.fields[book.voucherBook?.lines ?? '']?.fields;
  const owners = new Map<string, string>();
  return Object.entries(setup.accounts).flatMap(([key, { code, dimensions = [] }]) => {
    const other = owners.get(code);
    owners.set(code, other ?? key);
    const twice = other === undefined ? [] : [faultAt(file, [key, 'code'], `科目 ${code} 已用于 "${other}"`)];
    const unknown = dimensions.flatMap((name, at) =>
      columns === undefined || Object.hasOwn(columns, name)
        ? []
        : [
            faultAt(
              file,
              [key, 'dimensions', at],
              `未知字段 "${name}"${suggestion(name, Object.keys(columns))}`,
            ),
          ],
    );
    return [...twice, ...unknown];
  });
}

function sourceOf(sources: readonly SourceFile[], name: string): SourceFile | undefined {
  return sources.find((file) => setupName(file.path) === name);
}
