import { Input, Menu, type MenuProps } from 'antd';
import { type ComponentType, lazy, Suspense, useMemo, useState } from 'react';
import { matchesTyped } from '#engine/search/typed-pinyin.ts';
import type { MenuEntry } from '#contract/shape.ts';
import type { MenuIcon } from '#engine/schema/menu-icons.ts';
import { CLEARABLE } from '#web/fields/clearable.tsx';
import { useOpenGroups } from './open-groups.ts';
import type { PageMark, PageMarks } from './page-marks.ts';

export interface SideMenuProps {
  readonly menu: readonly MenuEntry[];
  readonly active: string;
  readonly uid: string;
  readonly marks: PageMarks;
  /** A strip of icons, whose pages come out beside it. */
  readonly isCollapsed: boolean;
  readonly onOpen: (address: string) => void;
  /** The pointer has come to a page. */
  readonly onNear: (address: string) => void;
}

const FAVOURITES = 'group:收藏';
const RECENT = 'group:最近';
/** So many of the pages that were looked at last stand in the menu. */
const SHOWN_RECENT = 6;

const Glyph = lazy<ComponentType<{ readonly icon: MenuIcon }>>(() =>
  import('./menu-glyph.tsx').then(
    ({ MenuGlyph }) => ({ default: MenuGlyph }),
    // The menu is there without its drawings too.
    () => ({ default: NoGlyph }),
  ),
);

type Item = NonNullable<MenuProps['items']>[number] & { readonly key: string };

/** The person's menu: nested, searchable; remembers what was open. Every address gets the uid parameter. */
export function SideMenu({ menu, active, uid, marks, isCollapsed, onOpen, onNear }: SideMenuProps) {
  const [keyword, setKeyword] = useState('');
  const [openKeys, setOpenKeys] = useOpenGroups(uid);
  // Until somebody opens or closes a group, the one of the page in front stands open.
  const shownKeys = openKeys ?? groupsOf(menu, active);
  const items = useMemo(() => {
    const shown = [...markItems(marks, keyword.trim()), ...toItems(menu, keyword.trim())];
    return isCollapsed ? shown.map(named) : shown;
  }, [marks, menu, keyword, isCollapsed]);
  const groups = useMemo(() => items.flatMap((item) => ('children' in item ? [item.key] : [])), [items]);
  return (
    <nav
      className="side-menu"
      aria-label="菜单"
      onPointerOver={({ target }) => {
        const link = target instanceof Element ? target.closest('a') : null;
        if (link !== null) onNear(link.getAttribute('href') ?? '');
      }}
    >
      {!isCollapsed && (
        <Input
          className="menu-search"
          placeholder="查找菜单"
          aria-label="查找菜单"
          allowClear={CLEARABLE}
          size="small"
          value={keyword}
          onChange={(event) => setKeyword(event.target.value)}
        />
      )}
      <Menu
        mode="inline"
        inlineIndent={14}
        items={items}
        selectedKeys={[active]}
        inlineCollapsed={isCollapsed}
        {...(isCollapsed ? {} : { openKeys: keyword === '' ? [...shownKeys] : groups })}
        onOpenChange={(keys) => {
          if (keyword !== '' || isCollapsed) return;
          const kept = oneGroup(menu, { before: shownKeys, now: keys });
          setOpenKeys(kept);
        }}
        onClick={({ key: shown, domEvent }) => {
          // The browser opens the link itself then.
          if (domEvent.type === 'click' && (domEvent.ctrlKey || domEvent.metaKey || domEvent.shiftKey))
            return;
          const key = shown.replace(/^(mark|recent):/, '');
          onOpen(`${key}${key.includes('?') ? '&' : '?'}uid=${uid}`);
        }}
      />
    </nav>
  );
}

/** Favourites and what was looked at last on top, while nothing is looked for. */
function markItems({ favourites, recent }: PageMarks, keyword: string): Item[] {
  if (keyword !== '') return [];
  return [
    ...markGroup(FAVOURITES, 'StarOutlined', 'mark', favourites),
    ...markGroup(RECENT, 'HistoryOutlined', 'recent', recent.slice(0, SHOWN_RECENT)),
  ];
}

function markGroup(key: string, icon: MenuIcon, kind: string, marks: readonly PageMark[]): Item[] {
  const children = marks.map(({ address, title }) => ({
    key: `${kind}:${address}`,
    label: menuLink(address, title),
  }));
  return children.length === 0
    ? []
    : [{ key, label: key.replace('group:', ''), icon: menuIcon(icon), children }];
}

function toItems(menu: readonly MenuEntry[], keyword: string): Item[] {
  return menu.flatMap((entry): Item[] => {
    const isHit = matchesTyped(entry.name, keyword);
    if (entry.list.length === 0)
      return isHit && entry.url !== '' ? [{ key: entry.url, label: menuLink(entry.url, entry.name) }] : [];
    const children = toItems(entry.list, isHit ? '' : keyword);
    if (children.length === 0) return [];
    const icon = entry.icon === undefined ? {} : { icon: menuIcon(entry.icon) };
    return [{ key: `group:${entry.name}`, label: entry.name, ...icon, children }];
  });
}

function menuIcon(icon: MenuIcon) {
  return (
    <span className="menu-icon">
      <Suspense fallback={null}>
        <Glyph icon={icon} />
      </Suspense>
    </span>
  );
}

function NoGlyph() {
  return null;
}

/** A group whose name heads what comes out beside its icon. */
function named(item: Item): Item {
  if (!('children' in item) || !('label' in item) || item.type === 'group') return item;
  const { children } = item;
  return { ...item, children: [{ type: 'group', key: `${item.key}:name`, label: item.label, children }] };
}

/** A link, so that the middle button opens it beside and its address can be copied; a plain click opens a tab of the pages. */
function menuLink(address: string, title: string) {
  return (
    <a
      href={address}
      tabIndex={-1}
      onClick={(event) => {
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) event.preventDefault();
      }}
    >
      {title}
    </a>
  );
}

interface OpenGroups {
  readonly before: readonly string[];
  readonly now: readonly string[];
}

/** One group is open at a time, with those around it and beside the favourites. */
function oneGroup(menu: readonly MenuEntry[], { before, now }: OpenGroups): string[] {
  const opened = now.find((key) => !before.includes(key));
  if (opened === undefined) return [...now];
  const kept = new Set([...groupsAround(menu, opened), FAVOURITES, RECENT]);
  return now.filter((key) => kept.has(key));
}

/** A group and all above it. */
function groupsAround(menu: readonly MenuEntry[], key: string): readonly string[] {
  for (const entry of menu) {
    const own = `group:${entry.name}`;
    if (own === key) return [own];
    const inner = groupsAround(entry.list, key);
    if (inner.length > 0) return [own, ...inner];
  }
  return [];
}

/** The groups around a page. */
function groupsOf(menu: readonly MenuEntry[], path: string): string[] {
  for (const entry of menu) {
    if (entry.url === path) return [];
    if (!entry.list.some((inner) => inner.url === path || groupsOf([inner], path).length > 0)) continue;
    return [`group:${entry.name}`, ...groupsOf(entry.list, path)];
  }
  return [];
}
