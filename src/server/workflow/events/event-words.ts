import type { EventWords } from '#server/records/following.ts';
import { recordTitle } from '#engine/schema/record-title.ts';
import { currencyOf } from '#engine/record/compute-record.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { formatField } from '#engine/fields/field-types.ts';
import { moneyIn } from '#engine/values/display.ts';
import type { Field } from '#engine/schema/resource.ts';
import { wordsIn } from '#engine/schema/event-words.ts';
import { attachReferences, type OpenRecord } from '#server/records/read/attach-references.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Reader } from '#server/records/call/statement.ts';

/**
 * The words of a record: `no` and `name` (what it is called), `title` (its kind), `amount`, `person` (who did it), and
 * the fields that the templates name, as people read them.
 */
export async function recordWords(
  db: Reader,
  call: Call,
  { record, templates }: { readonly record: OpenRecord; readonly templates: readonly string[] },
): Promise<EventWords> {
  const { resource, caller } = call;
  const amount = resource.fields['total_amount'] ?? resource.fields['amount'];
  const fields = [resource.label, ...templates.flatMap(wordsIn)].flatMap((name) =>
    Object.hasOwn(resource.fields, name) ? (resource.fields[name] ?? []) : [],
  );
  const read = await withLabels(db, call, { record, fields });
  const label = recordLabel(resource, read);
  return {
    ...Object.fromEntries(
      fields.map((field) => [
        field.name,
        withCurrency(call, { record, field, text: fieldText(read, field) }),
      ]),
    ),
    no: label,
    name: label,
    title: recordTitle(resource, record),
    amount:
      amount === undefined
        ? ''
        : withCurrency(call, { record, field: amount, text: formatField(record[amount.name], amount) }),
    person: caller.subject.name,
  };
}

/** The template with its words; a placeholder that nothing fills stays empty, and so does the colon before it at the end. */
export function fillTemplate(template: string, words: EventWords): string {
  return template
    .replace(/\{(\w+)\}/g, (_whole, name: string) => (Object.hasOwn(words, name) ? (words[name] ?? '') : ''))
    .replace(/[：:\s]+$/, '')
    .trim();
}

/** An amount says what it is in. */
function withCurrency(
  call: Call,
  { record, field, text }: { readonly record: OpenRecord; readonly field: Field; readonly text: string },
): string {
  const currency =
    field.type === 'money' && text !== '' ? currencyOf(field, recordScope(call, record)) : null;
  return currency === null ? text : moneyIn(currency, String(record[field.name]));
}

async function withLabels(
  db: Reader,
  { catalog, resource, caller }: Call,
  { record, fields }: { readonly record: OpenRecord; readonly fields: readonly Field[] },
): Promise<OpenRecord> {
  const read: OpenRecord = Object.fromEntries(fields.map(({ name }) => [name, record[name] ?? null]));
  if (!fields.some(({ type }) => type === 'reference' || type === 'dictionary')) return read;
  await attachReferences(db, {
    catalog,
    resource,
    records: [read],
    withPaths: false,
    withLabels: true,
    company: String(record['co_code'] ?? caller.subject.co_code),
  });
  return read;
}

function fieldText(record: OpenRecord, field: Field): string {
  const labels = record['_labels'];
  const known: unknown =
    typeof labels === 'object' && labels !== null ? Reflect.get(labels, field.name) : undefined;
  if (Array.isArray(known)) return known.map(String).join('、');
  return typeof known === 'string' ? known : formatField(record[field.name], field);
}
