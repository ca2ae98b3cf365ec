import type { ResourceEntry, RouteEntry } from '#contract/meta.ts';
import type { MenuEntry } from '#contract/shape.ts';
import { typedRank } from '#engine/search/typed-pinyin.ts';
import { tabPages } from '#web/data/tab-pages.ts';
import { menuName } from './menu-place.ts';
import type { PageMark, PageMarks } from './page-marks.ts';
import { tabKey } from './tab-store.ts';

/** Something that Ctrl+K offers: a page, or a command such as 新增外销合同. */
export interface Command {
  readonly key: string;
  readonly kind: '页面' | '命令' | '收藏' | '最近';
  readonly text: string;
  /** Where it leads; of a command without an address `run` says what is done. */
  readonly address?: string;
  readonly run?: () => void;
}

/** The pages of the menu, with their group where two have one name. */
export function pageCommands(menu: readonly MenuEntry[]): readonly Command[] {
  const flat = (entries: readonly MenuEntry[], group: string): readonly Command[] =>
    entries.flatMap((entry): readonly Command[] =>
      entry.list.length > 0
        ? flat(entry.list, entry.name)
        : [
            {
              key: `page ${entry.url}`,
              kind: '页面',
              text: [group, entry.name].filter(Boolean).join(' / '),
              address: entry.url,
            },
          ],
    );
  return flat(menu, '');
}

/** Lists that are tabs of pages in the menu, named after those; what has a page of its own in there is found by that. */
export function tabCommands(
  menu: readonly MenuEntry[],
  entries: readonly ResourceEntry[],
): readonly Command[] {
  return tabPages(entries).flatMap(({ resource, title, host, address }): readonly Command[] => {
    const page = menuName(menu, host);
    const own = entries.find((entry) => entry.resource === resource)?.pages ?? [];
    if (page === null || own.some(({ route }) => menuName(menu, route) !== null)) return [];
    return [{ key: `tab ${resource}`, kind: '页面', text: `${page} / ${title}`, address }];
  });
}

/** 新增 for every form that the person may begin. */
export function createCommands(
  entries: readonly ResourceEntry[],
  routes: readonly RouteEntry[],
): readonly Command[] {
  return entries.flatMap(({ title, operations, pages }): readonly Command[] => {
    const form = pages.find(({ kind }) => kind === 'edit');
    const list = pages.find(({ kind, create }) => kind === 'list' && create !== false);
    if (form === undefined || list === undefined || !operations.includes('create')) return [];
    if (!routes.some(({ path }) => path === form.route.split('?')[0])) return [];
    return [{ key: `new ${form.route}`, kind: '命令', text: `新增${title}`, address: form.route }];
  });
}

/** What Ctrl+K shows before anything is typed: favourites and recent pages. */
export function markCommands({ favourites, recent }: PageMarks): readonly Command[] {
  const starred = new Set(favourites.map(({ address }) => tabKey(address)));
  return [
    ...favourites.map((mark) => commandOf(mark, '收藏')),
    ...recent.filter(({ address }) => !starred.has(tabKey(address))).map((mark) => commandOf(mark, '最近')),
  ];
}

function commandOf({ address, title }: PageMark, kind: '收藏' | '最近'): Command {
  return { key: `${kind} ${address}`, kind, text: title, address };
}

const MOST = 10;

/** The commands that fit what was typed, the closest first. */
export function fittingCommands(commands: readonly Command[], typed: string): readonly Command[] {
  return commands
    .flatMap((command) => {
      const name = command.text.split(' / ').at(-1) ?? '';
      const rank = typedRank(name, typed) ?? typedRank(command.text, typed);
      return rank === null ? [] : [{ command, rank }];
    })
    .sort((a, b) => a.rank - b.rank || a.command.text.length - b.command.text.length)
    .slice(0, MOST)
    .map(({ command }) => command);
}
