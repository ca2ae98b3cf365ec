import { useDataProvider } from '@refinedev/core';
import { useCallback } from 'react';
import { isFollowing } from '#engine/schema/default-order.ts';
import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import type { FormStore } from './form-store.ts';
import type { Watched } from './form-watch.ts';

export interface ApprovalLevel {
  readonly levelNo: number;
  readonly title: string;
  readonly mode: string;
  readonly persons: readonly string[];
  readonly reason: string;
  /** Why nobody needs to decide here; empty when somebody does. */
  readonly skipped: string;
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
export function useRunPreview(store: FormStore): (signal?: AbortSignal) => Promise<Preview> {
  const provider = useDataProvider();
  return useCallback(
    async (signal) => {
      store.flush();
      const revision = store.revision();
      const { body } = store.changes();
      const { id, version } = store.base();
      const asked = await provider().custom?.({
        url: `/data/${store.resource.resource}/preview`,
        method: 'post',
        payload: store.isNew ? body : { ...body, id, version },
        meta: { isRead: true, signal },
      });
      const answer = isObject(asked?.data) ? asked.data : {};
      const computed = isObject(answer['record']) ? answer['record'] : null;
      // Typed in since, or saved by somebody else: the computed values belong to another state, with other lines.
      const isSame =
        store.revision() === revision && (version === undefined || computed?.['version'] === version);
      if (computed !== null && isSame) store.applyComputed(computed);
      return {
        problems: problemsIn(answer['problems']),
        submitProblems: problemsIn(answer['submitProblems']),
        approval: approvalIn(answer['approval']),
      };
    },
    [provider, store],
  );
}

/**
 * The server's word on a form after a pause in typing, for what the browser cannot know: rates, limits, approval levels.
 * Only who shows it is drawn again when it comes.
 */
export class PreviewWatch implements Watched<Preview | null> {
  readonly #store: FormStore;
  readonly #listeners = new Set<() => void>();
  #preview: Preview | null = null;
  #seen = -1;

  constructor(store: FormStore) {
    this.#store = store;
  }

  readonly get = (): Preview | null => this.#preview;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Follows the form until stopped. */
  start(run: (signal: AbortSignal) => Promise<Preview>): () => void {
    if (!needsServer(this.#store)) return () => undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asked: AbortController | null = null;
    const ask = async (): Promise<void> => {
      asked = new AbortController();
      const { signal } = asked;
      const answer = await run(signal).catch(() => null);
      if (answer === null || signal.aborted) return;
      // Applying what was computed counts up the revision: that is no reason to ask again.
      this.#seen = this.#store.revision();
      this.#preview = answer;
      for (const listener of this.#listeners) listener();
    };
    const later = (): void => {
      if (this.#store.revision() === this.#seen) return;
      asked?.abort();
      asked = null;
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), PAUSE_MS);
    };
    const stop = this.#store.subscribeAny(later);
    later();
    return () => {
      stop();
      clearTimeout(timer);
      asked?.abort();
    };
  }
}

/** Worth asking: the record may go to approval, or rules, formulas and defaults read what only the server has. */
function needsServer({ resource }: FormStore): boolean {
  const hasApproval = Object.values(resource.lifecycle?.actions ?? {}).some(
    (action) => action.approval !== undefined,
  );
  const hasStarts = Object.values(resource.fields).some(isFollowing);
  return hasApproval || hasStarts || resource.paths.length > 0 || resource.formulaOrder.length > 0;
}

function problemsIn(value: unknown): readonly FieldProblem[] {
  return Array.isArray(value) ? value.filter(isProblem) : [];
}

/** The levels of an approval as a preview tells them; null where there is none. */
export function approvalIn(value: unknown): Preview['approval'] {
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
      skipped: textOf(level['skipped']),
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
