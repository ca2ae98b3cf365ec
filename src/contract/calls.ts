import type { JSONSchema } from 'json-schema-to-ts';
import type { CallContract } from './call.ts';
import { AUDIT_CALLS } from './audit.ts';
import { NOTICE_CALLS } from './notices.ts';
import { SELF_CALLS } from './self.ts';
import type { Sent, Shape } from './shape.ts';
import { SIGN_IN_CALLS } from './sign-in.ts';

type Calls = typeof SIGN_IN_CALLS & typeof SELF_CALLS & typeof NOTICE_CALLS & typeof AUDIT_CALLS;

/** Every call of the API by method and path. */
export const CALLS: Calls = { ...SIGN_IN_CALLS, ...SELF_CALLS, ...NOTICE_CALLS, ...AUDIT_CALLS };

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
    Given<'body', Part<Key, 'body'>>;
};

type Given<Name extends string, Schema extends JSONSchema> = [Schema] extends [never]
  ? Readonly<Partial<Record<Name, never>>>
  : object extends Sent<Schema>
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
