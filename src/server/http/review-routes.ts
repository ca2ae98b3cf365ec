import type { FastifyRequest } from 'fastify';
import { decideReview, openReview, type ReviewRequest } from '#server/business/review-links.ts';
import { countCall } from '#server/auth/call-limit.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import type { App } from './app-types.ts';
import { serve } from './serve.ts';

/** Wrong tokens of one address. */
const GUESSES = { kind: 'review link', calls: 30, seconds: 600 } as const;

function comingFrom(request: Pick<FastifyRequest, 'id' | 'ip' | 'headers'>): Omit<ReviewRequest, 'token'> {
  const { id, ip, headers } = request;
  return { requestId: id, address: ip, authorization: headers.authorization ?? '' };
}

/** An approval by a link that only its approver's telephone got. */
export function registerReviewRoutes(app: App, services: AppServices): void {
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
  serve(app, 'GET /review', async (request) => {
    const asked = { ...comingFrom(request), token: request.query.token ?? '' };
    return answer(await counted(request.ip, () => openReview(services, asked)));
  });
  serve(app, 'POST /review/decide', async (request) => {
    const { token, action, version, opinion = null, fields } = request.body;
    const asked = { ...comingFrom(request), token };
    const decision = { kind: action, version, opinion, fields: fields ?? undefined };
    const decided = await counted(request.ip, () => decideReview(services, asked, decision));
    return answer(decided, action === 'approve' ? '已同意' : '已驳回');
  });
}
