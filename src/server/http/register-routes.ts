import { AppError } from '../errors.ts';
import type { Services } from '../services.ts';
import { sendRefusal } from './answer.ts';
import type { App } from './app-types.ts';

/** Every route of the server, in one place. */
export async function registerRoutes(app: App, _services: Services): Promise<void> {
  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, new AppError('ROUTE_NOT_FOUND')));
}
