import type { FastifyReply, FastifyRequest, preValidationAsyncHookHandler } from 'fastify';
import type { CallContract } from '#contract/call.ts';
import {
  type BodyOf,
  CALLS,
  type CallKey,
  type DataOf,
  type ParamsOf,
  type QueryOf,
} from '#contract/calls.ts';
import type { Answer } from './answer.ts';
import type { App } from './app-types.ts';

/** A request of a call: its parts fit the contract's schemas. */
export type RequestOf<Key extends CallKey> = FastifyRequest<RouteOf<Key>>;

interface RouteOf<Key extends CallKey> {
  readonly Params: ParamsOf<Key>;
  readonly Querystring: QueryOf<Key>;
  readonly Body: BodyOf<Key>;
}

/**
 * Serves a call as its contract declares it: address, permission, validation and limits come from there, and what the
 * handler gives must be the contract's `data`. A handler that sends a file gives the reply.
 */
export function serve<Key extends CallKey>(
  app: App,
  key: Key,
  handler: (request: RequestOf<Key>, reply: FastifyReply) => Promise<Answer<DataOf<Key>> | FastifyReply>,
  hooks: { readonly preValidation?: preValidationAsyncHookHandler } = {},
): void {
  const contract: CallContract = CALLS[key];
  const { params, query, body } = contract;
  app.route<RouteOf<Key>>({
    ...addressOf(key),
    config: { contract },
    schema: {
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { querystring: query }),
      ...(body === undefined ? {} : { body }),
    },
    ...hooks,
    handler,
  });
}

/** Method and whole path of a call. */
export function addressOf(key: CallKey): { readonly method: string; readonly url: string } {
  const contract: CallContract = CALLS[key];
  const [method = '', path = ''] = key.split(' ');
  return { method, url: `${contract.below ?? '/erp/api'}${path}` };
}
