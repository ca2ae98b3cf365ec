import type { FieldProblem } from '#engine/schema/resource.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { findNamed } from '#server/business/find-named.ts';
import { linesIn, textOf, uniqueIds } from './rule-values.ts';
import { hsCodes, isSensitive, type SensitiveEntry, sensitiveEntries } from './sensitive-goods.ts';
import { updateRecordFields } from '#server/records/write/system-write.ts';

interface Destination {
  readonly id: string;
  readonly name: string;
  readonly isSanctioned: boolean;
  readonly isRussiaControl: boolean;
}

interface Commodity {
  readonly path: string;
  readonly hsCode: string;
  readonly name: string;
  readonly nameEn: string;
}

const DESTINATION_FIELDS = ['dest_country_id', 'country_id'] as const;

/**
 * Check 2 of resources.md section 4: no sanctioned country; no commodity that the company refuses for the destination;
 * for destinations under Russia control the sensitive goods list decides (block, approval by 风控, hint).
 */
export async function checkEmbargo(call: RuleCall): Promise<readonly FieldProblem[]> {
  const [destination, commodities] = await Promise.all([destinationOf(call), commoditiesOf(call)]);
  const path = DESTINATION_FIELDS.find((field) => textOf(call.record, field) !== null) ?? '';
  const sanctioned: readonly FieldProblem[] =
    destination?.isSanctioned === true
      ? [{ path, code: 'sanctioned', message: `${destination.name}为禁运国家，不能提交` }]
      : [];
  const [banned, sensitive] = await Promise.all([
    bannedProblems(call, destination, commodities),
    destination?.isRussiaControl === true ? sensitiveProblems(call, commodities) : [],
  ]);
  return [...sanctioned, ...banned, ...sensitive];
}

async function destinationOf(call: RuleCall): Promise<Destination | null> {
  const field = DESTINATION_FIELDS.find((name) => textOf(call.record, name) !== null);
  if (field === undefined) return null;
  const [row] = await findNamed(call, 'country', {
    where: { id: { eq: textOf(call.record, field) ?? '' } },
    fields: ['id', 'name', 'is_sanctioned', 'is_russia_control'],
  });
  return row === undefined
    ? null
    : {
        id: String(row.id),
        name: textOf(row, 'name') ?? '',
        isSanctioned: row.is_sanctioned === true,
        isRussiaControl: row.is_russia_control === true,
      };
}

/**
 * Whether the list in force today asks for risk control over what a document handed in is about. Goods keep what the list
 * said when they were saved, so an entry of later would not bring it in.
 */
export async function markRussiaListed(call: RuleCall): Promise<void> {
  const [commodities, entries] = await Promise.all([commoditiesOf(call), sensitiveEntries(call)]);
  const asked = entries.filter(({ control }) => control === 'approve');
  const isListed = commodities.some((commodity) => asked.some((entry) => concernsGoods(entry, commodity)));
  if (isListed === (call.record['russia_listed'] === true)) return;
  await updateRecordFields(call, call.resource.resource, {
    id: String(call.record['id']),
    fields: { russia_listed: isListed },
    isSameWrite: true,
  });
}

/** The commodities of a document: its lines' goods, or its own HS code when it is a commodity itself. */
async function commoditiesOf(call: RuleCall): Promise<readonly Commodity[]> {
  const { record } = call;
  const lines = Object.keys(record).flatMap((name) =>
    Array.isArray(record[name]) && !name.startsWith('_')
      ? linesIn(record, name).map((line, index) => ({ line, place: `${name}.${index}` }))
      : [],
  );
  const goods = await goodsByIds(call, uniqueIds(lines.map(({ line }) => textOf(line, 'goods_id'))));
  const inLines = lines.flatMap(({ line, place }) => {
    const item = goods.get(textOf(line, 'goods_id') ?? '');
    return item === undefined ? [] : [{ path: `${place}.goods_id`, ...item }];
  });
  const own = textOf(record, 'hs_code_id');
  if (own === null) return inLines;
  const code = (await hsCodes(call, [own])).get(own);
  return code === undefined
    ? inLines
    : [{ path: 'hs_code_id', hsCode: code, ...namesOf(record) }, ...inLines];
}

async function goodsByIds(
  call: RuleCall,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Omit<Commodity, 'path'>>> {
  if (ids.length === 0) return new Map();
  const rows = await findNamed(call, 'goods', {
    where: { id: { in: ids } },
    fields: ['id', 'name', 'name_en', 'hs_code_id'],
  });
  const codes = await hsCodes(call, uniqueIds(rows.map((row) => textOf(row, 'hs_code_id'))));
  return new Map(
    rows.flatMap((row) => {
      const hsCode = codes.get(textOf(row, 'hs_code_id') ?? '');
      return hsCode === undefined ? [] : [[String(row.id), { hsCode, ...namesOf(row) }]];
    }),
  );
}

function namesOf(goods: Readonly<Record<string, unknown>>): Pick<Commodity, 'name' | 'nameEn'> {
  return { name: textOf(goods, 'name') ?? '', nameEn: textOf(goods, 'name_en') ?? '' };
}

async function bannedProblems(
  call: RuleCall,
  destination: Destination | null,
  commodities: readonly Commodity[],
): Promise<readonly FieldProblem[]> {
  if (commodities.length === 0) return [];
  const { today } = call.caller.context;
  const rows = await findNamed(call, 'banned_hs_code', {
    where: {
      status: { eq: 'active' },
      and: [
        { or: [{ valid_from: { null: true } }, { valid_from: { lte: today } }] },
        { or: [{ valid_to: { null: true } }, { valid_to: { gte: today } }] },
      ],
    },
    fields: ['hs_code', 'reason', 'country_ids'],
  });
  return commodities.flatMap((commodity) => {
    const hit = rows.find(
      (row) => commodity.hsCode.startsWith(String(row.hs_code)) && concerns(row.country_ids, destination),
    );
    if (hit === undefined) return [];
    const reason = textOf(hit, 'reason');
    return [
      {
        path: commodity.path,
        code: 'banned',
        message: `HS编码${commodity.hsCode}（${commodity.name}）为禁运商品${reason === null ? '' : `：${reason}`}`,
      },
    ];
  });
}

/** No countries named means all of them. */
function concerns(countries: unknown, destination: Destination | null): boolean {
  if (!Array.isArray(countries) || countries.length === 0) return true;
  return destination !== null && countries.includes(destination.id);
}

async function sensitiveProblems(
  call: RuleCall,
  commodities: readonly Commodity[],
): Promise<readonly FieldProblem[]> {
  const entries = await sensitiveEntries(call);
  return commodities.flatMap((commodity) => {
    const hit = entries.find((entry) => concernsGoods(entry, commodity));
    if (hit === undefined) return [];
    const what = `${commodity.name}属于俄罗斯敏感商品（${hit.name}）`;
    return [
      hit.control === 'block'
        ? { path: commodity.path, code: 'sensitive', message: `${what}，不能提交` }
        : {
            path: commodity.path,
            code: 'sensitive',
            level: 'warning' as const,
            message: hit.control === 'approve' ? `${what}，需风控审批` : what,
          },
    ];
  });
}

function concernsGoods(entry: SensitiveEntry, { hsCode, name, nameEn }: Commodity): boolean {
  return isSensitive(entry, { hsCode, names: `${name} ${nameEn}` });
}
