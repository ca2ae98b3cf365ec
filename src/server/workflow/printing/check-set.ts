import {
  crossCheck,
  type FoundValue,
  type PlaceValues,
  type SetDifference,
} from '#engine/print/cross-check.ts';
import type { DocumentSet, SetCheck, SetSource, SetValue } from '#engine/print/document-set.ts';
import { writeValue } from '#engine/print/write-value.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Holder, PathReader } from './print-paths.ts';
import { relatedRows } from './related-rows.ts';

/** Where a set is looked at. */
export interface CheckAsk {
  readonly call: Call;
  readonly set: DocumentSet;
  readonly head: Holder;
}

/** Every two places of a set that do not agree, and the records without which it is not whole. */
export async function checkSet(reader: PathReader, asked: CheckAsk): Promise<readonly SetDifference[]> {
  const { set } = asked;
  const records = new Map<string, readonly Holder[]>();
  for (const source of set.sources) records.set(source.source, await recordsOf(reader, source, asked));
  const missing = set.sources
    .filter(({ source, required }) => required === true && records.get(source)?.length === 0)
    .map(({ title }) => ({
      check: '单据齐全',
      group: '',
      placeA: set.title,
      valueA: '需要',
      placeB: title,
      valueB: '没有',
    }));
  const differences: SetDifference[] = [...missing];
  for (const check of set.checks) {
    const places: PlaceValues[] = [];
    for (const value of check.values) {
      const source = set.sources.find((one) => one.source === value.source);
      const holders = records.get(value.source) ?? [];
      if (source === undefined || holders.length === 0) continue;
      places.push(await placeValues(reader, { check, value, source, holders }));
    }
    differences.push(...crossCheck(check, places));
  }
  return differences;
}

async function recordsOf(
  reader: PathReader,
  { of, by, where, at }: SetSource,
  { call, head }: CheckAsk,
): Promise<readonly Holder[]> {
  if (at !== undefined) return reader.references(head, at);
  if (of === undefined || by === undefined) return [head];
  const from = { resource: of, by, ...(where === undefined ? {} : { where }) };
  const rows = await relatedRows(call, { from, id: String(head.record['id']), period: null, on: reader.on });
  const whole: Holder[] = [];
  for (const { record } of rows) {
    const holder = await reader.open(of, String(record['id']));
    if (holder !== null) whole.push(holder);
  }
  return whole;
}

async function placeValues(
  reader: PathReader,
  {
    check,
    value,
    source,
    holders,
  }: {
    readonly check: SetCheck;
    readonly value: SetValue;
    readonly source: SetSource;
    readonly holders: readonly Holder[];
  },
): Promise<PlaceValues> {
  const values = new Map<string, FoundValue[]>();
  for (const holder of holders)
    for (const [row, path, by] of await rowsOf(reader, holder, value)) {
      const found = await reader.read(row, path);
      if (found === null || found.value === null || found.value === undefined || found.value === '') continue;
      const group = by === null ? null : await reader.read(row, by);
      const key = group === null ? '' : writeValue(group, { format: null, language: 'zh' });
      const one = {
        value: String(found.value),
        shown: writeValue(found, { format: null, language: 'zh' }),
      };
      const known = values.get(key);
      if (known === undefined) values.set(key, [one]);
      else if (check.as === 'number' || !known.some((other) => other.value === one.value)) known.push(one);
    }
  return {
    place: `${source.title}·${titleOf(holders[0], value.path)}`,
    values,
    isOptional: value.optional === true,
  };
}

/** The rows that a path goes through, with what is left of it and of the path of the group. */
async function rowsOf(
  reader: PathReader,
  holder: Holder,
  { path, by }: SetValue,
): Promise<readonly (readonly [row: Holder, path: string, by: string | null])[]> {
  const [name = '', ...rest] = path.split('.');
  if (holder.fields[name]?.type !== 'lines' || rest.length === 0) return [[holder, path, by ?? null]];
  const left = by === undefined ? null : by.split('.').slice(1).join('.');
  return (await reader.lines(holder, name)).map((row) => [row, rest.join('.'), left]);
}

function titleOf(holder: Holder | undefined, path: string): string {
  const [name = '', second] = path.split('.');
  const field = holder?.fields[name];
  const own = second === undefined ? undefined : field?.fields?.[second];
  return own?.title ?? field?.title ?? path;
}
