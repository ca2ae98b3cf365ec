import type { Database } from '#server/kernel/db/database.ts';
import type { Services } from '#server/records/services.ts';
import { type Common, makeChapter } from '#demo/company/demo-company.ts';
import { demoProgress } from '#demo/company/demo-progress.ts';
import { wipeCompany } from '#demo/company/wipe-company.ts';
import type { Chapter } from '#demo/company/world.ts';
import { keepState, readState, type State } from './chapter-state.ts';

/** Without them there is no business to show (tests with definitions of their own). */
const NEEDED = ['partner', 'export_contract', 'shipment'] as const;

/** The chapters of the demo companies by their codes. */
export type Chapters = Readonly<Record<string, readonly Chapter[]>>;

export interface DemoMaking {
  readonly chapters: Chapters;
  /** Told every percent once: 0 to 99, and what is being made. */
  readonly tell: (percent: number, at: string) => void;
  /** Ends the making at its next step. */
  readonly signal: AbortSignal;
}

/**
 * The openings of the demo companies, before anybody works in them: one that is complete is left alone, one that was cut
 * short is made anew.
 */
export async function openDemo(
  services: Services,
  { owner, ...making }: DemoMaking & { readonly owner: Database },
): Promise<void> {
  const catalog = services.definitions.catalog();
  if (NEEDED.some((name) => catalog.resources[name] === undefined)) return;
  const openings = mapValues(making.chapters, (list) =>
    list.filter(({ isOpening }) => isOpening).slice(0, 1),
  );
  const onStep = demoProgress(openings, making.tell);
  await allOf(Object.entries(openings), async ([company, [opening]]) => {
    if (opening === undefined || (await readState(services.db, company)).done > 0) return;
    await wipeCompany(owner, catalog, company);
    const maker = new CompanyMaker(services, company, making.signal, onStep);
    await maker.make(opening, { begun: 0, done: 0, common: {} });
  });
}

/**
 * What comes after the openings, while people work. A chapter that was cut short stays as far as it came, since somebody
 * may have worked on with what it made: the next one follows, and so it does after one that failed; its fault is thrown
 * at the end. True when there was anything left to do.
 */
export async function growDemo(services: Services, making: DemoMaking): Promise<boolean> {
  const catalog = services.definitions.catalog();
  if (NEEDED.some((name) => catalog.resources[name] === undefined)) return false;
  const onStep = demoProgress(making.chapters, making.tell);
  const grown = await allOf(Object.entries(making.chapters), async ([company, chapters]) => {
    const maker = new CompanyMaker(services, company, making.signal, onStep);
    let state = await readState(services.db, company);
    if (state.begun >= chapters.length) return false;
    const faults: unknown[] = [];
    for (const chapter of chapters.slice(state.begun))
      try {
        state = await maker.make(chapter, state);
      } catch (error) {
        if (making.signal.aborted) throw error;
        faults.push(error);
        state = await readState(services.db, company);
      }
    if (faults.length > 0) throw faults[0];
    return true;
  });
  return grown.includes(true);
}

class CompanyMaker {
  constructor(
    private readonly services: Services,
    private readonly company: string,
    private readonly signal: AbortSignal,
    private readonly onStep: ReturnType<typeof demoProgress>,
  ) {}

  /** Makes the chapter that follows on a state, and gives the state after it. */
  async make(of: Chapter, before: State): Promise<State> {
    const { services, company, signal, onStep } = this;
    let state: State = { ...before, begun: before.begun + 1 };
    const keep = async (common: Common): Promise<void> => {
      state = { ...state, common };
      await keepState(services, company, state);
    };
    await keepState(services, company, state);
    await makeChapter(services, {
      company,
      chapter: before.begun,
      of,
      common: before.common,
      keep,
      onStep,
      signal,
    });
    state = { ...state, done: before.done + 1 };
    await keepState(services, company, state);
    return state;
  }
}

/** Side by side; the first fault is thrown when all have ended. */
async function allOf<T, R>(list: readonly T[], work: (entry: T) => Promise<R>): Promise<readonly R[]> {
  const ends = await Promise.allSettled(list.map((entry) => work(entry)));
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}

function mapValues<T, R>(
  map: Readonly<Record<string, T>>,
  how: (value: T) => R,
): Readonly<Record<string, R>> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, how(value)]));
}
