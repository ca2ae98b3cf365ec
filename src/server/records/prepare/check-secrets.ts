import type { ErpRecord, Field, FieldProblem, Resource } from '#engine/schema/resource.ts';
import { COMMON_PASSWORD, isCommonPassword } from '#server/kernel/common-passwords.ts';
import { linesOf } from '#server/records/read/attach-references.ts';

/** Problems of the secrets that a body sets, in lines too: none may be one that everybody tries first. */
export async function checkSecrets(resource: Resource, sent: ErpRecord): Promise<readonly FieldProblem[]> {
  const problems = await problemsOf(resource.fields, sent, '');
  for (const field of Object.values(resource.fields)) {
    if (!Object.values(field.fields ?? {}).some(({ type }) => type === 'secret')) continue;
    for (const [index, line] of linesOf(sent[field.name]).entries())
      problems.push(...(await problemsOf(field.fields ?? {}, line, `${field.name}.${index}.`)));
  }
  return problems;
}

async function problemsOf(
  fields: Readonly<Record<string, Field>>,
  sent: ErpRecord,
  prefix: string,
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = [];
  for (const { name, type, title } of Object.values(fields)) {
    const value = sent[name];
    if (type !== 'secret' || typeof value !== 'string' || !(await isCommonPassword(value))) continue;
    problems.push({
      path: `${prefix}${name}`,
      code: 'common_password',
      message: `${title}：${COMMON_PASSWORD}`,
    });
  }
  return problems;
}
