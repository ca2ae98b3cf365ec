import { buildCatalog } from './build-catalog.ts';
import type { ResourceDefinition } from './definition.ts';
import { expandResource } from './expand-resource.ts';
import { lintBehaviour } from './lint-behaviour.ts';
import { formulaNames } from './formula-names.ts';
import { type KnownNames, type LintExtras, ResourceLint } from './lint-context.ts';
import { lintDeadEnds } from './lint-dead-ends.ts';
import { lintFields } from './lint-fields.ts';
import { lintLayout } from './lint-layout.ts';
import { lintLedger } from './lint-ledger.ts';
import { lintSecondPerson } from './lint-second-person.ts';
import { RecordedResources, stands, type Verdict } from './lint-memory.ts';
import { lintNames } from './lint-names.ts';
import { lintSetup } from './lint-setup.ts';
import type { Catalog, Resource } from './resource.ts';
import { RESOURCE_SCHEMA } from './resource-schema.ts';
import { lintReport, type ReportFile } from '../report/lint-report.ts';
import type { ReportDefinition } from '../report/report-definition.ts';
import { REPORT_SCHEMA } from '../report/report-schema.ts';
import { lintPrint, lintPrintsTogether, type PrintFile } from '../print/lint-print.ts';
import { PRINT_FILE_SCHEMA } from '../print/print-schema.ts';
import type { PrintTemplate } from '../print/print-template.ts';
import { schemaFaults } from './schema-faults.ts';
import { isPrintFile, isReportFile, readSetup, type Setup, setupName, withReports } from './setup-files.ts';
import { SETUP_SCHEMAS } from './setup-schema.ts';
import { faultAt, type LintFault, readSource, type SourceFile } from './source-file.ts';

export interface DefinitionFile {
  readonly path: string;
  readonly text: string;
}

/** What the definition files say, or what is wrong with them. */
export interface LoadedDefinitions {
  readonly faults: readonly LintFault[];
  /** Null while there are faults. */
  readonly catalog: Catalog | null;
  readonly setup: Setup;
}

interface ResourceFile {
  readonly file: SourceFile;
  readonly definition: ResourceDefinition;
  readonly resource: Resource;
}

/** A file by itself: its text, what is wrong with its form, and what it defines when nothing is. */
interface ParsedFile {
  readonly text: string;
  readonly file: SourceFile;
  readonly faults: readonly LintFault[];
  readonly resource: ResourceFile | null;
  readonly report: ReportFile | null;
  readonly print: PrintFile | null;
  /** What the lint said of it beside other files, while that stands. */
  verdict?: Verdict;
}

/** Files that were parsed before, by path: what did not change is not read again. */
export type ParsedFiles = Map<string, ParsedFile>;

/** Checks resource and setup files; every fault has its place and, where a name is near, a suggestion. Node only. */
export function lintDefinitions(files: readonly DefinitionFile[], extras: LintExtras = {}): LintFault[] {
  return [...loadDefinitions(files, () => '', extras).faults];
}

/**
 * Parses, checks and expands the files of `resources/` (those in a `setup` folder by their names). `hashOf` hashes
 * a file's text. Of two files that define the same resource or route the later one is at fault: give those that served
 * before first, so that a copy takes nothing from its original.
 */
