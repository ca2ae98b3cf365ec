import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { useApi } from './api-call.ts';
import type { FormStore } from './form-store.ts';

export interface ApprovalLevel {
  readonly levelNo: number;
  readonly title: string;
  readonly mode: string;
  readonly persons: readonly string[];
  readonly reason: string;
}

export interface Preview {
  readonly problems: readonly FieldProblem[];
  /** What would refuse the submission besides. */
  readonly submitProblems: readonly FieldProblem[];
  /** Who will decide after submission; null when the resource has no approval or none matches. */
  readonly approval: { readonly flow: string; readonly levels: readonly ApprovalLevel[] } | null;
}

const PAUSE_MS = 700;

/** What the server makes of the form as it stands; saves nothing. */
export function useRunPreview(store: FormStore, recordId: string | undefined) {
  const api = useApi();
  return async (signal?: AbortSignal): Promise<Preview> => {
    store.flush();
    const revision = store.revision();
    const { body } = store.changes();
    const version = store.base()['version'];
    const data = await api({
      path: `/data/${store.resource.resource}/preview`,
      body: recordId === undefined ? body : { ...body, id: recordId, version },
      signal,
    });
    const answer = isObject(data) ? data : {};
    // Typed in since: the computed values belong to an older state.
    if (store.revision() === revision && isObject(answer['record'])) store.applyComputed(answer['record']);
    return {
      problems: problemsIn(answer['problems']),
      submitProblems: problemsIn(answer['submitProblems']),
      approval: approvalIn(answer['approval']),
    };
  };
}

/** The server's word on the form after a pause in typing, for what the browser cannot know: rates, limits, approval levels. */
export function usePreview(
  store: FormStore,
  recordId: string | undefined,
  isActive: boolean,
): Preview | null {
  const revision = useSyncExternalStore(store.subscribeAny, store.revision);
  const [preview, setPreview] = useState<Preview | null>(null);
  const run = useRunPreview(store, recordId);
  const latest = useRef(run);
  latest.current = run;
  const isAsked = isActive && needsServer(store);
  const seen = useRef(-1);
  useEffect(() => {
    if (!isAsked || revision === seen.current) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      latest.current(abort.signal).then(
        (answer) => {
          if (abort.signal.aborted) return;
          // Applying what was computed counts up the revision: that is no reason to ask again.
          seen.current = store.revision();
          setPreview(answer);
        },
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [isAsked, revision, store]);
  return preview;
}

/** Worth asking: the record may go to approval, or rules and formulas read what only the server has. */
function needsServer({ resource }: FormStore): boolean {
  const hasApproval = Object.values(resource.lifecycle?.actions ?? {}).some(
    (action) => action.approval !== undefined,
  );
  return hasApproval || resource.paths.length > 0 || resource.formulaOrder.length > 0;
}

function problemsIn(value: unknown): readonly FieldProblem[] {
  return Array.isArray(value) ? value.filter(isProblem) : [];
}

function approvalIn(value: unknown): Preview['approval'] {
  if (!isObject(value)) return null;
  const levels = Array.isArray(value['levels']) ? value['levels'].filter(isObject) : [];
  return {
    flow: textOf(value['flow']),
    levels: levels.map((level) => ({
      levelNo: typeof level['level_no'] === 'number' ? level['level_no'] : 0,
      title: textOf(level['title']),
      mode: textOf(level['mode']),
      persons: Array.isArray(level['persons'])
        ? level['persons'].filter(isObject).map((person) => textOf(person['name']))
        : [],
      reason: textOf(level['reason']),
    })),
  };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return isObject(value) ? textOf(value['name'] ?? value['title']) : '';
}

function isProblem(value: unknown): value is FieldProblem {
  return isObject(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string';
}

function isObject(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
