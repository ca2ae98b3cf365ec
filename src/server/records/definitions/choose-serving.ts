import { type LoadedDefinitions, loadInTurns } from '#engine/schema/lint-resource.ts';
import type { DefinitionFile, ParsedFiles } from '#engine/schema/parse-files.ts';
import type { LintExtras } from '#engine/schema/lint-context.ts';
import type { Catalog } from '#engine/schema/resource.ts';
import { setupName, type Setup } from '#engine/schema/setup-files.ts';
import { formatFault, type LintFault } from '#engine/schema/source-file.ts';
import { restAfter } from '#server/kernel/let-others.ts';
import { MigrationRefusal } from '#server/kernel/migrations/judge-steps.ts';
import { hashText } from './definition-files.ts';
import { stepFault } from './step-fault.ts';

/** Definitions that passed the lint, with the texts they came from. */
export interface LoadedFiles {
  readonly catalog: Catalog;
  readonly setup: Setup;
  /** The texts that serve, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface Choice {
  readonly files: readonly DefinitionFile[];
  /** The texts that served last: what stands in for a file that cannot serve. */
  readonly good: ReadonlyMap<string, string>;
  readonly extras: LintExtras;
  readonly parsed: ParsedFiles;
  /** The last good texts serve at this moment: their tables are not touched again, not even back to them. */
  readonly isServing?: true;
  /** What these files gave when they were loaded ahead without a fault. */
  readonly ahead?: LoadedDefinitions | undefined;
  /** Brings the tables up to the definitions. @throws MigrationRefusal when it cannot by itself */
  readonly migrate: (loaded: LoadedFiles) => Promise<void>;
}

export interface Chosen {
  /** What can serve; null when not even the last good texts do. */
  readonly served: LoadedFiles | null;
  /** What is wrong with the files that do not. */
  readonly faults: readonly LintFault[];
  /** What no last good text helps against; empty when something is served. */
  readonly stuck: readonly LintFault[];
}

/** So long others wait while definitions are read. */
const TURN_MS = 20;

/** Beyond so many changed files it is not looked for which of them breaks another. */
const MAX_SUSPECTS = 5;

/**
 * Finds the newest definitions that can serve together: a file that does not load or migrate is replaced by its last good
 * text, or left out when it has none, so that it holds up no other.
 */
export async function chooseServing(choice: Choice): Promise<Chosen> {
  const { good } = choice;
  const texts = new Map(choice.files.map(({ path, text }) => [path, text]));
  const faults = new Map<string, LintFault>();
  const isChanged = (path: string): boolean => texts.get(path) !== good.get(path);
  for (let { ahead } = choice; ; ahead = undefined) {
    const loaded = ahead?.catalog == null ? await load(choice, texts) : ahead;
    const verdict = loaded.catalog === null ? await judgeLint(choice, texts, loaded.faults) : await judgeTables(choice, texts, loaded); // prettier-ignore
    if (verdict === null) return { served: serving(loaded, texts), faults: [...faults.values()], stuck: [] };
    for (const fault of verdict.faults) faults.set(formatFault(fault), fault);
    const culprits = [...verdict.culprits].filter(isChanged);
    if (culprits.length === 0) return { served: null, faults: [...faults.values()], stuck: verdict.faults };
    for (const path of culprits) replace(texts, path, good);
  }
}

/** What keeps the present texts from serving, and the files that go back to their last good text for it. */
interface Verdict {
  readonly faults: readonly LintFault[];
  readonly culprits: Iterable<string>;
}

