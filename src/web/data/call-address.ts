import type { CallKey } from '#contract/calls.ts';

/** What a caller may give to a call, for functions that pass it on. */
export interface LooseInput {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly files?: object | undefined;
}

/** Method and address of a call with its parameters and query. */
export function requestOf(
  key: CallKey,
  { params, query }: LooseInput,
): { readonly method: string; readonly path: string } {
  const [method = '', pattern = ''] = key.split(' ');
  return { method, path: `${fillPath(pattern, params)}${queryText(query)}` };
}

/** `/notice/:id/read` with its id. */
function fillPath(pattern: string, params: LooseInput['params'] = {}): string {
  return pattern.replace(/:(\w+)/g, (_part, name: string) => encodeURIComponent(String(params[name] ?? '')));
}

function queryText(query: LooseInput['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}
