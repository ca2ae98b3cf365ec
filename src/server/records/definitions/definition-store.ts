import type { FastifyBaseLogger } from 'fastify';
import type { LintExtras } from '#engine/schema/lint-context.ts';
import { type DefinitionFile, loadDefinitions } from '#engine/schema/lint-resource.ts';
import type { Catalog, EvaluationContext, Subject } from '#engine/schema/resource.ts';
import type { Setup } from '#engine/schema/setup-files.ts';
import { formatFault, type LintFault } from '#engine/schema/source-file.ts';
import { companyToday } from '#engine/values/dates.ts';
import type { Database } from '#server/kernel/db/database.ts';
import { migrate } from '#server/kernel/migrations/migrate.ts';
import { keepStatesOfEmpty } from '#server/records/derive/derived-state.ts';
import type { MessageBus } from '#server/kernel/db/message-bus.ts';
import { loadOverrides, OVERRIDES_CHANGED, overridesOf, paramsOf } from '#server/records/call/overrides.ts';
import type { RuleRegistry } from '#server/records/rules/rule-registry.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { hashText, readDefinitionFiles } from './definition-files.ts';
import { companyValues } from './regions.ts';
import { loadRates, rateOf, type RateBook } from './rate-book.ts';
import { watchFolder } from './watch-folder.ts';

/** The definitions that serve, and what happens to them while the server runs. */
export interface DefinitionStore {
  /** As the files say; with the rows that override dictionaries: `currentCatalog(services)`. */
  readonly catalog: () => Catalog;
  readonly setup: () => Setup;
  /** What is wrong with files that were edited since; empty when everything serves. */
  readonly faults: () => readonly LintFault[];
  /** Grows with every catalog or override that begins to serve: for ETags and caches. */
  readonly revision: () => number;
  /** Called after a new catalog serves, with the resources that changed. */
  readonly onChange: (listener: (changed: readonly string[]) => void) => void;
  /** Called when the list of faults changes. */
  readonly onFaults: (listener: (faults: readonly LintFault[]) => void) => void;
  /** Reads again the rows that override files, here and in every process. */
  readonly refreshOverrides: () => Promise<void>;
  readonly contextFor: (subject: Subject, now: Date) => EvaluationContext;
  /** Looks at the files now; the watch does it by itself. */
  readonly reload: () => Promise<void>;
  readonly close: () => void;
}

export interface DefinitionOptions {
  readonly folder: string;
  readonly extras: LintExtras;
  readonly db: Database;
  /** Changes the tables. */
  readonly owner: Database;
  readonly bus: MessageBus;
  readonly log: FastifyBaseLogger;
}

