import type { BatchResult } from '#contract/records.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { EvaluationContext, Subject } from '#engine/schema/resource.ts';
import type { Config } from '#server/kernel/config.ts';
import type { Database } from '#server/kernel/db/database.ts';
import type { WalledDatabase } from '#server/kernel/db/walled-database.ts';
import type { MessageBus } from '#server/kernel/db/message-bus.ts';
import type { DefinitionStore } from '#server/records/definitions/definition-store.ts';
import type { FileService } from '#server/records/files/file-service.ts';
import type { NoticeService } from '#server/kernel/notices/notice-service.ts';
import type { Following } from './following.ts';
import type { RuleRegistry } from '#server/records/rules/rule-registry.ts';

/** What the operations work with, made once at start and passed on explicitly. */
export interface Services {
  readonly config: Config;
  readonly db: Database;
  /** The same database for those who only read: reports, exports, checks of the night. */
  readonly reader: Database;
  /** The same as callers read it: rows of their company alone, whatever a statement asks for. */
  readonly walled: Pick<WalledDatabase, 'behind' | 'watched' | 'pool'>;
  readonly definitions: DefinitionStore;
  readonly log: FastifyBaseLogger;
  readonly clock: () => Date;
  readonly bus: MessageBus;
  readonly files: FileService;
  readonly notices: NoticeService;
  readonly rules: RuleRegistry;
  readonly following: Following;
}

/** Who asks, in one request. */
export interface Caller {
  readonly subject: Subject;
  /** Hex of the session token's hash. Never the token. */
  readonly sessionId: string;
  readonly requestId: string;
  readonly address: string;
  readonly context: EvaluationContext;
  /** A colleague for whom the caller decides: the audit names both. */
  readonly onBehalfOf?: { readonly id: string; readonly name: string };
  /** The idempotency key that this request holds; every write of it is marked in its own transaction. */
  readonly idempotency?: IdempotencyClaim;
}

/** A key and who took it last: a request that was given up may no longer write. */
export interface IdempotencyClaim {
  readonly key: string;
  readonly person: string;
  readonly claim: string;
  /** What an earlier try of a batch has done before its process died. */
  readonly done: readonly BatchResult[];
  /** Set while one part of a batch is written: its answer. */
  readonly part?: BatchResult;
}
