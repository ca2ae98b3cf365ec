import { readFace } from '#server/records/face/read-face.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { serve } from './serve.ts';

/** The home page of whoever has a face of their own. */
export function registerFaceRoutes(app: App, services: AppServices): void {
  serve(app, 'GET /face/home', async (request) => answer(await readFace(services, callerOf(request))));
}
