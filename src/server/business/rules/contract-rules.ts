import { amountInWords } from '#trade/amount-in-words.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { writeDerivedFields } from '#server/records/write/system-write.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { companyOf, decimalOf, knownFields, linesIn, textOf } from './rule-values.ts';

/** After a save: the amount in English words, the seller's English name when left empty, and numbers for lines without one. */
export async function completeContract(call: RuleCall): Promise<void> {
  const { record, resource } = call;
  const words = amountInWords(decimalOf(record, 'total_amount'), textOf(record, 'currency') ?? '');
  const lines = linesIn(record, 'items');
  const taken = lines.map((line) => Number(line['line_no'] ?? 0));
  let last = Math.max(0, ...taken);
  const unnumbered = lines.filter((line) => line['line_no'] === null || line['line_no'] === undefined);
  await writeDerivedFields(call, resource.resource, {
    id: String(record['id']),
    fields: knownFields(resource.fields, {
      amount_words: words,
      seller_name_en: textOf(record, 'seller_name_en') ?? companyNameEn(call),
    }),
    lines: { items: unnumbered.map((line) => ({ id: line['id'], line_no: (last += 1) })) },
  });
}

/** The company's name in English, from its region. */
function companyNameEn(call: RuleCall): string | undefined {
  const regions: unknown = call.services.definitions.setup().files['regions'];
  const list: readonly unknown[] = Array.isArray(regions) ? regions : [];
  const region = list.find((item) => isObject(item) && item['coCode'] === companyOf(call));
  const name = isObject(region) ? region['coNameEn'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

function isObject(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null;
}
