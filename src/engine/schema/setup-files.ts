import type { Filter, PageDefinition } from './definition.ts';
import type { Dictionary, MenuGroup, RoleDefinition } from './resource.ts';

/** One default approval flow; its other keys are the server's. */
export interface FlowDefinition {
  readonly resource: string;
  readonly amount_field?: string;
  readonly condition?: Filter;
  readonly levels: readonly { readonly role?: string; readonly condition?: Filter }[];
}

/** The parsed files of `resources/setup` that the engine reads; others (regions, flows, parameters) go to the server as they are. */
export interface Setup {
  readonly dictionaries: readonly Dictionary[];
  readonly roles: readonly RoleDefinition[];
  readonly menu: readonly MenuGroup[];
  readonly pages: readonly PageDefinition[];
  readonly flows: readonly FlowDefinition[];
  /** Notice codes with their titles, from message-events.json. */
  readonly events: Readonly<Record<string, string>>;
  /** Every setup file by its name without `.json`. */
  readonly files: Readonly<Record<string, unknown>>;
}

/** The name of a setup file (`menu` for `resources/setup/menu.json`), null for a resource file. */
export function setupName(path: string): string | null {
  const match = /(?:^|[\\/])setup[\\/]([^\\/]+)\.json$/.exec(path);
  return match?.[1] ?? null;
}

/** Reads the setup from parsed files that passed their meta-schemas. */
export function readSetup(files: Readonly<Record<string, unknown>>): Setup {
  return {
    dictionaries: readDictionaries(files['dictionaries']),
    roles: list(files['roles']) as RoleDefinition[],
    menu: list(files['menu']) as MenuGroup[],
    pages: list(files['pages']) as PageDefinition[],
    flows: list(files['approval-flows']) as FlowDefinition[],
    events: readEvents(files['message-events']),
    files,
  };
}

type DictionaryFile = Readonly<Record<string, Omit<Dictionary, 'name'>>>;

function readDictionaries(file: unknown): readonly Dictionary[] {
  return Object.entries(record(file) as DictionaryFile)
    .filter(([name]) => name !== '$schema')
    .map(([name, dictionary]) => ({
      ...dictionary,
      name,
      builtin: dictionary.builtin ?? false,
      items: dictionary.items ?? [],
    }));
}

function readEvents(file: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(record(file)).filter(([code]) => code !== '$schema');
  return Object.fromEntries(entries.map(([code, event]) => [code, eventTitle(event) ?? code]));
}

function eventTitle(event: unknown): string | undefined {
  const title = typeof event === 'string' ? event : record(event)['title'];
  return typeof title === 'string' ? title : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
