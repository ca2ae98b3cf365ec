import type { PathPlace } from '#engine/schema/field-path.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { shownNumber } from '#engine/values/shown-number.ts';
import { among } from '#server/kernel/db/among.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { quoteName, statementName } from '#server/records/call/statement.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import { attachReferences, linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { eyesOn } from '#server/records/read/reader-eyes.ts';
import { captionText } from './captions.ts';

/** What the asker may read of a line's caption: its columns, and fields of its head as `parent.x`. */
export function lineCaptions(call: Call, target: string, place: PathPlace): readonly LineCaption[] {
  const { resource, lines } = place;
  const list = lines === undefined ? undefined : resource.fields[lines];
  const eyes = eyesOn(call, target);
  const head = eyesOn(call, resource.resource);
  if (list === undefined || !eyes.mayRead) return [];
  return captionsOf(resource, list).filter(({ field: { name }, isOfHead }) =>
    isOfHead ? head.sees(name) : eyes.sees(name),
  );
}

/** The caption of a list's lines as its definition says it. */
export function captionsOf(
  { fields }: Resource,
  { caption = [], fields: columns = {} }: Field,
): readonly LineCaption[] {
  return caption.flatMap((path) => {
    const isOfHead = path.startsWith(PARENT);
    const field = isOfHead ? fields[path.slice(PARENT.length)] : columns[path];
    return field === undefined || field.mask !== undefined ? [] : [{ field, isOfHead }];
  });
}

/** The same of a line in hand, with its head, by their loaded labels. */
export function captionInWords(
  captions: readonly LineCaption[],
  { line, head }: { readonly line: OpenRecord; readonly head: OpenRecord },
): readonly string[] {
  const texts = captions.map(({ field, isOfHead }) => numberedText(field, isOfHead ? head : line, head));
  return texts.filter((text) => text !== '');
}

export interface LineCaption {
  readonly field: Field;
  readonly isOfHead: boolean;
}

const PARENT = 'parent.';

/** The captions of picked lines as texts, by the lines' ids: read behind the asker's wall, an amount with its currency. */
export async function lineCaptionTexts(
  call: Call,
  place: PathPlace,
  { ids, captions }: { readonly ids: readonly string[]; readonly captions: readonly LineCaption[] },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { resource, lines = '' } = place;
  if (captions.length === 0 || ids.length === 0) return new Map();
  const own = captions.filter(({ isOfHead }) => !isOfHead).map(({ field }) => field.name);
  const ofHead = captions.filter(({ isOfHead }) => isOfHead).map(({ field }) => field.name);
  const currencies = captions.flatMap(({ field: { currency = '' } }) => {
    const name = currency.replace(PARENT, '');
    return currency.startsWith(PARENT) && resource.fields[name] !== undefined ? [name] : [];
  });
  const heads = [...new Set([...ofHead, ...currencies])];
  const select = [
    't.id::text as id',
    ...own.map((name) => `t.${quoteName(name)} as ${quoteName(`c_${name}`)}`),
    ...heads.map((name) => `h.${quoteName(name)} as ${quoteName(`h_${name}`)}`),
  ];
  const text = `select ${select.join(', ')} from ${linesTableOf(resource, lines)} t join ${tableOf(resource)} h on h.id = t.parent_id where t.id = ${among('$1')}`;
  const rows = await callersReader(call).query(text, [ids], statementName(text));
  const records = rows.map((row): OpenRecord => ({
    ...Object.fromEntries(heads.map((name) => [name, row[`h_${name}`] ?? null])),
    [lines]: [Object.fromEntries(own.map((name) => [name, row[`c_${name}`] ?? null]))],
  }));
  await attachReferences(call.services.db, {
    catalog: call.catalog,
    resource,
    records,
    withPaths: false,
    withLabels: true,
    company: call.caller.subject.co_code,
    reader: openAnyCall(call.services, call.caller, resource.resource),
  });
  return new Map(
    rows.map((row, index) => {
      const head = records[index] ?? {};
      const [line = {}] = linesOf(head[lines]);
      return [String(row['id']), captionInWords(captions, { line, head })];
    }),
  );
}

/** An amount as it reads, anything else by its label. */
function numberedText(field: Field, holder: OpenRecord, head: OpenRecord): string {
  if (field.type !== 'money' && field.type !== 'decimal') return captionText(holder, field.name);
  const { currency = '' } = field;
  const told: unknown = currency.startsWith(PARENT) ? head[currency.slice(PARENT.length)] : currency;
  const code = typeof told === 'string' && /^[A-Z]{3}$/.test(told) ? told : undefined;
  const amount = shownNumber(holder[field.name], field, code);
  return [amount, code].filter((part) => part !== undefined && part !== '').join(' ');
}
