import type { FastifyRequest } from 'fastify';
import { decideReview, openReview, type ReviewRequest } from '#server/business/review-links.ts';
import { countCall } from '#server/auth/call-limit.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import type { App } from './app-types.ts';

const TOKEN = {
  type: 'object',
  properties: { token: { type: 'string', maxLength: 100 } },
  additionalProperties: false,
} as const;

const DECISION = {
  type: 'object',
  required: ['token', 'action', 'version'],
  properties: {
    token: { type: 'string', maxLength: 100 },
    action: { enum: ['approve', 'reject'] },
    version: { type: 'integer', minimum: 1 },
    opinion: { type: ['string', 'null'], maxLength: 500 },
    fields: { type: ['object', 'null'] },
  },
  additionalProperties: false,
} as const;

/** Wrong tokens of one address. */
const GUESSES = { kind: 'review link', calls: 30, seconds: 600 } as const;

function comingFrom(request: FastifyRequest): Omit<ReviewRequest, 'token'> {
  const { id, ip, headers } = request;
  return { requestId: id, address: ip, authorization: headers.authorization ?? '' };
}

/** An approval by a link that only its approver's telephone got (/wzkf/sxsqsh). */
export function registerReviewRoutes(app: App, services: AppServices): void {
  const config = { permission: 'public' } as const;
  /** A wrong token counts against its address. */
  const counted = async <T>(address: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError && error.code === 'REVIEW_LINK_INVALID')
        await countCall(services.db, { ...GUESSES, subject: address }, services.clock());
      throw error;
    }
  };
  app.get('/review', { config, schema: { querystring: TOKEN } }, async (request) =>
    answer(
      await counted(request.ip, () =>
        openReview(services, {
          ...comingFrom(request),
          token: request.query.token ?? '',
        }),
      ),
    ),
  );
  app.post('/review/decide', { config, schema: { body: DECISION } }, async (request) => {
    const { token, action, version, opinion, fields } = request.body;
    const decided = await counted(request.ip, () =>
      decideReview(
        services,
        { ...comingFrom(request), token },
        { kind: action, version, opinion: opinion ?? null, fields: fields ?? undefined },
      ),
    );
    return answer(decided, action === 'approve' ? '已同意' : '已驳回');
  });
}
