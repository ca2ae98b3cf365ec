import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { repointReferences } from './repoint-references.ts';
import { lockRecords, type SystemContext } from '#server/records/write/system-write.ts';
import { findNamed } from '#server/business/find-named.ts';
import { readNamed, runNamed, updateNamed } from '#server/business/named-records.ts';

interface EqualRelations {
  readonly keep: string;
  readonly replaced: string;
}

/**
 * Merges the relations in force that would become equal when one supplier gives way to another: the kept supplier's
 * stays as it is and takes over goods that only the other lists, documents follow it, the other is disabled. Gives the
 * ids of the documents that changed.
 */
export async function mergeEqualRelations(
  context: SystemContext,
  suppliers: { readonly keep: string; readonly replaced: string },
): Promise<readonly string[]> {
  const pairs = await equalRelations(context, suppliers);
  await lockRecords(context, 'relation', pairs.flatMap(({ keep, replaced }) => [keep, replaced]).toSorted());
  const changed: string[] = [];
  // Looked up again under the locks: a relation may have expired meanwhile.
  for (const { keep, replaced } of await equalRelations(context, suppliers)) {
    const kept = await readNamed(context, 'relation', keep);
    const other = await readNamed(context, 'relation', replaced);
    if (kept === null || other === null) continue;
    const missing = missingGoods(kept, other);
    if (missing.length > 0)
      await updateNamed(context, 'relation', {
        id: keep,
        fields: { goods_lines: [...linesOf(kept), ...missing] },
        action: 'merge',
        opinion: `并入${String(other['relation_no'])}的商品`,
      });
    if (missing.length > 0) changed.push(keep);
    changed.push(...(await repointReferences(context, { resource: 'relation', keep, replaced })));
    await runNamed(context, 'relation', {
      id: replaced,
      action: 'disable',
      opinion: `供应商替换，并入关联${String(kept['relation_no'])}`,
    });
  }
  return changed;
}

async function equalRelations(
  context: SystemContext,
  { keep, replaced }: { readonly keep: string; readonly replaced: string },
): Promise<readonly EqualRelations[]> {
  const rows = await findNamed(context, 'relation', {
    where: { supplier_id: { in: [keep, replaced] }, status: { eq: 'active' } },
    fields: ['id', 'supplier_id', 'buyer_id', 'partner_id'],
  });
  const kept = rows.filter((row) => row.supplier_id === keep);
  return rows
    .filter((row) => row.supplier_id === replaced)
    .flatMap((row) =>
      kept
        .filter((own) => own.buyer_id === row.buyer_id && own.partner_id === row.partner_id)
        .map((own) => ({ keep: String(own.id), replaced: String(row.id) })),
    );
}

function missingGoods(kept: OpenRecord, other: OpenRecord): readonly OpenRecord[] {
  const listed = new Set(linesOf(kept).map((line) => line['goods_id']));
  return linesOf(other)
    .filter((line) => !listed.has(line['goods_id']))
    .map((line) => ({ goods_id: line['goods_id'], supplier_price: line['supplier_price'] }));
}

function linesOf(relation: OpenRecord): readonly OpenRecord[] {
  const lines = relation['goods_lines'];
  return Array.isArray(lines) ? (lines as readonly OpenRecord[]) : [];
}
