import type { PageDefinition } from './layout-definition.ts';
import type { ResourceLint } from './lint-context.ts';
import type { JsonPath } from './source-file.ts';
import { suggestion } from './suggest-name.ts';

/** What a page names beside fields and routes: its component, the resources of its tabs, the action of its rows. */
export function lintNamedPage(context: ResourceLint, path: JsonPath, page: PageDefinition): void {
  if (page.kind === 'custom' && page.component === undefined)
    context.report(path, '手写页面（custom）须有 "component"');
  for (const [index, name] of (page.tabs ?? []).entries())
    if (!Object.hasOwn(context.catalog.resources, name)) {
      const near = suggestion(name, Object.keys(context.catalog.resources));
      context.report([...path, 'tabs', index], `未知资源 "${name}"${near}`);
    }
  const { rowAction } = page;
  const actions = context.resource.lifecycle?.actions ?? {};
  if (rowAction !== undefined && (!Object.hasOwn(actions, rowAction) || actions[rowAction]?.system === true))
    context.report(
      [...path, 'rowAction'],
      `没有可由人执行的动作 "${rowAction}"${suggestion(rowAction, Object.keys(actions))}`,
    );
}
