import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';

/** A line that another document's line gives: by which make of which record. */
export interface LineSource {
  readonly resource: string;
  readonly id: string;
  readonly make: string;
  /** Null where the make gives one line of the whole document. */
  readonly line: string | null;
}

/** What the server derived of a new document's sources, before what the person typed. */
export interface MadeValues {
  /** The head, and whole lists of lines where the person sent none. */
  readonly head: OpenRecord;
  /** By lines field, for the new lines in the order in which they were sent; null: typed by hand. */
  readonly lines: Readonly<Record<string, readonly (MadeLine | null)[]>>;
}

export interface MadeLine {
  readonly from: LineSource;
  readonly values: OpenRecord;
}

const MADE = Symbol('made values');

/** Sent values over made ones. What is equal to a made value is not the person's: see `isMade`. */
export function withMadeHead(values: OpenRecord, { head }: Pick<MadeValues, 'head'>): OpenRecord {
  return marked({ ...head, ...values }, head);
}

/** The new lines of a body, each over what its source gives. */
export function withMadeLines(values: OpenRecord, { lines }: Pick<MadeValues, 'lines'>): OpenRecord {
  const result: OpenRecord = { ...values };
  for (const [name, made] of Object.entries(lines)) {
    if (!Array.isArray(values[name])) continue;
    let next = 0;
    result[name] = linesOf(values[name]).map((line) => {
      if (line['id'] !== undefined) return line;
      const given = made[next] ?? null;
      next += 1;
      return given === null ? line : madeLine(given, line);
    });
  }
  return result;
}

/** A line as its source gives it, with what was typed over it. It says where it comes from until it is saved. */
export function madeLine({ from, values }: MadeLine, typed: OpenRecord = {}): OpenRecord {
  return marked({ ...values, ...typed, _from: from }, values);
}

/** Where a line that is not saved yet comes from. */
export function sourceOfLine(line: OpenRecord): LineSource | null {
  const from = line['_from'];
  // Only `madeLine` writes it: a body's own is taken out before it is parsed.
  return typeof from === 'object' && from !== null ? (from as LineSource) : null;
}

/** True for a value that the server took from the source: the rights of whoever saves it are not asked. */
export function isMade(holder: OpenRecord, name: string): boolean {
  const made: unknown = Reflect.get(holder, MADE);
  if (typeof made !== 'object' || made === null || !Object.hasOwn(made, name)) return false;
  return JSON.stringify(Reflect.get(made, name)) === JSON.stringify(holder[name]);
}

function marked(values: OpenRecord, made: OpenRecord): OpenRecord {
  Reflect.set(values, MADE, made);
  return values;
}
