import type { JSONSchema } from 'json-schema-to-ts';
import type { BodyLimits, CallRate } from './limits.ts';

/**
 * Who may make a call. The server does not start when a route says nothing.
 * - `public`: anybody.
 * - `visitor`: anybody, and a full session is known to the route where there is one.
 * - `pending`: a session before its role is chosen, or a full one.
 * - `session`: a full session; the call shows only what belongs to the caller.
 * - `resource`: a full session; the operation checks the caller's rights on the resource named in the path.
 * - `staff`, `admin`: a full session of an employee, of an administrator.
 */
export type Permission = 'public' | 'visitor' | 'pending' | 'session' | 'resource' | 'staff' | 'admin';

/** What one call may cost its sender and the server; what is left out has the server's default. */
export interface CallLimits {
  /** What the body may hold; a form's when nothing is said. */
  readonly body?: BodyLimits;
  /** A rate of its own, besides what holds for all calls together. */
  readonly rate?: CallRate;
}

/** What a call sends back that is not the envelope: a file, a stream of events, a page, plain text. */
export type Given = 'file' | 'events' | 'page' | 'text';

/** One call: who may make it, what it takes, what it answers. */
export interface CallContract {
  /** What it is for, in a few Chinese words. */
  readonly title: string;
  readonly permission: Permission;
  /** The operation on the resource of the path that its caller needs. */
  readonly operation?: string;
  /** Where the path begins; default `/erp/api`. */
  readonly below?: '' | '/erp/msg';
  /** A POST that writes nothing: no answer is kept under its Idempotency-Key, since asking again reads again. */
  readonly isReading?: true;
  /**
   * Parts of the body that together only its sender knows: the Idempotency-Key of a call without a session counts for
   * whoever sends them. Such a call that names none passes keys by.
   */
  readonly keyedBy?: readonly string[];
  /** Asking does not keep the session alive. */
  readonly isPassive?: true;
  /** Open to who must first choose a password of his own. */
  readonly isOpenBeforeNewPassword?: true;
  readonly params?: JSONSchema;
  readonly query?: JSONSchema;
  readonly body?: JSONSchema;
  /** The body is multipart. */
  readonly takes?: 'files';
  /** `data` of the answer; absent where none comes in an envelope. */
  readonly data?: JSONSchema;
  readonly gives?: Given;
  readonly limits?: CallLimits;
}

/** Calls by method and path. */
export type CallGroup = Readonly<
  Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, CallContract>
>;
