import type { PageDefinition } from './layout-definition.ts';
import type { AccessDefinition } from './lifecycle-definition.ts';
import type { ResourceLint } from './lint-context.ts';
import { stampedValues } from './stamped-values.ts';

/**
 * Checks that who may create a record may write what its form's page puts into it: such a form would be refused for a
 * field that nobody sees. Pages for staff alone are left out: a grant does not tell of whom its role is.
 */
export function lintStamped(context: ResourceLint): void {
  const { definition } = context;
  for (const [index, page] of (definition.pages ?? []).entries())
    for (const name of stampedOn(page))
      for (const [at, grant] of (definition.access ?? []).entries())
        if (grant.do.includes('create') && isClosedTo(grant, name))
          context.report(
            ['access', at],
            `角色可新增，却不能写入 "${name}"，而页面 "${page.route}" 新增时写入它（pages[${index}].where）`,
          );
}

function stampedOn(page: PageDefinition): readonly string[] {
  return page.kind !== 'edit' || page.audience === 'staff' ? [] : Object.keys(stampedValues(page.where));
}

function isClosedTo({ write, readOnly = [], hide = [] }: AccessDefinition, name: string): boolean {
  return write?.includes(name) === false || readOnly.includes(name) || hide.includes(name);
}
