import type { FastifyBaseLogger } from 'fastify';
import type { EvaluationContext, Subject } from '#engine/schema/resource.ts';
import type { SessionStore } from './auth/session-store.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { MessageBus } from './notices/message-bus.ts';
import type { DefinitionStore } from './definitions/definition-store.ts';
import type { FileService } from './files/file-service.ts';
import type { NoticeService } from './notices/notice-service.ts';
import type { RuleRegistry } from './rules/rule-registry.ts';

/** What the server works with, made once at start and passed on explicitly. */
export interface Services {
  readonly config: Config;
  readonly db: Database;
  readonly definitions: DefinitionStore;
  readonly log: FastifyBaseLogger;
  readonly clock: () => Date;
  readonly bus: MessageBus;
  readonly sessions: SessionStore;
  readonly files: FileService;
  readonly notices: NoticeService;
  readonly rules: RuleRegistry;
}

/** Who asks, in one request. */
export interface Caller {
  readonly subject: Subject;
  /** Hex of the session token's hash. Never the token. */
  readonly sessionId: string;
  readonly requestId: string;
  readonly address: string;
  readonly context: EvaluationContext;
  /** The idempotency key that this request holds; every write of it is marked in its own transaction. */
  readonly idempotency?: IdempotencyClaim;
}

/** A key and who took it last: a request that was given up may no longer write. */
export interface IdempotencyClaim {
  readonly key: string;
  readonly person: string;
  readonly claim: string;
}
