import { ADDRESS } from '#web/data/addresses.ts';
import { BellOutlined, QuestionCircleOutlined } from '@ant-design/icons';
import { useLogout } from '@refinedev/core';
import { App, Badge, Button, Dropdown } from 'antd';
import { useEffect, useState } from 'react';
import { useUnreadCount } from '#web/data/notices.ts';
import { currentSite } from '#web/data/site.ts';
import type { MenuEntry } from '#contract/shape.ts';
import type { Person } from '#contract/sign-in.ts';
import { roleNameOf } from '#web/data/stored-person.ts';
import { closeLiveStream } from './live-stream.ts';
import { NoticeDrawer } from './notice-drawer.tsx';
import { RoleSwitch } from './role-switch.tsx';
import { forgetTabs } from './tab-memory.ts';
import { SearchDialog } from './search-dialog.tsx';

export interface HeaderProps {
  readonly person: Person;
  readonly menu: readonly MenuEntry[];
  readonly hasUnsaved: boolean;
  readonly onToggleMenu: () => void;
  readonly onOpen: (address: string) => void;
  readonly onSwitched: () => void;
}

/** Logo (toggles the menu), search, messages, person with role switch and logout. */
export function Header({ person, menu, hasUnsaved, onToggleMenu, onOpen, onSwitched }: HeaderProps) {
  const { modal } = App.useApp();
  const site = currentSite();
  const [open, setOpen] = useState<'search' | 'notices' | 'role' | null>(null);
  const unread = useUnreadCount();
  useEffect(() => {
    const openSearch = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      setOpen('search');
    };
    window.addEventListener('keydown', openSearch);
    return () => window.removeEventListener('keydown', openSearch);
  }, []);
  const { mutateAsync: endSession } = useLogout();
  const logout = () =>
    modal.confirm({
      title: '退出登录？',
      ...(hasUnsaved ? { content: '有页面的修改没有保存，退出后只留在本机草稿中。' } : {}),
      okText: '退出',
      cancelText: '取消',
      onOk: async () => {
        forgetTabs();
        closeLiveStream();
        await endSession();
        location.assign(ADDRESS.login);
      },
    });

  return (
    <header className="app-header">
      <button type="button" className="app-logo" aria-label="折叠或展开菜单" onClick={onToggleMenu}>
        <span aria-hidden="true">☰</span>
        <b>{site.label}</b>
      </button>
      <button type="button" className="header-search" onClick={() => setOpen('search')}>
        搜索单据、名称、菜单 <kbd>Ctrl K</kbd>
      </button>
      <span className="header-space" />
      <span className="header-company">{person.coName}</span>
      <Badge count={unread} size="small" overflowCount={99} offset={[-8, 6]}>
        <Button type="text" icon={<BellOutlined />} aria-label="消息" onClick={() => setOpen('notices')}>
          <span className="header-text">消息</span>
        </Button>
      </Badge>
      <Button
        type="text"
        icon={<QuestionCircleOutlined />}
        aria-label="帮助"
        onClick={() => onOpen(ADDRESS.help)}
      >
        <span className="header-text">帮助</span>
      </Button>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            { key: 'self', label: '个人中心' },
            { key: 'role', label: '切换角色' },
            { type: 'divider' },
            { key: 'logout', label: '退出登录' },
          ],
          onClick: ({ key }) => {
            if (key === 'self') onOpen(ADDRESS.self);
            if (key === 'role') setOpen('role');
            if (key === 'logout') logout();
          },
        }}
      >
        <Button type="text">
          <span className="header-person">
            {person.name}（{roleNameOf(person)}）
          </span>
        </Button>
      </Dropdown>
      {open === 'search' && <SearchDialog menu={menu} onOpen={onOpen} onClose={() => setOpen(null)} />}
      <NoticeDrawer isOpen={open === 'notices'} onOpen={onOpen} onClose={() => setOpen(null)} />
      {open === 'role' && (
        <RoleSwitch
          person={person}
          hasUnsaved={hasUnsaved}
          onClose={() => setOpen(null)}
          onSwitched={() => {
            setOpen(null);
            onSwitched();
          }}
        />
      )}
    </header>
  );
}
