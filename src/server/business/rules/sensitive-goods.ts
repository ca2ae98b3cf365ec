import { findNamed } from '#server/business/find-named.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { updateRecordFields } from '#server/records/write/system-write.ts';
import { textOf } from './rule-values.ts';

/** An entry of the Russia list in force. */
export interface SensitiveEntry {
  readonly prefix: string;
  readonly words: readonly string[];
  readonly name: string;
  readonly control: string;
}

/** The list of goods that are sensitive for Russia, as of today. */
export async function sensitiveEntries(call: RuleCall): Promise<readonly SensitiveEntry[]> {
  const { today } = call.caller.context;
  const rows = await findNamed(call, 'russia_sensitive_goods', {
    where: { status: { eq: 'active' }, or: [{ valid_from: { null: true } }, { valid_from: { lte: today } }] },
    fields: ['hs_prefix', 'keyword', 'name', 'control'],
  });
  return rows.map((row) => ({
    prefix: textOf(row, 'hs_prefix') ?? '',
    words: (textOf(row, 'keyword') ?? '')
      .split(/[,，]/)
      .map((word) => word.trim().toLowerCase())
      .filter((word) => word !== ''),
    name: textOf(row, 'name') ?? '',
    control: textOf(row, 'control') ?? '',
  }));
}

/** Whether goods fall under an entry: by their code, or by a word in their names. */
export function isSensitive(
  entry: SensitiveEntry,
  goods: { readonly hsCode: string; readonly names: string },
): boolean {
  const names = goods.names.toLowerCase();
  return goods.hsCode.startsWith(entry.prefix) || entry.words.some((word) => names.includes(word));
}

/** The codes of HS versions by their ids. */
export async function hsCodes(call: RuleCall, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await findNamed(call, 'hs_code', { where: { id: { in: ids } }, fields: ['id', 'code'] });
  return new Map(rows.map((row) => [String(row.id), textOf(row, 'code') ?? '']));
}

const CONTROL_ORDER = ['block', 'approve', 'hint'] as const;

/** The strictest control of the Russia list that the goods fall under; it routes the approval. */
export async function markRussiaControl(call: RuleCall): Promise<void> {
  const { record } = call;
  const id = textOf(record, 'hs_code_id');
  const hsCode = id === null ? '' : ((await hsCodes(call, [id])).get(id) ?? '');
  const names = `${textOf(record, 'name') ?? ''} ${textOf(record, 'name_en') ?? ''}`;
  const hits = (await sensitiveEntries(call)).filter((entry) => isSensitive(entry, { hsCode, names }));
  const control = CONTROL_ORDER.find((kind) => hits.some((entry) => entry.control === kind)) ?? null;
  await updateRecordFields(call, 'goods', {
    id: String(record['id']),
    fields: { russia_control: control },
    isSameWrite: true,
  });
}
