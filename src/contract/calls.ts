import type { JSONSchema } from 'json-schema-to-ts';
import type { CallContract } from './call.ts';
import { APPROVAL_CALLS } from './approval.ts';
import { AUDIT_CALLS } from './audit.ts';
import { CHAIN_CALLS } from './chain.ts';
import { COMMENT_CALLS } from './comments.ts';
import { FACE_CALLS } from './face.ts';
import { FILE_CALLS } from './files.ts';
import { FORGOTTEN_CALLS } from './forgotten.ts';
import { INVOICE_CHECK_CALLS } from './invoice-check.ts';
import { LEDGER_CALLS } from './ledger.ts';
import { LIST_CALLS } from './lists.ts';
import { LOOKUP_CALLS } from './lookup.ts';
import { PERSON_PREVIEW_CALLS } from './person-preview.ts';
import { PICK_CALLS } from './pick.ts';
import { META_CALLS } from './meta.ts';
import { NOTICE_CALLS } from './notices.ts';
import { MAIL_CALLS } from './mails.ts';
import { PRINT_CALLS } from './prints.ts';
import { RECOMPUTE_CALLS } from './recompute.ts';
import { RECORD_CALLS } from './records.ts';
import { REGISTRATION_CALLS } from './registration.ts';
import { REPORT_CALLS } from './reports.ts';
import { RESOURCE_HELP_CALLS } from './resource-help.ts';
import { REVIEW_CALLS } from './review.ts';
import { SELF_CALLS } from './self.ts';
import { SIGN_IN_CALLS } from './sign-in.ts';
import { SUPPLIER_SWITCH_CALLS } from './supplier-switch.ts';
import { TRANSFER_CALLS } from './transfer.ts';
import { UPLOAD_LINK_CALLS } from './upload-links.ts';
import { VIEW_CALLS } from './views.ts';
import { DOCS_CALLS, PUBLIC_CALLS, STREAM_CALLS } from './service.ts';
import type { Sent, Shape } from './shape.ts';

type Calls = typeof APPROVAL_CALLS &
  typeof AUDIT_CALLS &
  typeof CHAIN_CALLS &
  typeof COMMENT_CALLS &
  typeof FACE_CALLS &
  typeof FILE_CALLS &
  typeof FORGOTTEN_CALLS &
  typeof INVOICE_CHECK_CALLS &
  typeof LEDGER_CALLS &
  typeof LIST_CALLS &
  typeof LOOKUP_CALLS &
  typeof PERSON_PREVIEW_CALLS &
  typeof PICK_CALLS &
  typeof META_CALLS &
  typeof NOTICE_CALLS &
  typeof PRINT_CALLS &
  typeof MAIL_CALLS &
  typeof RECOMPUTE_CALLS &
  typeof RECORD_CALLS &
  typeof REGISTRATION_CALLS &
  typeof REPORT_CALLS &
  typeof RESOURCE_HELP_CALLS &
  typeof REVIEW_CALLS &
  typeof SELF_CALLS &
  typeof SIGN_IN_CALLS &
  typeof SUPPLIER_SWITCH_CALLS &
  typeof TRANSFER_CALLS &
  typeof UPLOAD_LINK_CALLS &
  typeof VIEW_CALLS &
  typeof DOCS_CALLS &
  typeof PUBLIC_CALLS &
  typeof STREAM_CALLS;

/** Every call of the server by method and path. */
export const CALLS: Calls = {
  ...APPROVAL_CALLS,
  ...AUDIT_CALLS,
  ...CHAIN_CALLS,
  ...COMMENT_CALLS,
  ...FACE_CALLS,
  ...FILE_CALLS,
  ...FORGOTTEN_CALLS,
  ...INVOICE_CHECK_CALLS,
  ...LEDGER_CALLS,
  ...LIST_CALLS,
  ...LOOKUP_CALLS,
  ...PERSON_PREVIEW_CALLS,
  ...PICK_CALLS,
  ...META_CALLS,
  ...NOTICE_CALLS,
  ...PRINT_CALLS,
  ...MAIL_CALLS,
  ...RECOMPUTE_CALLS,
  ...RECORD_CALLS,
  ...REGISTRATION_CALLS,
  ...REPORT_CALLS,
  ...RESOURCE_HELP_CALLS,
  ...REVIEW_CALLS,
  ...SELF_CALLS,
  ...SIGN_IN_CALLS,
  ...SUPPLIER_SWITCH_CALLS,
  ...TRANSFER_CALLS,
  ...UPLOAD_LINK_CALLS,
  ...VIEW_CALLS,
  ...DOCS_CALLS,
  ...PUBLIC_CALLS,
  ...STREAM_CALLS,
};

/** `POST /notice/query`. */
export type CallKey = keyof Calls;

type Part<Key extends CallKey, Name extends keyof CallContract> =
  Calls[Key] extends Readonly<Record<Name, infer Schema extends JSONSchema>> ? Schema : never;

/** Interfaces, not mapped types: TypeScript works each member out once and by itself. */
interface Params extends Parts<'params'> {}
interface Queries extends Parts<'query'> {}
interface Bodies extends Parts<'body'> {}
interface Data extends Parts<'data'> {}
interface Inputs extends AllInputs {}

type Parts<Name extends keyof CallContract> = { readonly [Key in CallKey]: Shape<Part<Key, Name>> };

type AllInputs = {
  readonly [Key in CallKey]: Given<'params', Part<Key, 'params'>> &
    Given<'query', Part<Key, 'query'>> &
    Given<'body', Part<Key, 'body'>> &
    Files<Calls[Key]>;
};

type Files<Contract> = Contract extends { readonly takes: 'files' }
  ? { /** A form with files; only the browser knows the type. */ readonly files: object }
  : { readonly files?: never };

type Given<Name extends string, Schema extends JSONSchema> = [Schema] extends [never]
  ? Readonly<Partial<Record<Name, never>>>
  : Partial<Sent<Schema>> extends Sent<Schema>
    ? Readonly<Partial<Record<Name, Sent<Schema>>>>
    : Readonly<Record<Name, Sent<Schema>>>;

/** What the server reads of a call. */
export type ParamsOf<Key extends CallKey> = Params[Key];
export type QueryOf<Key extends CallKey> = Queries[Key];
export type BodyOf<Key extends CallKey> = Bodies[Key];

/** What it answers, on both sides. */
export type DataOf<Key extends CallKey> = Data[Key];

/** What a client gives to make a call: only the parts that the call has. */
export type InputOf<Key extends CallKey> = Inputs[Key];
