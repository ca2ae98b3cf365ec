import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { ADDRESS_RATE, type CallRate, PERSON_RATE, VISITOR_RATE } from '#contract/limits.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { App } from './app-types.ts';

/** The rates that hold for all calls together. */
export interface CommonRates {
  readonly person: CallRate;
  readonly visitor: CallRate;
  readonly address: CallRate;
}

const COMMON: CommonRates = { person: PERSON_RATE, visitor: VISITOR_RATE, address: ADDRESS_RATE };

/** How many persons and addresses are counted at once: those unheard of for longest are forgotten first. */
const COUNTED = 20_000;

type Limiter = ReturnType<App['createRateLimit']>;

/**
 * Refuses, with how long to wait, who asks for more than a person can: by address before anybody is looked up, then by
 * person, and once more where a call has a rate of its own. Counts are of this process; what must hold over all of them
 * (logins, text messages, invoice checks) is counted in the database where it is done.
 */
export async function limitAddresses(app: App, rates: CommonRates = COMMON): Promise<void> {
  await app.register(rateLimit, { global: false, cache: COUNTED });
  const address = limiterOf(app, rates.address);
  app.addHook('onRequest', async (request) => {
    if (isCounted(request)) await count(address, request);
  });
}

/** The second part, for when it is known who asks. */
export function limitPeople(app: App, rates: CommonRates = COMMON): void {
  const person = limiterOf(app, rates.person, personOf);
  const visitor = limiterOf(app, rates.visitor);
  const own = new Map<string, { readonly byPerson: Limiter; readonly byAddress: Limiter }>();
  app.addHook('onRoute', ({ config, method, url }) => {
    const rate = config?.contract?.limits?.rate;
    if (rate !== undefined)
      own.set(`${String(method)} ${url}`, {
        byPerson: limiterOf(app, rate, personOf),
        byAddress: limiterOf(app, rate),
      });
  });
  app.addHook('onRequest', async (request) => {
    if (!isCounted(request)) return;
    const isKnown = request.session !== null;
    await count(isKnown ? person : visitor, request);
    const further = own.get(`${request.method} ${request.routeOptions.url ?? ''}`);
    if (further !== undefined) await count(isKnown ? further.byPerson : further.byAddress, request);
  });
}

/** Pages and their files are not: a browser fetches dozens at once, from the disk and its cache. */
function isCounted(request: FastifyRequest): boolean {
  return request.url.startsWith('/erp/');
}

function limiterOf(app: App, rate: CallRate, keyGenerator?: (request: FastifyRequest) => string): Limiter {
  return app.createRateLimit({
    max: rate.calls,
    timeWindow: rate.seconds * 1000,
    ...(keyGenerator === undefined ? {} : { keyGenerator }),
  });
}

function personOf({ session }: FastifyRequest): string {
  return session?.subject?.id ?? session?.id ?? '';
}

/** @throws RATE_LIMITED */
async function count(limiter: Limiter, request: FastifyRequest): Promise<void> {
  const counted = await limiter(request);
  if (!counted.isAllowed && counted.isExceeded)
    throw new AppError('RATE_LIMITED', { retryAfterS: Math.max(1, counted.ttlInSeconds) });
}
