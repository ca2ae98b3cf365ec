import { buildCatalog } from './build-catalog.ts';
import { lintBehaviour } from './lint-behaviour.ts';
import { formulaNames, parameterTitles } from './formula-names.ts';
import { type KnownNames, type LintExtras, ResourceLint } from './lint-context.ts';
import { lintAmendment } from './lint-amendment.ts';
import { lintCircles } from './lint-circles.ts';
import { lintDeadEnds } from './lint-dead-ends.ts';
import { duplicateRoutes, oneOfEach, withoutDuplicates } from './lint-duplicates.ts';
import { lintFields } from './lint-fields.ts';
import { lintLayout } from './lint-layout.ts';
import { lintLedger } from './lint-ledger.ts';
import { lintSecondPerson } from './lint-second-person.ts';
import { lintStamped } from './lint-stamped.ts';
import { RecordedResources, stands } from './lint-memory.ts';
import { lintNames } from './lint-names.ts';
import { lintSetup } from './lint-setup.ts';
import {
  type DefinitionFile,
  type ParsedFile,
  type ParsedFiles,
  parseFile,
  type ResourceFile,
  trustFile,
} from './parse-files.ts';
import type { Catalog } from './resource.ts';
import { lintReport, type ReportFile } from '../report/lint-report.ts';
import { lintTrends } from '../report/lint-trend.ts';
import { lintPrint, lintPrintsTogether, type PrintFile } from '../print/lint-print.ts';
import { readSetup, type Setup, setupName, withReports } from './setup-files.ts';
import type { LintFault, SourceFile } from './source-file.ts';

/** What the definition files say, or what is wrong with them. */
export interface LoadedDefinitions {
  readonly faults: readonly LintFault[];
  /** Null while there are faults. */
  readonly catalog: Catalog | null;
  readonly setup: Setup;
}

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
  const steps = loadSteps({ files, hashOf, extras, parsed });
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** The same, a file at a time: `pause` lets others go on in between. */
export async function loadInTurns(
  load: DefinitionLoad,
  pause: () => Promise<void>,
): Promise<LoadedDefinitions> {
  const steps = loadSteps(load);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await pause();
  }
}

/** Reads files that were found faultless together before, by the same program: nothing is checked again. */
export function loadFaultless({
  files,
  hashOf,
  parsed,
}: Omit<DefinitionLoad, 'extras'>): LoadedDefinitions & { readonly catalog: Catalog } {
  const sorted = sortOut(files.map((given) => trustFile(given, hashOf, parsed)));
  const setup = setupOf(sorted, sorted.reports);
  return { faults: [], setup, catalog: catalogOf(setup, sorted.resources) };
}

/** What is loaded, and what was parsed of it before. */
export interface DefinitionLoad {
  readonly files: readonly DefinitionFile[];
  readonly hashOf: (text: string) => string;
  readonly extras: LintExtras;
  readonly parsed: ParsedFiles;
}

function* loadSteps({ files, hashOf, extras, parsed }: DefinitionLoad): Generator<void, LoadedDefinitions> {
  const read: ParsedFile[] = [];
  for (const given of files) {
    read.push(parseFile(given, hashOf, parsed));
    yield;
  }
  const sorted = sortOut(read);
  const { faults, setupFiles, setupSources, prints } = sorted;
  const reports = oneOfEach(sorted.reports, faults);
  const setup = setupOf(sorted, reports);
  const unique = withoutDuplicates(sorted.resources, faults);
  const catalog = catalogOf(setup, unique);
  const known = knownNames(setup, setupFiles, extras, unique);
  faults.push(...duplicateRoutes(unique, { setup, setupSources, reports }));
  const beside = { parsed, catalog, known, setup: setupSources.map((file) => hashOf(file.text)).join(' ') };
  for (const found of lintAll(unique, beside)) {
    faults.push(...found);
    yield;
  }
  for (const entry of reports) {
    faults.push(...lintReport(entry, catalog, known));
    yield;
  }
  faults.push(...lintTrends(reports));
  for (const entry of prints) faults.push(...lintPrint(entry, catalog, known));
  if (prints.length > 0) faults.push(...lintPrintsTogether(prints, unique));
  yield;
  const areRoutesComplete = extras.routes !== undefined;
  faults.push(...lintSetup({ setup, sources: setupSources, catalog, known, areRoutesComplete }));
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

interface SortedFiles {
  readonly faults: LintFault[];
  readonly resources: readonly ResourceFile[];
  readonly reports: readonly ReportFile[];
  readonly prints: readonly PrintFile[];
  readonly setupFiles: Readonly<Record<string, unknown>>;
  readonly setupSources: readonly SourceFile[];
}

/** What the files of good form are, and the faults of the others. */
function sortOut(read: readonly ParsedFile[]): SortedFiles {
  const good = read.filter(({ faults }) => faults.length === 0);
  const setupSources = good.map(({ file }) => file).filter(({ path }) => setupName(path) !== null);
  return {
    faults: read.flatMap(({ faults }) => faults),
    resources: good.flatMap(({ resource }) => resource ?? []),
    reports: good.flatMap(({ report }) => report ?? []),
    prints: good.flatMap(({ print }) => print ?? []),
    setupFiles: Object.fromEntries(setupSources.map(({ path, value }) => [setupName(path) ?? '', value])),
    setupSources,
  };
}

function setupOf({ setupFiles, prints }: SortedFiles, reports: readonly ReportFile[]): Setup {
  return {
    ...withReports(
      readSetup(setupFiles),
      reports.map(({ definition }) => definition),
    ),
    prints: Object.fromEntries(prints.map(({ template }) => [template.print, template])),
  };
}

function catalogOf(setup: Setup, resources: readonly ResourceFile[]): Catalog {
  return buildCatalog({
    ...setup,
    parameters: parameterTitles(setup),
    resources: resources.map(({ resource }) => resource),
  });
}

/**
 * What is wrong with each resource beside the others. A file is judged anew when its own text changed, or anything that it
 * looked at: with a hundred files an edit costs what the edited file and its neighbours cost.
 */
function* lintAll(
  files: readonly ResourceFile[],
  beside: {
    readonly parsed: ParsedFiles;
    readonly catalog: Catalog;
    readonly known: KnownNames;
    readonly setup: string;
  },
): Generator<readonly LintFault[]> {
  const { parsed, catalog, known } = beside;
  const byName = new Map(files.map(({ definition, resource }) => [definition.resource, resource]));
  const recorded = new RecordedResources(catalog.resources, byName);
  const around = JSON.stringify([...known.pageKinds, catalog.declaring]);
  const now = { parsed: byName, known: `${beside.setup} ${around}` };
  for (const entry of files) {
    const kept = parsed.get(entry.file.path);
    if (kept?.verdict !== undefined && kept.resource === entry && stands(kept.verdict, now)) {
      yield kept.verdict.faults;
      continue;
    }
    const reads = recorded.begin();
    const faults = lintOne(entry, { ...catalog, resources: recorded.resources }, known);
    if (kept !== undefined) kept.verdict = { faults, reads, known: now.known };
    yield faults;
  }
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
  lintAmendment(context);
  lintCircles(context);
  lintSecondPerson(context);
  lintLayout(context);
  lintStamped(context);
  return context.faults;
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