export function loadDefinitions(
  files: readonly DefinitionFile[],
  hashOf: (text: string) => string,
  extras: LintExtras = {},
  parsed: ParsedFiles = new Map(),
): LoadedDefinitions {
  const faults: LintFault[] = [];
  const resources: ResourceFile[] = [];
  const setupFiles: Record<string, unknown> = {};
  const setupSources: SourceFile[] = [];
  const reports: ReportFile[] = [];
  const prints: PrintFile[] = [];
  for (const given of files) {
    const { file, faults: own, resource, report, print } = parseFile(given, hashOf, parsed);
    const setup = setupName(given.path);
    faults.push(...own);
    if (own.length > 0) continue;
    if (resource !== null) resources.push(resource);
    if (report !== null) reports.push(report);
    if (print !== null) prints.push(print);
    if (setup === null) continue;
    setupFiles[setup] = file.value;
    setupSources.push(file);
  }
  const uniqueReports = oneOfEach(reports, faults);
  const setup = {
    ...withReports(
      readSetup(setupFiles),
      uniqueReports.map(({ definition }) => definition),
    ),
    prints: Object.fromEntries(prints.map(({ template }) => [template.print, template])),
  };
  const unique = withoutDuplicates(resources, faults);
  const catalog = buildCatalog({ ...setup, resources: unique.map(({ resource }) => resource) });
  const known = knownNames(setup, setupFiles, extras, unique);
  faults.push(...duplicateRoutes(unique, { setup, setupSources, reports: uniqueReports }));
  const beside = { parsed, catalog, known, setup: setupSources.map((file) => hashOf(file.text)).join(' ') };
  for (const found of lintAll(unique, beside)) faults.push(...found);
  for (const entry of uniqueReports) faults.push(...lintReport(entry, catalog, known));
  for (const entry of prints) faults.push(...lintPrint(entry, catalog, known));
  if (prints.length > 0) faults.push(...lintPrintsTogether(prints, unique));
  faults.push(
    ...lintSetup({
      setup,
      sources: setupSources,
      catalog,
      known,
      areRoutesComplete: extras.routes !== undefined,
    }),
  );
  // A file that is not read well says nothing about what runs in others.
  if (extras.writes !== undefined && faults.length === 0)
    faults.push(
      ...lintDeadEnds({
        files: unique,
        catalog,
        code: new Set(extras.writes),
        waiting: setup.waiting,
        waitingFile: setupSources.find((file) => setupName(file.path) === 'waiting'),
      }),
    );
  const ordered = faults.sort(
    (a, b) => a.path.localeCompare(b.path) || a.line - b.line || a.column - b.column,
  );
  return { faults: ordered, catalog: ordered.length > 0 ? null : catalog, setup };
}

function parseFile(
  { path, text }: DefinitionFile,
  hashOf: (text: string) => string,
  parsed: ParsedFiles,
): ParsedFile {
  const known = parsed.get(path);
  if (known?.text === text) return known;
  const { file, faults: syntax } = readSource(path, text);
  const setup = setupName(path);
  const isReport = isReportFile(path);
  const isPrint = isPrintFile(path);
  const schema = isReport ? REPORT_SCHEMA : isPrint ? PRINT_FILE_SCHEMA : schemaOf(setup);
  const faults = syntax.length > 0 ? syntax : schemaFaults(file, schema);
  const isGood = faults.length === 0;
  const isResource = isGood && setup === null && !isReport && !isPrint;
  const definition = file.value as ResourceDefinition;
  const resource = isResource
    ? { file, definition, resource: expandResource(definition, hashOf(text)) }
    : null;
  const report = isGood && isReport ? { file, definition: file.value as ReportDefinition } : null;
  const print = isGood && isPrint ? { file, template: file.value as PrintTemplate } : null;
  const made = { text, file, faults, resource, report, print };
  parsed.set(path, made);
  return made;
}

/**
 * What is wrong with each resource beside the others. A file is judged anew when its own text changed, or anything that it
 * looked at: with a hundred files an edit costs what the edited file and its neighbours cost.
 */
function lintAll(
  files: readonly ResourceFile[],
  beside: {
    readonly parsed: ParsedFiles;
    readonly catalog: Catalog;
    readonly known: KnownNames;
    readonly setup: string;
  },
): readonly (readonly LintFault[])[] {
  const { parsed, catalog, known } = beside;
  const byName = new Map(files.map(({ definition, resource }) => [definition.resource, resource]));
  const recorded = new RecordedResources(catalog.resources, byName);
  const around = JSON.stringify([...known.pageKinds, catalog.declaring]);
  const now = { parsed: byName, known: `${beside.setup} ${around}` };
  return files.map((entry) => {
    const kept = parsed.get(entry.file.path);
    if (kept?.verdict !== undefined && kept.resource === entry && stands(kept.verdict, now))
      return kept.verdict.faults;
    const reads = recorded.begin();
    const faults = lintOne(entry, { ...catalog, resources: recorded.resources }, known);
    if (kept !== undefined) kept.verdict = { faults, reads, known: now.known };
    return faults;
  });
}

