import type { Queryable } from '#server/kernel/db/database.ts';
import { keepSetting, readSetting } from '#server/kernel/db/settings.ts';
import type { Services } from '#server/records/services.ts';
import type { Common } from '#demo/company/demo-company.ts';
import type { DemoPartner } from '#demo/company/world.ts';

const KEY = 'demo_company';

/** How far a demo company has come. */
export interface State {
  /** Chapters that were begun, complete or not. */
  readonly begun: number;
  readonly done: number;
  readonly common: Common;
}

interface Kept {
  readonly begun: number;
  readonly done: number;
  readonly own?: {
    readonly accounts: Readonly<Record<string, string>>;
    readonly forwarders: readonly { readonly id: string; readonly isSelf: boolean }[];
    readonly broker: string;
  };
  readonly project?: string;
  readonly regulars?: readonly DemoPartner[];
}

/** Reads what `keepState` has written; a company without it has not begun. */
export async function readState(db: Queryable, company: string): Promise<State> {
  const kept = await readSetting<Kept | string>(db, KEY, company);
  if (kept === null) return { begun: 0, done: 0, common: {} };
  // Before there were chapters a company was made in one go, and its time kept.
  if (typeof kept === 'string') return { begun: Infinity, done: Infinity, common: {} };
  const { begun, done, own, project, regulars } = kept;
  return {
    begun,
    done,
    common: {
      ...(own === undefined ? {} : { own: { ...own, accounts: new Map(Object.entries(own.accounts)) } }),
      ...(project === undefined ? {} : { project }),
      ...(regulars === undefined ? {} : { regulars }),
    },
  };
}

/** Keeps how far a company has come, for the next start. */
export async function keepState({ db }: Services, company: string, state: State): Promise<void> {
  const { own, project, regulars } = state.common;
  const kept: Kept = {
    begun: state.begun,
    done: state.done,
    ...(own === undefined ? {} : { own: { ...own, accounts: Object.fromEntries(own.accounts) } }),
    ...(project === undefined ? {} : { project }),
    ...(regulars === undefined ? {} : { regulars }),
  };
  await keepSetting(db, KEY, kept, company);
}
