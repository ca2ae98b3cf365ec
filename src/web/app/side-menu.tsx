import { Input, Menu, type MenuProps } from 'antd';
import { useMemo, useState } from 'react';
import type { MenuEntry } from '#contract/shape.ts';

export interface SideMenuProps {
  readonly menu: readonly MenuEntry[];
  readonly active: string;
  readonly uid: string;
  readonly onOpen: (address: string) => void;
}

const OPEN_KEY = 'menuOpen';

type Item = NonNullable<MenuProps['items']>[number] & { readonly key: string };

/** The person's menu: nested, searchable; remembers what was open. Every address gets the uid parameter. */
export function SideMenu({ menu, active, uid, onOpen }: SideMenuProps) {
  const [keyword, setKeyword] = useState('');
  const [openKeys, setOpenKeys] = useState<string[] | null>(readOpenKeys);
  // Until somebody opens or closes a group, the one of the page in front stands open.
  const shownKeys = openKeys ?? groupsOf(menu, active);
  const items = useMemo(() => toItems(menu, keyword.trim()), [menu, keyword]);
  const groups = useMemo(() => items.flatMap((item) => ('children' in item ? [item.key] : [])), [items]);
  return (
    <nav className="side-menu" aria-label="菜单">
      <Input
        className="menu-search"
        placeholder="查找菜单"
        aria-label="查找菜单"
        allowClear
        size="small"
        value={keyword}
        onChange={(event) => setKeyword(event.target.value)}
      />
      <Menu
        mode="inline"
        inlineIndent={14}
        items={items}
        selectedKeys={[active]}
        openKeys={keyword === '' ? shownKeys : groups}
        onOpenChange={(keys) => {
          if (keyword !== '') return;
          setOpenKeys(keys);
          sessionStorage.setItem(OPEN_KEY, JSON.stringify(keys));
        }}
        onClick={({ key }) => onOpen(`${key}${key.includes('?') ? '&' : '?'}uid=${uid}`)}
      />
    </nav>
  );
}

function toItems(menu: readonly MenuEntry[], keyword: string): Item[] {
  return menu.flatMap((entry): Item[] => {
    const isHit = keyword === '' || entry.name.includes(keyword);
    if (entry.list.length === 0)
      return isHit && entry.url !== '' ? [{ key: entry.url, label: entry.name }] : [];
    const children = toItems(entry.list, isHit ? '' : keyword);
    return children.length === 0 ? [] : [{ key: `group:${entry.name}`, label: entry.name, children }];
  });
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

function readOpenKeys(): string[] | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(OPEN_KEY) ?? 'null');
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : null;
  } catch {
    return null;
  }
}
