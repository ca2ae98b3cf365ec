import type { FastifyBaseLogger } from 'fastify';
import type { DefinitionFile } from '#engine/schema/parse-files.ts';
import type { Catalog, EvaluationContext, Subject } from '#engine/schema/resource.ts';
import type { Setup } from '#engine/schema/setup-files.ts';
import { formatFault, type LintFault } from '#engine/schema/source-file.ts';
import type { Database } from '#server/kernel/db/database.ts';
import { epochOf, isMigrated, migrate } from '#server/kernel/migrations/migrate.ts';
import { keepStatesOfEmpty } from '#server/records/derive/derived-state.ts';
import type { MessageBus } from '#server/kernel/db/message-bus.ts';
import { loadOverrides, OVERRIDES_CHANGED } from '#server/records/call/overrides.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import {
  type Choice,
  chooseServing,
  type Chosen,
  type LoadedFiles,
  withoutFaulty,
} from './choose-serving.ts';
import { tagOf } from './definition-files.ts';
import { openContexts } from './evaluation-contexts.ts';
import { fileAuthor } from './file-author.ts';
import { keepDefinitions, readKept } from './kept-definitions.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { type DefinitionSource, fileOf, foldersOf, type ReadAhead, readAll, SHOWN_AS } from './read-ahead.ts';
import { watchFolder } from './watch-folder.ts';

/** The definitions that serve, and what happens to them while the server runs. */
export interface DefinitionStore {
  /** As the files say; with the rows that override dictionaries: `currentCatalog(services)`. */
  readonly catalog: () => Catalog;
  readonly setup: () => Setup;
  /** What is wrong with files that do not serve as they are; empty when everything serves. */
  readonly faults: () => readonly LintFault[];
  /** Grows with every catalog or override that begins to serve: for ETags and caches. */
  readonly revision: () => number;
  /** Short hash of the texts that serve, the same in every process that serves them. */
  readonly tag: () => string;
  /** Called after a new catalog serves, with the resources that changed. */
  readonly onChange: (listener: (changed: readonly string[]) => void) => void;
  /** Called when the list of faults changes. */
  readonly onFaults: (listener: (faults: readonly LintFault[]) => void) => void;
  /** Reads again the rows that override files, here and in every process. */
  readonly refreshOverrides: () => Promise<void>;
  readonly contextFor: (subject: Subject, now: Date) => EvaluationContext;
  /** Looks at the files now; the watch does it by itself. */
  readonly reload: () => Promise<void>;
  /** Waits until the definitions are newer than those that work began with; false when they are the newest here. */
  readonly catchUp: (began: Catalog) => Promise<boolean>;
  /** True while the tables are already those of definitions that this process does not have. */
  readonly isBehind: () => Promise<boolean>;
  /** Ends when nothing is read any more. */
  readonly close: () => Promise<void>;
}

export interface DefinitionOptions extends DefinitionSource {
  readonly db: Database;
  /** Changes the tables. */
  readonly owner: Database;
  readonly bus: MessageBus;
  readonly log: FastifyBaseLogger;
}

/** Topic on which processes tell each other that definitions changed. */
export const DEFINITIONS_CHANGED = 'definitions';

/** A database that was busy or away is asked again. */
const RETRY_MS = 5_000;
/** Files that were not checked at the start are once the first users are served: an edit then costs only itself. */
const CHECK_AFTER_MS = 10_000;

/**
 * Loads the definitions, migrates the tables and watches the files. A file that does not load or migrate is replaced by
 * the version that served last.
 * @throws StartRefusal with every fault when nothing has ever served, or not even the last versions do
 */
