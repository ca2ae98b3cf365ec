/**
 * What the body of one call may hold. A body is looked through before it is parsed, and refused at the first piece too
 * many, so that what follows only ever sees what a person can have meant.
 */
export interface BodyLimits {
  readonly bytes: number;
  /** Keys of all objects together. */
  readonly keys: number;
  /** Elements of all lists together. */
  readonly items: number;
}

/** Forms and decisions: a few fields. What a call has unless it says otherwise, so every public one. */
export const FORM_BODY: BodyLimits = { bytes: 16 * 1024, keys: 64, items: 100 };

/** The person that setPosition sends back whole, with roles, menu and salesmen. */
export const PERSON_BODY: BodyLimits = { bytes: 256 * 1024, keys: 5_000, items: 2_000 };

/** Questions with filters, saved views and lists of ids. */
export const QUERY_BODY: BodyLimits = { bytes: 256 * 1024, keys: 1_500, items: 5_000 };

/**
 * A record with its lines: 500 of 30 columns, twice (two lists, or lines removed and added), and a rich text. A save of
 * 500 lines stays below 1 MiB.
 */
export const RECORD_BODY: BodyLimits = { bytes: 4 * 1024 * 1024, keys: 30_000, items: 5_000 };

/** The longest key: paths over references, which filters have as keys, stay far below. */
export const MAX_KEY_LENGTH = 200;

/** Different keys of one body. Lines repeat theirs; thousands of different ones only cost. */
export const MAX_NAMES = 500;

/** The longest number: JSON.parse would read millions of digits for a value that no field takes. */
export const MAX_NUMBER_LENGTH = 400;

/** Deepest nesting of a request body. */
export const MAX_JSON_DEPTH = 32;

/** How often a call may be made: counted by person, by address where nobody is known. */
export interface CallRate {
  readonly calls: number;
  readonly seconds: number;
}

/**
 * Everything one person may ask: thirty a second for a whole minute, which no hand at a page does. Pages that open send
 * their dozen questions at once, so it is counted by the minute.
 */
export const PERSON_RATE: CallRate = { calls: 1_800, seconds: 60 };

/** Everything that comes from one address without a session: an office of hundreds behind one address opens its day. */
export const VISITOR_RATE: CallRate = { calls: 600, seconds: 60 };

/** Everything from one address, whoever asks: token after token, too. */
export const ADDRESS_RATE: CallRate = { calls: 12_000, seconds: 60 };

/** Files that are made or fetched: nobody reads them faster. */
export const FILE_RATE: CallRate = { calls: 30, seconds: 60 };

/** Pictures fetched for somebody who pastes a page: dozens at once. */
export const PASTE_RATE: CallRate = { calls: 300, seconds: 60 };

/** Files dropped on a form: a hundred at once, each a call. */
export const UPLOAD_RATE: CallRate = { calls: 300, seconds: 60 };

/** What is made anew for each who asks and changes with the definitions only. */
export const DOCUMENT_RATE: CallRate = { calls: 60, seconds: 60 };