/** Definitions that passed the lint, with the texts they came from. */
export interface LoadedFiles {
  readonly catalog: Catalog;
  readonly setup: Setup;
  /** The texts that serve, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Topic on which processes tell each other that definitions changed. */
export const DEFINITIONS_CHANGED = 'definitions';

/** Exchange rates written by people are in force within a minute. */
const RATES_MAX_AGE_MS = 60_000;
/** Companies and days whose parameters are remembered. */
const MAX_PARAM_SETS = 100;

/**
 * Loads the definitions, migrates the tables and watches the files.
 * @throws StartRefusal with every fault when a file is wrong.
 */
export async function openDefinitions(
  options: DefinitionOptions,
  initial: LoadedFiles,
): Promise<DefinitionStore> {
  const { db, owner, bus, log } = options;
  let current = initial;
  const bringUpTo = async ({ catalog }: LoadedFiles): Promise<void> => {
    await migrate(owner, catalog);
    await keepStatesOfEmpty(db, catalog);
  };
  await bringUpTo(current);
  let faults: readonly LintFault[] = [];
  let revision = 1;
  let rates: RateBook = await loadRates(db, current.catalog);
  const changeListeners: ((changed: readonly string[]) => void)[] = [];
  const faultListeners: ((faults: readonly LintFault[]) => void)[] = [];

  const setFaults = (next: readonly LintFault[]): void => {
    const before = faults.map(formatFault).join('\n');
    faults = next;
    if (before === next.map(formatFault).join('\n')) return;
    if (next.length > 0)
      log.error({ faults: next.map(formatFault) }, 'definitions have faults; the last good version serves');
    for (const listener of faultListeners) listener(next);
  };

  const serve = async (next: LoadedFiles): Promise<readonly string[]> => {
    const changed = changedResources(current.catalog, next.catalog);
    if (changed.length === 0 && isSameTexts(current.texts, next.texts)) return [];
    await bringUpTo(next);
    current = next;
    await loadOverrides({ db, definitions: store });
    rates = await loadRates(db, current.catalog);
    revision += 1;
    log.info({ changed }, 'definitions changed');
    for (const listener of changeListeners) listener(changed);
    return changed;
  };

  const reload = async (): Promise<void> => {
    const { next, faults: found } = await loadAgain(options, current);
    if (next === null) return setFaults(found);
    const before = current;
    try {
      await serve(next);
      setFaults(found);
      if (before !== current) await bus.publish(db, DEFINITIONS_CHANGED);
    } catch (error) {
      if (!(error instanceof StartRefusal)) throw error;
      // The files are right, the tables cannot follow: the last good version keeps serving.
      setFaults([...found, { path: 'resources', line: 1, column: 1, message: error.message }]);
    }
  };
  const queue = oneAtATime(reload, (error) => log.error({ err: error }, 'definitions cannot be reloaded'));

  let params = new Map<string, Readonly<Record<string, string>>>();
  let paramsRevision = 0;
  const paramsFor = (company: string, today: string): Readonly<Record<string, string>> => {
    if (paramsRevision !== revision || params.size > MAX_PARAM_SETS) params = new Map();
    paramsRevision = revision;
    const key = `${company}|${today}`;
    const found = params.get(key) ?? paramsOf(overridesOf({ db }), company, today);
    params.set(key, found);
    return found;
  };

  const refreshHere = async (): Promise<void> => {
    await loadOverrides({ db, definitions: store });
    rates = await loadRates(db, current.catalog);
    revision += 1;
  };
  const store: DefinitionStore = {
    catalog: () => current.catalog,
    setup: () => current.setup,
    faults: () => faults,
    revision: () => revision,
    onChange: (listener) => changeListeners.push(listener),
    onFaults: (listener) => faultListeners.push(listener),
    refreshOverrides: async () => {
      await refreshHere();
      await bus.publish(db, OVERRIDES_CHANGED);
    },
    contextFor: (subject, now) => {
      const today = companyToday(now);
      const company = subject.co_code;
      const { workdays, decimals } = overridesOf({ db });
      if (now.getTime() - rates.loadedMs > RATES_MAX_AGE_MS) refreshRates(now);
      return {
        subject,
        today,
        now: now.toISOString(),
        params: paramsFor(company, today),
        paramOn: (name, date) => paramsFor(company, date)[name] ?? null,
        workdays,
        decimals,
        company: companyValues(store, company),
        rate: (currency, kind, date) => rateOf(rates, currency, { kind, date }),
      };
    },
    reload: queue,
    close: () => watch.close(),
  };
  const refreshRates = (now: Date): void => {
    rates = { ...rates, loadedMs: now.getTime() };
    loadRates(db, current.catalog, now).then(
      (book) => {
        rates = book;
      },
      (error: unknown) => log.warn({ err: error }, 'exchange rates cannot be read'),
    );
  };

  await loadOverrides({ db, definitions: store });
  const watch = watchFolder(options.folder, () => void queue());
  const whenElsewhere = (work: () => Promise<void>) => (message: { readonly from: string }) => {
    if (message.from === bus.id) return;
    work().catch((error: unknown) => log.error({ err: error }, 'refresh after a message failed'));
  };
  bus.listen(DEFINITIONS_CHANGED, whenElsewhere(queue));
  bus.listen(OVERRIDES_CHANGED, whenElsewhere(refreshHere));
  bus.onReconnect(
    () =>
      void queue()
        .then(refreshHere)
        .catch(() => undefined),
  );
  return store;
}

/** Names that the server's code gives to definitions, for the lint. */
export function lintExtras(rules: RuleRegistry): LintExtras {
  return { checks: [...rules.checks.keys()], effects: [...rules.effects.keys()] };
}

/** Reads and lints the files. @throws StartRefusal with the list of faults */
export async function loadAtStart(
  options: Pick<DefinitionOptions, 'folder' | 'extras'>,
): Promise<LoadedFiles> {
  const files = await readDefinitionFiles(options.folder, 'resources');
  const { catalog, setup, faults } = loadDefinitions(files, hashText, options.extras);
  if (catalog === null)
    throw new StartRefusal(`定义文件有 ${faults.length} 处错误：\n${faults.map(formatFault).join('\n')}`);
  return { catalog, setup, texts: textsOf(files) };
}

/** Loads what the files say now. Faulty files are replaced by their last good text, so that one bad file holds up no other. */
async function loadAgain(
  options: DefinitionOptions,
  current: LoadedFiles,
): Promise<{ readonly next: LoadedFiles | null; readonly faults: readonly LintFault[] }> {
  const files = await readDefinitionFiles(options.folder, 'resources');
  const first = loadDefinitions(files, hashText, options.extras);
  if (first.catalog !== null)
    return { next: { catalog: first.catalog, setup: first.setup, texts: textsOf(files) }, faults: [] };
  const bad = new Set(first.faults.map(({ path }) => path));
  const mended = files.flatMap((file): readonly DefinitionFile[] => {
    if (!bad.has(file.path)) return [file];
    const good = current.texts.get(file.path);
    return good === undefined ? [] : [{ path: file.path, text: good }];
  });
  const second = loadDefinitions(mended, hashText, options.extras);
  const next =
    second.catalog === null ? null : { catalog: second.catalog, setup: second.setup, texts: textsOf(mended) };
  return { next, faults: first.faults };
}

function textsOf(files: readonly DefinitionFile[]): ReadonlyMap<string, string> {
  return new Map(files.map(({ path, text }) => [path, text]));
}

function isSameTexts(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): boolean {
  return left.size === right.size && [...left].every(([path, text]) => right.get(path) === text);
}

function changedResources(before: Catalog, after: Catalog): readonly string[] {
  const keys = new Set([...Object.keys(before.resources), ...Object.keys(after.resources)]);
  return [...keys].filter((key) => before.resources[key]?.hash !== after.resources[key]?.hash);
}

/** Runs `work` never twice at once; calls during a run make one more run. */
function oneAtATime(work: () => Promise<void>, onFault: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> | null = null;
  let waiting: Promise<void> | null = null;
  const run = (): Promise<void> => {
    running = work()
      .catch(onFault)
      .finally(() => {
        running = null;
      });
    return running;
  };
  return () => {
    if (running === null) return run();
    waiting ??= running.then(() => {
      waiting = null;
      return run();
    });
    return waiting;
  };
}
