import { useQuery } from '@tanstack/react-query';
import type { Dictionary, Resource } from '#engine/schema/resource.ts';
import type { DefinitionAnswer, ShownBeside } from '#contract/shape.ts';
import { callApi } from './http.ts';
import { faultText } from './show-fault.ts';

/** A resource's definition as the role may see it. */
export interface PageResource {
  readonly resource: Resource | null;
  readonly operations: ReadonlySet<string>;
  readonly dictionaries: Readonly<Record<string, Dictionary>>;
  /** What there is to show beside a record. */
  readonly shows: ShownBeside;
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly fault: string | null;
  readonly reload: () => void;
}

const NO_OPERATIONS: ReadonlySet<string> = new Set();
const NO_DICTIONARIES: Readonly<Record<string, Dictionary>> = {};
const NOTHING_BESIDE: ShownBeside = {
  chain: false,
  limits: false,
  entries: null,
  makes: [],
  begins: [],
  postsWhenMade: false,
};
const sets = new WeakMap<DefinitionAnswer, ReadonlySet<string>>();

/** The definition of a resource, kept until the server says that definitions changed. */
export function usePageResource(key: string): PageResource {
  const { data, error, isLoading, refetch } = useQuery(definitionQuery(key));
  return {
    resource: data ?? null,
    operations: data === undefined ? NO_OPERATIONS : operationSet(data),
    dictionaries: data?.dictionaries ?? NO_DICTIONARIES,
    shows: data?.shows ?? NOTHING_BESIDE,
    isLoading,
    error,
    fault: error === null ? null : faultText(error, '页面定义没有读到，请重试'),
    reload: () => void refetch(),
  };
}

/** The query of one definition, also for use outside components. */
export function definitionQuery(key: string) {
  return {
    queryKey: ['definition', key],
    queryFn: () => callApi('GET /meta/resources/:resource', { params: { resource: key } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  };
}

function operationSet(answer: DefinitionAnswer): ReadonlySet<string> {
  const known = sets.get(answer);
  if (known !== undefined) return known;
  const made = new Set(answer.operations);
  sets.set(answer, made);
  return made;
}
