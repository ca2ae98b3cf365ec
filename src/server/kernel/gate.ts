import { AppError } from './errors.ts';

/** How much of some costly work goes on at once in this process. */
export interface GateLimits {
  readonly atOnce: number;
  readonly perPerson: number;
  /** How many may wait for their turn; who comes then is sent away. */
  readonly waiting: number;
  /** What is told to who has too much under way. */
  readonly message: string;
}

/** Does work when its turn has come. @throws RATE_LIMITED */
export type Gate = <T>(person: string, work: () => Promise<T>) => Promise<T>;

const RETRY_S = 10;

/** A door through which only so many go at once, and only so many for one person; others wait in the order they came. */
export function createGate({ atOnce, perPerson, waiting, message }: GateLimits): Gate {
  const byPerson = new Map<string, number>();
  const queue: (() => void)[] = [];
  let running = 0;
  const enter = async (): Promise<void> => {
    if (running < atOnce) running += 1;
    // Who leaves hands the place on.
    else await new Promise<void>((resolve) => queue.push(resolve));
  };
  const leave = (): void => {
    const next = queue.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async (person, work) => {
    const own = byPerson.get(person) ?? 0;
    if (own >= perPerson || (running >= atOnce && queue.length >= waiting))
      throw new AppError('RATE_LIMITED', { message, retryAfterS: RETRY_S });
    byPerson.set(person, own + 1);
    try {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    } finally {
      const left = (byPerson.get(person) ?? 1) - 1;
      if (left === 0) byPerson.delete(person);
      else byPerson.set(person, left);
    }
  };
}
