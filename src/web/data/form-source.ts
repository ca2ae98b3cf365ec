import type { ResourceEntry } from '#contract/meta.ts';
import { addressOf } from '#engine/schema/record-address.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';

/** What a new document is made from, as the server takes it (`_from`). */
export interface FormSource {
  readonly resource: string;
  readonly id: string | readonly string[];
  readonly make: string;
  /** Of several documents the one of this line, or of this value. */
  readonly line?: string;
  readonly per?: string;
}

/** The query parameter of a form's address that names its source. */
export const SOURCE_PARAMETER = '_from';

/** The source that an address names; null when it names none. */
export function sourceIn(params: URLSearchParams): FormSource | null {
  const text = params.get(SOURCE_PARAMETER);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isSource(value) ? value : null;
  } catch {
    return null;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** What a form is filled from. */
export interface FormOrigin {
  readonly source: FormSource;
  readonly record: ErpRecord;
  /** What the made document begins with whatever it is made from. */
  readonly fixed: Readonly<Record<string, string>>;
}

/** The address of a form that is filled from a source; null when the role has no form of that resource. */
export function formAddress(
  entries: readonly ResourceEntry[],
  target: string,
  { source, record, fixed }: FormOrigin,
): string | null {
  const route = formRoute(entries, target, { ...record, ...fixed });
  if (route === null) return null;
  return addressOf(route, { [SOURCE_PARAMETER]: JSON.stringify(source) });
}

/** Of several forms that of the list whose conditions the document or else its source meets (agency business, goods). */
function formRoute(entries: readonly ResourceEntry[], target: string, record: Fields): string | null {
  const pages = entries.find(({ resource }) => resource === target)?.pages ?? [];
  const fitting = pages.find(
    ({ kind, edit, where }) =>
      kind === 'list' && edit !== undefined && where !== undefined && fits(where, record),
  );
  return fitting?.edit ?? pages.find(({ kind }) => kind === 'edit')?.route ?? null;
}

function fits(where: object, record: Fields): boolean {
  return Object.entries(where).every(([name, part]: [string, unknown]) => {
    const value: unknown = typeof part === 'object' && part !== null ? Reflect.get(part, 'eq') : undefined;
    return value !== undefined && record[name] === value;
  });
}

function isSource(value: unknown): value is FormSource {
  if (typeof value !== 'object' || value === null) return false;
  const { resource, id, make }: Record<string, unknown> = { ...value };
  const isId = typeof id === 'string' || (Array.isArray(id) && id.every((one) => typeof one === 'string'));
  return typeof resource === 'string' && typeof make === 'string' && isId;
}
