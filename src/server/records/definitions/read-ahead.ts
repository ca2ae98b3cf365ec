import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LintExtras } from '#engine/schema/lint-context.ts';
import { type LoadedDefinitions, loadDefinitions, loadFaultless } from '#engine/schema/lint-resource.ts';
import type { DefinitionFile, ParsedFiles } from '#engine/schema/parse-files.ts';
import { type CheckedBefore, checkedBefore, programHash } from './checked-before.ts';
import { hashText, readDefinitionFiles } from './definition-files.ts';

/** What definitions are called, wherever their folder lies. */
export const SHOWN_AS = 'resources';
const REPORTS_SHOWN_AS = 'reports';

/** Where definitions come from. */
export interface DefinitionSource {
  readonly folder: string;
  /** The folder of the reports; none when it is not there. */
  readonly reports?: string;
  /** Where is noted which files were found faultless; none: they are always checked. */
  readonly notes?: string;
  readonly extras: LintExtras;
}

/** Files that were read and checked while the database was still starting. */
export interface ReadAhead {
  readonly files: readonly DefinitionFile[];
  readonly parsed: ParsedFiles;
  readonly loaded: LoadedDefinitions;
  readonly checked: CheckedBefore;
}

/** What was parsed in this process, by what it was judged with: another server in it reads what differs only. */
const parsedWith = new WeakMap<LintExtras, ParsedFiles>();

/** Reads the files, and checks them unless this program did. @throws StartRefusal when the folder is missing */
export async function readAhead(options: DefinitionSource): Promise<ReadAhead> {
  const { notes, extras } = options;
  const files = await readAll(options);
  const program = notes === undefined ? null : await programHash();
  const checked = await checkedBefore({ folder: notes ?? '', program }, files);
  const parsed = parsedWith.get(extras) ?? new Map();
  parsedWith.set(extras, parsed);
  const loaded = checked.isFaultless
    ? loadFaultless({ files, hashOf: hashText, parsed })
    : loadDefinitions(files, hashText, extras, parsed);
  return { files, parsed, loaded, checked };
}

type Folders = Pick<DefinitionSource, 'folder' | 'reports'>;

/** The folders that definitions lie in, with the names that people know them by. */
export function foldersOf({
  folder,
  reports,
}: Folders): readonly { readonly folder: string; readonly shownAs: string }[] {
  const resources = { folder, shownAs: SHOWN_AS };
  const isThere = reports !== undefined && existsSync(reports);
  return isThere ? [resources, { folder: reports, shownAs: REPORTS_SHOWN_AS }] : [resources];
}

/** Reads every definition file. @throws StartRefusal when the folder is missing */
export async function readAll(options: Folders): Promise<readonly DefinitionFile[]> {
  const lists = await Promise.all(
    foldersOf(options).map(({ folder, shownAs }) => readDefinitionFiles(folder, shownAs)),
  );
  return lists.flat();
}

/** Where a definition file lies, from its path as people know it. */
export function fileOf(options: Folders, path: string): string {
  const [at = '', ...rest] = path.split('/');
  const { folder = options.folder } = foldersOf(options).find(({ shownAs }) => shownAs === at) ?? {};
  return join(folder, ...rest);
}
