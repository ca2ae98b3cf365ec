import { DownOutlined, EditOutlined, StarFilled } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { moveOfKey } from './step-of-key.ts';
import type { OpenTab } from './tab-store.ts';
import { isRecordNumber } from './tab-title.ts';

export interface TabBarProps {
  readonly tabs: readonly OpenTab[];
  readonly active: string;
  /** Keys of the tabs of favourite pages, open or not. */
  readonly favourites: ReadonlySet<string>;
  /** Whether a tab holds the form of a record, which is named like its details. */
  readonly isForm: (tab: OpenTab) => boolean;
  readonly onOpen: (tab: OpenTab) => void;
  readonly onClose: (keys: readonly string[]) => void;
  readonly onRefresh: (tab: OpenTab) => void;
  readonly onFavourite: (tab: OpenTab) => void;
  /** A tab was dragged to the place of another, or moved past it by its keys. */
  readonly onMove: (key: string, before: string) => void;
}

/**
 * The visited pages: click opens, middle click closes, right click offers what else can be done; they are put into order
 * by dragging or by Alt+Shift and an arrow; the one in front is always in view, the wheel moves the bar, and a list names them all. A dot marks unsaved work.
 */
export function TabBar(props: TabBarProps) {
  const { tabs, active, onOpen } = props;
  const bar = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const title = tabs.find((tab) => tab.key === active)?.title;
  useEffect(() => {
    bar.current?.querySelector('.tab.active')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active, title, tabs.length]);
  return (
    <div className="tab-row">
      {/* The tabs without the buttons that stand between them. */}
      <span
        role="tablist"
        aria-label="打开的页面"
        aria-owns={tabs.map((_, place) => tabId(place)).join(' ')}
      />
      <div
        className="tab-bar"
        ref={bar}
        onWheel={({ currentTarget, deltaX, deltaY }) => {
          // A wheel without a sideways axis turns the bar.
          if (deltaX === 0) currentTarget.scrollLeft += deltaY;
        }}
      >
        {tabs.map((tab) => (
          <Tab
            key={tab.key}
            {...props}
            tab={tab}
            onDrag={setDragged}
            onDrop={() => {
              if (dragged !== null && dragged !== tab.key && !tab.isFixed) props.onMove(dragged, tab.key);
              setDragged(null);
            }}
          />
        ))}
      </div>
      <Dropdown
        trigger={['click']}
        menu={{
          className: 'tab-list',
          selectedKeys: [active],
          items: tabs.map((tab) => ({
            key: tab.key,
            label: `${tab.isDirty ? '● ' : ''}${nameIn(props, tab)}`,
          })),
          onClick: ({ key }) => {
            const tab = tabs.find((one) => one.key === key);
            if (tab !== undefined) onOpen(tab);
          },
        }}
      >
        <Button type="text" size="small" icon={<DownOutlined />} aria-label="全部页签" title="全部页签" />
      </Dropdown>
    </div>
  );
}

/** A tab's whole name: the form of a record beside its details. */
function nameIn({ isForm }: Pick<TabBarProps, 'isForm'>, tab: OpenTab): string {
  return isForm(tab) ? `${tab.title}（编辑）` : tab.title;
}

/** Names the tab at a place, for the list that owns it. */
function tabId(place: number): string {
  return `open-tab-${place}`;
}

interface TabProps extends TabBarProps {
  readonly tab: OpenTab;
  readonly onDrag: (key: string | null) => void;
  readonly onDrop: () => void;
}

function Tab({ tab, tabs, active, favourites, onOpen, onClose, onRefresh, ...props }: TabProps) {
  const place = tabs.indexOf(tab);
  const right = tabs.slice(place + 1).filter(({ isFixed }) => !isFixed);
  const others = tabs.filter((one) => !one.isFixed && one !== tab);
  const isFavourite = favourites.has(tab.key);
  return (
    <Dropdown
      trigger={['contextMenu']}
      menu={{
        items: [
          { key: 'refresh', label: '刷新' },
          { key: 'favourite', label: isFavourite ? '取消收藏' : '收藏' },
          { type: 'divider' },
          { key: 'close', label: '关闭', disabled: tab.isFixed },
          { key: 'others', label: '关闭其他', disabled: others.length === 0 },
          { key: 'right', label: '关闭右侧', disabled: right.length === 0 },
          { key: 'all', label: '关闭所有' },
        ],
        onClick: ({ key }) => {
          if (key === 'refresh') onRefresh(tab);
          if (key === 'favourite') props.onFavourite(tab);
          if (key === 'close') onClose([tab.key]);
          if (key === 'others') onClose(keysOf(others));
          if (key === 'right') onClose(keysOf(right));
          if (key === 'all') onClose(keysOf(tabs.filter(({ isFixed }) => !isFixed)));
        },
      }}
    >
      <div
        className={`tab${tab.key === active ? ' active' : ''}${tab.isFixed ? ' is-fixed' : ''}`}
        draggable={!tab.isFixed}
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move';
          props.onDrag(tab.key);
        }}
        onDragEnd={() => props.onDrag(null)}
        onDragOver={(event) => {
          if (!tab.isFixed) event.preventDefault();
        }}
        onDrop={props.onDrop}
      >
        <button
          type="button"
          role="tab"
          id={tabId(place)}
          aria-selected={tab.key === active}
          title={nameIn(props, tab)}
          className={isRecordNumber(tab.title) ? 'is-number' : undefined}
          aria-keyshortcuts={tab.isFixed ? undefined : 'Alt+Shift+ArrowLeft Alt+Shift+ArrowRight'}
          onKeyDown={(event) => {
            const step = moveOfKey(event);
            const neighbour = step === null ? undefined : tabs[place + step];
            if (neighbour === undefined) return;
            event.preventDefault();
            props.onMove(tab.key, neighbour.key);
          }}
          onClick={() => onOpen(tab)}
          onAuxClick={(event) => {
            if (event.button === 1 && !tab.isFixed) onClose([tab.key]);
          }}
        >
          {tab.isDirty && <span className="tab-dot" title="有未保存的修改" />}
          {isFavourite && <StarFilled className="tab-star" aria-label="已收藏" />}
          {props.isForm(tab) && <EditOutlined className="tab-form" aria-hidden />}
          <bdi>{tab.title}</bdi>
        </button>
        {!tab.isFixed && (
          <button
            type="button"
            className="tab-close"
            aria-label={`关闭${tab.title}`}
            onClick={() => onClose([tab.key])}
          >
            ×
          </button>
        )}
      </div>
    </Dropdown>
  );
}

function keysOf(tabs: readonly OpenTab[]): readonly string[] {
  return tabs.map(({ key }) => key);
}