export async function openDefinitions(
  options: DefinitionOptions,
  ahead: ReadAhead,
): Promise<DefinitionStore> {
  const { db, owner, bus, log } = options;
  const { files, parsed } = ahead;
  const read = (): Promise<readonly DefinitionFile[]> => readAll(options);
  const bringUpTo = async ({ catalog }: LoadedFiles): Promise<void> => {
    await migrate(owner, catalog);
    await keepStatesOfEmpty(db, catalog);
  };
  const keep = ({ texts }: LoadedFiles, files: readonly DefinitionFile[]): Promise<void> =>
    owner.transaction((tx) =>
      keepDefinitions(tx, {
        texts,
        present: new Set(files.map(({ path }) => path)),
        authorOf: (path) => fileAuthor(fileOf(options, path)),
      }),
    );

  const good = await readKept(owner);
  const first = await startServing({
    files,
    good,
    extras: options.extras,
    parsed,
    ahead: ahead.loaded,
    migrate: bringUpTo,
  });
  await keep(first.served, files);
  if (first.faults.length === 0 && !ahead.checked.isFaultless)
    await ahead.checked
      .keep()
      .catch((error: unknown) => log.warn({ err: error }, 'checked definitions are not noted'));
  db.follow(await epochOf(db, first.served.catalog));
  let current = first.served;
  let faults: readonly LintFault[] = [];
  let revision = 1;
  let tag = tagOf(current.texts);
  let isClosed = false;
  const changeListeners: ((changed: readonly string[]) => void)[] = [];
  const faultListeners: ((faults: readonly LintFault[]) => void)[] = [];
  const serving = {
    catalog: () => current.catalog,
    setup: () => current.setup,
    revision: () => revision,
    tag: () => tag,
  };
  const contexts = await openContexts({ db, log, definitions: serving });

  const setFaults = (next: readonly LintFault[]): void => {
    const before = faults.map(formatFault).join('\n');
    faults = next;
    if (before === next.map(formatFault).join('\n')) return;
    if (next.length > 0)
      log.error({ faults: next.map(formatFault) }, 'definitions have faults; the last good version serves');
    for (const listener of faultListeners) listener(next);
  };
  setFaults(first.faults);

  const refreshHere = async (): Promise<void> => {
    await Promise.all([loadOverrides({ db, definitions: store }), contexts.renew()]);
    revision += 1;
  };
  const serve = async (next: LoadedFiles): Promise<void> => {
    const epoch = await epochOf(db, next.catalog);
    const changed = changedResources(current.catalog, next.catalog);
    current = next;
    tag = tagOf(next.texts);
    db.follow(epoch);
    await refreshHere();
    log.info({ changed }, 'definitions changed');
    for (const listener of changeListeners) listener(changed);
    await bus.publish(db, DEFINITIONS_CHANGED);
  };

  const isBehind = async (): Promise<boolean> => !(await isMigrated(db, current.catalog));
  const reload = async (): Promise<void> => {
    if (isClosed) return;
    const found = await read();
    const { served, faults: next } = await chooseServing({
      files: found,
      good: current.texts,
      extras: options.extras,
      parsed,
      migrate: bringUpTo,
      isServing: true,
    });
    if (served !== null && !areTextsEqual(current.texts, served.texts)) {
      await keep(served, found);
      await serve(served);
    }
    setFaults(next);
  };
  let retry: NodeJS.Timeout | undefined;
  const queue = oneAtATime(reload, (error) => {
    // What was under way when the server was closed.
    if (isClosed) return;
    log.error({ err: error }, 'definitions cannot be reloaded');
    if (error instanceof StartRefusal)
      setFaults([{ path: SHOWN_AS, line: 1, column: 1, message: error.message }]);
    retry = setTimeout(() => void queue.run(), RETRY_MS).unref();
  });

  const store: DefinitionStore = {
    ...serving,
    faults: () => faults,
    onChange: (listener) => changeListeners.push(listener),
    onFaults: (listener) => faultListeners.push(listener),
    refreshOverrides: async () => {
      await refreshHere();
      await bus.publish(db, OVERRIDES_CHANGED);
    },
    contextFor: contexts.contextFor,
    reload: queue.run,
    catchUp: async (began) => {
      await queue.settled();
      if (current.catalog === began && (await isBehind())) await queue.run();
      return current.catalog !== began;
    },
    isBehind,
    close: async () => {
      isClosed = true;
      for (const watch of watches) watch.close();
      clearTimeout(retry);
      clearTimeout(check);
      await queue.settled();
    },
  };
  await loadOverrides({ db, definitions: store });
  const check = ahead.checked.isFaultless
    ? setTimeout(() => void queue.run(), CHECK_AFTER_MS).unref()
    : undefined;
  const watches = foldersOf(options).map(({ folder }) => watchFolder(folder, () => void queue.run()));
  const whenElsewhere = (work: () => Promise<void>) => (message: { readonly from: string }) => {
    if (message.from === bus.id) return;
    work().catch((error: unknown) => log.error({ err: error }, 'refresh after a message failed'));
  };
  bus.listen(DEFINITIONS_CHANGED, whenElsewhere(queue.run));
  bus.listen(OVERRIDES_CHANGED, whenElsewhere(refreshHere));
  bus.onReconnect(
    () =>
      void queue
        .run()
        .then(refreshHere)
        .catch(() => undefined),
  );
  return store;
}

/** The first definitions of a process. A new program may refuse what an old one served: such a file is left out alone. */
async function startServing(choice: Choice): Promise<Chosen & { readonly served: LoadedFiles }> {
  const { good } = choice;
  const first = await chooseServing(choice);
  const { served, faults } = first;
  if (served !== null) return { ...first, served };
  const left = good.size === 0 ? null : withoutFaulty(good, first.stuck);
  if (left !== null && left.size < good.size) {
    const files = [...left].map(([path, text]) => ({ path, text }));
    const rest = await chooseServing({ ...choice, files, good: left, ahead: undefined });
    if (rest.served !== null) return { ...rest, served: rest.served, faults };
  }
  throw new StartRefusal(`定义文件有 ${faults.length} 处错误：\n${faults.map(formatFault).join('\n')}`);
}

function areTextsEqual(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): boolean {
  return left.size === right.size && [...left].every(([path, text]) => right.get(path) === text);
}

function changedResources(before: Catalog, after: Catalog): readonly string[] {
  const keys = new Set([...Object.keys(before.resources), ...Object.keys(after.resources)]);
  return [...keys].filter((key) => before.resources[key]?.hash !== after.resources[key]?.hash);
}
