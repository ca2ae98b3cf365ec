import { Dropdown } from 'antd';
import type { OpenTab } from './tab-store.ts';

export interface TabBarProps {
  readonly tabs: readonly OpenTab[];
  readonly active: string;
  readonly onOpen: (tab: OpenTab) => void;
  readonly onClose: (keys: readonly string[]) => void;
  readonly onRefresh: (tab: OpenTab) => void;
}

/** The visited pages: click opens, middle click closes, right click offers 刷新 关闭 关闭其他 关闭所有; a dot marks unsaved work. */
export function TabBar({ tabs, active, onOpen, onClose, onRefresh }: TabBarProps) {
  const others = (key: string) => tabs.filter((tab) => !tab.isFixed && tab.key !== key).map((tab) => tab.key);
  return (
    <div className="tab-bar" role="tablist" aria-label="打开的页面">
      {tabs.map((tab) => (
        <Dropdown
          key={tab.key}
          trigger={['contextMenu']}
          menu={{
            items: [
              { key: 'refresh', label: '刷新' },
              { key: 'close', label: '关闭', disabled: tab.isFixed },
              { key: 'others', label: '关闭其他' },
              { key: 'all', label: '关闭所有' },
            ],
            onClick: ({ key }) => {
              if (key === 'refresh') onRefresh(tab);
              if (key === 'close') onClose([tab.key]);
              if (key === 'others') onClose(others(tab.key));
              if (key === 'all') onClose(others(''));
            },
          }}
        >
          <div className={tab.key === active ? 'tab active' : 'tab'}>
            <button
              type="button"
              role="tab"
              aria-selected={tab.key === active}
              onClick={() => onOpen(tab)}
              onAuxClick={(event) => {
                if (event.button === 1 && !tab.isFixed) onClose([tab.key]);
              }}
            >
              {tab.isDirty && <span className="tab-dot" title="有未保存的修改" />}
              {tab.title}
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
      ))}
    </div>
  );
}