function lintOne(
  { file, definition, resource }: ResourceFile,
  catalog: Catalog,
  known: KnownNames,
): readonly LintFault[] {
  const context = new ResourceLint(file, definition, resource, catalog, known);
  lintNames(context);
  lintFields(context);
  lintBehaviour(context);
  lintLedger(context);
  lintSecondPerson(context);
  lintLayout(context);
  return context.faults;
}

function schemaOf(setup: string | null): object {
  if (setup === null) return RESOURCE_SCHEMA;
  const schemas: Readonly<Record<string, object>> = SETUP_SCHEMAS;
  return schemas[setup] ?? {};
}

function withoutDuplicates(resources: readonly ResourceFile[], faults: LintFault[]): readonly ResourceFile[] {
  const first = new Map<string, ResourceFile>();
  for (const entry of resources) {
    const name = entry.definition.resource;
    const other = first.get(name);
    if (other === undefined) first.set(name, entry);
    else faults.push(faultAt(entry.file, ['resource'], `资源 "${name}" 已在 ${other.file.path} 中定义`));
  }
  return [...first.values()];
}

function oneOfEach(reports: readonly ReportFile[], faults: LintFault[]): readonly ReportFile[] {
  const first = new Map<number, ReportFile>();
  for (const entry of reports) {
    const { report } = entry.definition;
    const other = first.get(report);
    if (other === undefined) first.set(report, entry);
    else faults.push(faultAt(entry.file, ['report'], `报表 ${report} 已在 ${other.file.path} 中定义`));
  }
  return [...first.values()];
}

function duplicateRoutes(
  resources: readonly ResourceFile[],
  {
    setup,
    setupSources,
    reports,
  }: {
    readonly setup: Setup;
    readonly setupSources: readonly SourceFile[];
    readonly reports: readonly ReportFile[];
  },
): readonly LintFault[] {
  const owner = new Map<string, string>();
  const faults: LintFault[] = [];
  const claim = (file: SourceFile, path: readonly (string | number)[], route: string): void => {
    const other = owner.get(route);
    if (other === undefined) owner.set(route, file.path);
    else faults.push(faultAt(file, path, `路由 "${route}" 已在 ${other} 中使用`));
  };
  for (const { file, definition } of resources)
    for (const [index, page] of (definition.pages ?? []).entries())
      claim(file, ['pages', index, 'route'], page.route);
  const pages = setupSources.find((file) => setupName(file.path) === 'pages');
  if (pages !== undefined)
    for (const [index, page] of setup.pages.entries())
      if (page.report === undefined) claim(pages, [index, 'route'], page.route);
  for (const { file, definition } of reports) claim(file, ['route'], definition.route);
  return faults;
}

function knownNames(
  setup: Setup,
  files: Readonly<Record<string, unknown>>,
  extras: LintExtras,
  resources: readonly ResourceFile[],
): KnownNames {
  const events = 'message-events' in files ? Object.keys(setup.events) : [];
  const routes = resources.flatMap(({ definition }) => (definition.pages ?? []).map((page) => page.route));
  const pages = [...resources.flatMap(({ definition }) => definition.pages ?? []), ...setup.pages];
  return {
    pageKinds: new Map(pages.map(({ route, kind }) => [route, kind])),
    dictionaries: 'dictionaries' in files ? new Set(setup.dictionaries.map(({ name }) => name)) : null,
    roles: 'roles' in files ? new Set(setup.roles.map(({ code }) => code)) : null,
    checks: givenNames(extras.checks),
    effects: givenNames(extras.effects),
    events:
      extras.events === undefined && events.length === 0
        ? null
        : new Set([...events, ...(extras.events ?? [])]),
    valueChecks: givenNames(extras.valueChecks),
    formulas: formulaNames(setup),
    routes: new Set([...routes, ...setup.pages.map((page) => page.route), ...(extras.routes ?? [])]),
  };
}

/** Null when the caller did not say: such names are not checked. */
function givenNames(names: Iterable<string> | undefined): ReadonlySet<string> | null {
  return names === undefined ? null : new Set(names);
}
