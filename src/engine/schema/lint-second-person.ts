import type { ResourceLint } from './lint-context.ts';

/** What a document of a waiting change holds. */
const KEPT = [
  'target_resource',
  'target_title',
  'target_id',
  'target_label',
  'target_action',
  'target_does',
  'asked_role',
  'body',
  'changes',
] as const;

/** Checks what needs a second person: its fields, actions and state, and the resource that its changes wait in. */
export function lintSecondPerson(context: ResourceLint): void {
  const { definition, resource, catalog } = context;
  const { secondPerson: second } = definition;
  if (second === undefined) return;
  const path = ['secondPerson'];
  for (const [index, name] of second.fields.entries())
    context.field([...path, 'fields', index], name, context.place());
  for (const [index, name] of (second.until ?? []).entries()) {
    context.field([...path, 'until', index], name, context.place());
    if (resource.fields[name] !== undefined && resource.fields[name].type !== 'date')
      context.report([...path, 'until', index], `"${name}" 须为日期`);
  }
  const actions = resource.lifecycle?.actions ?? {};
  for (const [index, name] of (second.actions ?? []).entries())
    if (name !== 'delete' && !Object.hasOwn(actions, name))
      context.report([...path, 'actions', index], `未知动作 "${name}"`);
  const { created } = second;
  if (created !== undefined) {
    const from = actions[created.action]?.from;
    if (from?.includes(created.state) !== true)
      context.report([...path, 'created'], `动作 "${created.action}" 不能从状态 "${created.state}" 执行`);
  }
  const waiting = catalog.resources[second.in];
  const missing = KEPT.filter((name) => waiting?.fields[name] === undefined);
  if (waiting === undefined) context.report([...path, 'in'], `未知资源 "${second.in}"`);
  else if (missing.length > 0)
    context.report([...path, 'in'], `资源 "${second.in}" 缺少字段 ${missing.join('、')}`);
  else if (waiting.lifecycle?.actions['submit']?.approval === undefined)
    context.report([...path, 'in'], `资源 "${second.in}" 的动作 submit 须发起审批`);
}