async function judgeLint(
  choice: Choice,
  texts: ReadonlyMap<string, string>,
  found: readonly LintFault[],
): Promise<Verdict> {
  const { good, parsed } = choice;
  // Nothing has ever served: whoever starts wants to hear of everything.
  if (good.size === 0) return { culprits: [], faults: found };
  const isChanged = (path: string): boolean => texts.get(path) !== good.get(path);
  const faulty = [...new Set(found.map(({ path }) => path))].filter(isChanged);
  // A file that does not even parse makes others look faulty that speak of it.
  const broken = faulty.filter((path) => (parsed.get(path)?.faults.length ?? 0) > 0);
  const culprits = broken.length > 0 ? broken : faulty;
  if (culprits.length > 0) return { culprits, faults: found.filter(({ path }) => culprits.includes(path)) };
  const suspects = [...new Set([...texts.keys(), ...good.keys()])].filter(isChanged);
  const guilty = suspects.length > MAX_SUSPECTS ? suspects : await findGuilty(choice, texts, suspects);
  const why = guilty.length === 0 ? '' : `（由 ${guilty.join('、')} 的改动引起）`;
  return {
    culprits: guilty,
    faults: found.map((fault) => ({ ...fault, message: `${fault.message}${why}` })),
  };
}

/** The one change without which everything would be right, else all of them. */
async function findGuilty(
  choice: Choice,
  texts: ReadonlyMap<string, string>,
  suspects: readonly string[],
): Promise<readonly string[]> {
  for (const path of suspects) {
    const without = new Map(texts);
    replace(without, path, choice.good);
    if ((await load(choice, without)).catalog !== null) return [path];
  }
  return suspects;
}

async function judgeTables(
  choice: Choice,
  texts: ReadonlyMap<string, string>,
  loaded: LoadedDefinitions,
): Promise<Verdict | null> {
  const files = serving(loaded, texts);
  const { good } = choice;
  const isUnchanged = texts.size === good.size && [...texts].every(([path, text]) => good.get(path) === text);
  if (files === null || (isUnchanged && choice.isServing === true)) return null;
  try {
    await choice.migrate(files);
    return null;
  } catch (error) {
    if (!(error instanceof MigrationRefusal) || good.size === 0) throw error;
    const { parsed } = choice;
    const byResource = new Map(
      [...texts.keys()].flatMap((path) => {
        const name = parsed.get(path)?.resource?.definition.resource;
        return name === undefined ? [] : [[name, path] as const];
      }),
    );
    return {
      culprits: [...error.resources].flatMap((resource) => byResource.get(resource) ?? []),
      faults: error.steps.map((step) => {
        const path = byResource.get(step.resource);
        return stepFault(step, path === undefined ? null : (parsed.get(path)?.file ?? null));
      }),
    };
  }
}

/**
 * Files that served before come first: of two that claim the same name the newcomer is at fault. While a server serves,
 * others go on in between.
 */
function load(choice: Choice, texts: ReadonlyMap<string, string>): Promise<LoadedDefinitions> {
  const { good, extras, parsed } = choice;
  const paths = [...texts.keys()].sort();
  const ordered = [...paths.filter((path) => good.has(path)), ...paths.filter((path) => !good.has(path))];
  const files = ordered.map((path) => ({ path, text: texts.get(path) ?? '' }));
  return loadInTurns({ files, hashOf: hashText, extras, parsed }, restAfter(TURN_MS));
}

function serving(loaded: LoadedDefinitions, texts: ReadonlyMap<string, string>): LoadedFiles | null {
  const { catalog, setup } = loaded;
  return catalog === null ? null : { catalog, setup, texts: new Map(texts) };
}

function replace(texts: Map<string, string>, path: string, good: ReadonlyMap<string, string>): void {
  const text = good.get(path);
  if (text === undefined) texts.delete(path);
  else texts.set(path, text);
}

/** The texts without files that even their last good text does not save; null when setup files are among them. */
export function withoutFaulty(
  texts: ReadonlyMap<string, string>,
  faults: readonly LintFault[],
): ReadonlyMap<string, string> | null {
  const faulty = new Set(faults.map(({ path }) => path));
  if ([...faulty].some((path) => setupName(path) !== null)) return null;
  return new Map([...texts].filter(([path]) => !faulty.has(path)));
}
