import type { FieldProblem } from '#engine/schema/resource.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { companyOf, linesIn, textOf, uniqueIds } from './rule-values.ts';

type Destination = {
  readonly id: string;
  readonly name: string;
  readonly is_sanctioned: boolean | null;
  readonly is_russia_control: boolean | null;
};

interface Commodity {
  readonly path: string;
  readonly hsCode: string;
  readonly name: string;
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
    destination?.is_sanctioned === true
      ? [{ path, code: 'sanctioned', message: `${destination.name}为禁运国家，不能提交` }]
      : [];
  const [banned, sensitive] = await Promise.all([
    bannedProblems(call, destination, commodities),
    destination?.is_russia_control === true ? sensitiveProblems(call, commodities) : [],
  ]);
  return [...sanctioned, ...banned, ...sensitive];
}

async function destinationOf(call: RuleCall): Promise<Destination | null> {
  const field = DESTINATION_FIELDS.find((name) => textOf(call.record, name) !== null);
  if (field === undefined) return null;
  const [row] = await call.tx.query<Destination>(
    'select id, name, is_sanctioned, is_russia_control from country where id = $1::uuid',
    [textOf(call.record, field)],
  );
  return row ?? null;
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
  const [row] = await call.tx.query<{ code: string }>('select code from hs_code where id = $1::uuid', [own]);
  return row === undefined
    ? inLines
    : [{ path: 'hs_code_id', hsCode: row.code, name: textOf(record, 'name') ?? '' }, ...inLines];
}

async function goodsByIds(
  call: RuleCall,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Omit<Commodity, 'path'>>> {
  if (ids.length === 0) return new Map();
  const rows = await call.tx.query<{ id: string; name: string; code: string }>(
    `select g.id, g.name, h.code from goods g join hs_code h on h.id = g.hs_code_id where g.co_code = $1 and g.id = any($2::uuid[])`,
    [companyOf(call), ids],
  );
  return new Map(rows.map((row) => [row.id, { hsCode: row.code, name: row.name }]));
}

async function bannedProblems(
  call: RuleCall,
  destination: Destination | null,
  commodities: readonly Commodity[],
): Promise<readonly FieldProblem[]> {
  if (commodities.length === 0) return [];
  const rows = await call.tx.query<{
    hs_code: string;
    reason: string | null;
    country_ids: readonly string[] | null;
  }>(
    `select hs_code, reason, country_ids from banned_hs_code
     where status = 'active' and not is_deleted and (valid_from is null or valid_from <= $1::date) and (valid_to is null or valid_to >= $1::date)`,
    [call.caller.context.today],
  );
  return commodities.flatMap((commodity) => {
    const hit = rows.find(
      (row) => commodity.hsCode.startsWith(row.hs_code) && concerns(row.country_ids, destination),
    );
    return hit === undefined
      ? []
      : [
          {
            path: commodity.path,
            code: 'banned',
            message: `HS编码${commodity.hsCode}（${commodity.name}）为禁运商品${hit.reason === null ? '' : `：${hit.reason}`}`,
          },
        ];
  });
}

/** No countries named means all of them. */
function concerns(countries: readonly string[] | null, destination: Destination | null): boolean {
  if (countries === null || countries.length === 0) return true;
  return destination !== null && countries.includes(destination.id);
}

async function sensitiveProblems(
  call: RuleCall,
  commodities: readonly Commodity[],
): Promise<readonly FieldProblem[]> {
  const rows = await call.tx.query<{
    hs_prefix: string;
    keyword: string | null;
    name: string;
    control: string;
  }>(
    `select hs_prefix, keyword, name, control from russia_sensitive_goods
     where status = 'active' and not is_deleted and (valid_from is null or valid_from <= $1::date)`,
    [call.caller.context.today],
  );
  return commodities.flatMap((commodity) => {
    const hit = rows.find(
      (row) => commodity.hsCode.startsWith(row.hs_prefix) || hasKeyword(commodity.name, row.keyword),
    );
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

function hasKeyword(name: string, keywords: string | null): boolean {
  return (keywords ?? '').split(/[,，]/).some((word) => word.trim() !== '' && name.includes(word.trim()));
}
