/**
 * Makes a starting resource: `npm run new-resource -- sales/sample_order 样品单 [document|master]`. Its file, its place in
 * the menu, for a document its approval flow, and the generated names; what is there already stays as it is.
 */
import { formatJson } from './format-json.ts';
import { routeOf, startingResource } from './starting-resource.ts';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const MENU_GROUP = '新增业务';
const [target = '', title = '', kind = 'document'] = process.argv.slice(2);
const name = basename(target);
const path = join('resources', `${target}.json`);
const fault = refusal();
if (fault === null) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    formatJson(startingResource({ target, name, title, kind: kind === 'document' ? kind : 'master' })),
  );
  addToMenu();
  if (kind === 'document') addFlow();
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/generate.ts'], { stdio: 'inherit' });
  console.log(
    `已生成 ${path}，并已加入菜单“${MENU_GROUP}”${kind === 'document' ? '与审核流程' : ''}；修改后运行 npm run check`,
  );
} else {
  console.error(fault);
  process.exitCode = 1;
}

/** A group of its own at the end of the menu: whoever knows the place better moves the route. */
function addToMenu(): void {
  change('menu', (menu) => {
    const groups = menu as { title: string; icon?: string; items: unknown[] }[];
    const group = groups.find((one) => one.title === MENU_GROUP);
    if (group === undefined)
      groups.push({ title: MENU_GROUP, icon: 'AppstoreOutlined', items: [routeOf(name, 'list')] });
    else if (!group.items.includes(routeOf(name, 'list'))) group.items.push(routeOf(name, 'list'));
  });
}

/** One level, the department's head: without a flow a submission is refused. */
function addFlow(): void {
  const roles = JSON.parse(readFileSync(setupPath('roles'), 'utf8')) as {
    code: string;
    name: string;
    duty?: string;
  }[];
  const head = roles.find(({ duty }) => duty === 'department_head');
  change('approval-flows', (flows) => {
    const level = {
      level_no: 1,
      title: `${head?.name ?? ''}审核`,
      role: head?.code ?? '',
      timeout_hours: 24,
    };
    (flows as object[]).push({ resource: name, name: `${title}审核`, priority: 10, levels: [level] });
  });
}

function change(setup: string, work: (value: unknown) => void): void {
  const value: unknown = JSON.parse(readFileSync(setupPath(setup), 'utf8'));
  work(value);
  writeFileSync(setupPath(setup), formatJson(value));
}

function setupPath(setup: string): string {
  return join('resources', 'setup', `${setup}.json`);
}

function refusal(): string | null {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name) || title === '')
    return '用法：npm run new-resource -- <文件夹>/<资源名> <名称> [document|master]（资源名用小写英文与下划线）';
  if (kind !== 'document' && kind !== 'master') return `未知的种类 "${kind}"，可用：document、master`;
  return existsSync(path) ? `${path} 已存在` : null;
}
