import type { Services } from '#server/records/services.ts';
import type { SessionStore } from './session-store.ts';

/** What the routes and the identity of people work with: the operations' services and the sessions. */
export interface AppServices extends Services {
  readonly sessions: SessionStore;
}
