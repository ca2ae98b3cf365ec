import type { FieldProblem } from '#engine/schema/resource.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { partiesOf } from './parties.ts';
import { companyOf, linesIn, textOf, uniqueIds } from './rule-values.ts';

/** Check 3 of resources.md section 4: every party, goods and relation of the document is in force. */
export async function checkPartyStatus(call: RuleCall): Promise<readonly FieldProblem[]> {
  const parties = (await partiesOf(call)).filter((party) => party.kind !== call.resource.resource);
  const asleep = parties
    .filter((party) => party.status !== 'active')
    .map((party) => ({
      path: party.path,
      code: 'not_active',
      message: `${party.title}「${party.name}」未启用，不能提交`,
    }));
  return [...asleep, ...(await goodsProblems(call)), ...(await relationProblems(call))];
}

async function goodsProblems(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { record } = call;
  const named = Object.keys(record).flatMap((name) =>
    Array.isArray(record[name]) && !name.startsWith('_')
      ? linesIn(record, name).map((line, index) => ({
          id: textOf(line, 'goods_id'),
          path: `${name}.${index}.goods_id`,
        }))
      : [],
  );
  const ids = uniqueIds(named.map(({ id }) => id));
  if (ids.length === 0) return [];
  const rows = await call.tx.query<{ id: string; name: string }>(
    `select id, name from goods where co_code = $1 and id = any($2::uuid[]) and status <> 'active'`,
    [companyOf(call), ids],
  );
  const asleep = new Map(rows.map((row) => [row.id, row.name]));
  return named.flatMap(({ id, path }) => {
    const name = id === null ? undefined : asleep.get(id);
    return name === undefined
      ? []
      : [{ path, code: 'not_active', message: `商品「${name}」未启用，不能提交` }];
  });
}

async function relationProblems(call: RuleCall): Promise<readonly FieldProblem[]> {
  const id = textOf(call.record, 'relation_id');
  if (id === null) return [];
  const [row] = await call.tx.query<{ status: string; valid_to: string | null }>(
    'select status, valid_to from relation where co_code = $1 and id = $2::uuid',
    [companyOf(call), id],
  );
  const isOver = row?.valid_to != null && row.valid_to < call.caller.context.today;
  if (row?.status === 'active' && !isOver) return [];
  return [
    {
      path: 'relation_id',
      code: 'not_active',
      message: isOver ? '关联关系已过有效期，不能提交' : '关联关系未启用，不能提交',
    },
  ];
}
