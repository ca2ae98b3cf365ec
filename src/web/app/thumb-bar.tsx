import './thumb-bar.css';
import type { MenuEntry } from '#contract/shape.ts';
import { ADDRESS } from '#web/data/addresses.ts';

export interface ThumbBarProps {
  readonly menu: readonly MenuEntry[];
  /** Of the page in front. */
  readonly address: string;
  /** The group whose pages are offered; null: none. */
  readonly group: MenuEntry | null;
  readonly onGroup: (group: MenuEntry | null) => void;
  readonly onOpen: (address: string) => void;
}

/** The menu of customers at the thumb: home, and the groups, each of which opens a sheet of its pages. */
export function ThumbBar({ menu, address, group, onGroup, onOpen }: ThumbBarProps) {
  const groups = menu.filter(({ list }) => list.some(({ url }) => url !== ADDRESS.home));
  const path = address.split('?')[0];
  const isHome = path === ADDRESS.home;
  const open = (target: string) => {
    onGroup(null);
    onOpen(target);
  };
  return (
    <>
      {group !== null && (
        <dialog open className="thumb-sheet" aria-label={group.name}>
          <h2>{group.name}</h2>
          <ul>
            {group.list.map(({ url, name }) => (
              <li key={url}>
                <button type="button" onClick={() => open(url)}>
                  {name}
                </button>
              </li>
            ))}
          </ul>
        </dialog>
      )}
      <nav className="thumb-bar" aria-label="底部菜单">
        <button
          type="button"
          aria-current={isHome && group === null ? 'page' : undefined}
          onClick={() => (isHome ? onGroup(null) : open(ADDRESS.home))}
        >
          首页
        </button>
        {groups.map((entry) => (
          <button
            key={entry.name}
            type="button"
            aria-expanded={group === entry}
            aria-current={entry.list.some(({ url }) => url === path) && !isHome ? 'page' : undefined}
            onClick={() => onGroup(group === entry ? null : entry)}
          >
            {entry.name}
          </button>
        ))}
      </nav>
    </>
  );
}
