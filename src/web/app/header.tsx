import { ADDRESS } from '#web/data/addresses.ts';
import { BellOutlined, QuestionCircleOutlined } from '@ant-design/icons';
import { useLogout } from '@refinedev/core';
import { App, Badge, Button, Dropdown } from 'antd';
import { useState, useSyncExternalStore } from 'react';
import { findPage, useResourceList } from '#web/data/resource-list.ts';
import { useUnreadCount } from '#web/data/notices.ts';
import { currentSite } from '#web/data/site.ts';
import type { MenuEntry } from '#contract/shape.ts';
import type { ResourceEntry } from '#contract/meta.ts';
import type { Person } from '#contract/sign-in.ts';
import { roleNameOf } from '#web/data/stored-person.ts';
import type { Command } from './commands.ts';
import { KeyList } from './key-list.tsx';
import type { PageMarks } from './page-marks.ts';
import { useAppKeys } from './use-app-keys.ts';
import { closeLiveStream } from './live-stream.ts';
import { currentLook, subscribeLook } from '#web/data/look.ts';
import { lookMenu } from './look-menu.ts';
import { NoticeDrawer } from './notice-drawer.tsx';
import { CustomerSwitch } from './customer-switch.tsx';
import { RoleSwitch } from './role-switch.tsx';
import { forgetTabs } from './tab-memory.ts';
import { SearchDialog } from './search-dialog.tsx';
import { unsavedAfter } from './use-unsaved.ts';

export interface HeaderProps {
  readonly person: Person;
  readonly menu: readonly MenuEntry[];
  /** Titles of the pages with unsaved work. */
  readonly unsaved: readonly string[];
  readonly marks: PageMarks;
  /** The page in front. */
  readonly address: string;
  readonly onToggleMenu: () => void;
  /** The way back, on a phone; null where a fixed page stands in front. */
  readonly onBack: (() => void) | null;
  readonly onOpen: (address: string) => void;
  readonly onSwitched: () => void;
}

/** Logo (toggles the menu), search, messages, person with role switch and logout. */
export function Header({ person, menu, unsaved, onToggleMenu, onOpen, onSwitched, ...props }: HeaderProps) {
  const { modal } = App.useApp();
  const site = currentSite();
  const hasUnsaved = unsaved.length > 0;
  const [open, setOpen] = useState<'search' | 'notices' | 'role' | 'keys' | null>(null);
  const unread = useUnreadCount();
  const entries = useResourceList();
  useAppKeys({
    onSearch: () => setOpen('search'),
    onKeyList: () => setOpen('keys'),
    onNew: () => {
      const form = formOf(entries, props.address);
      if (form !== null) onOpen(form);
    },
  });
  useSyncExternalStore(subscribeLook, currentLook);
  const { mutateAsync: endSession } = useLogout();
  const logout = () =>
    modal.confirm({
      title: '退出登录？',
      ...(hasUnsaved
        ? { content: `「${unsaved.join('」「')}」的修改没有保存，${unsavedAfter('退出')}` }
        : {}),
      okText: '退出',
      cancelText: '取消',
      onOk: async () => {
        forgetTabs();
        closeLiveStream();
        const { next } = await endSession();
        location.assign(typeof next === 'string' ? next : ADDRESS.login);
      },
    });

  const about = person.kind === 'partner' ? null : helpOf(entries, props.address);
  const position = positionTitle(person);
  const own: readonly Command[] = [
    ...(about === null
      ? []
      : [{ key: 'own about', kind: '命令' as const, text: `${about.title}说明`, address: about.address }]),
    { key: 'own self', kind: '命令', text: '个人中心', address: ADDRESS.self },
    { key: 'own help', kind: '命令', text: '帮助', address: ADDRESS.help },
    { key: 'own messages', kind: '命令', text: '消息中心', address: ADDRESS.messages },
    { key: 'own keys', kind: '命令', text: '按键一览', run: () => setOpen('keys') },
    ...(position === null
      ? []
      : [{ key: 'own role', kind: '命令' as const, text: position, run: () => setOpen('role') }]),
    {
      key: 'own logout',
      kind: '命令',
      text: '退出登录',
      run: () => {
        void logout();
      },
    },
  ];

  const Position = person.kind === 'partner' ? CustomerSwitch : RoleSwitch;
  return (
    <header className="app-header">
      {props.onBack !== null && (
        <button type="button" className="header-back" aria-label="返回" onClick={props.onBack}>
          ‹
        </button>
      )}
      <button
        type="button"
        className="app-logo"
        aria-label={`${site.label}：折叠或展开菜单`}
        onClick={onToggleMenu}
      >
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
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            ...(about === null ? [] : [{ key: about.address, label: `${about.title}说明` }]),
            { key: ADDRESS.help, label: '帮助文档' },
            { key: 'keys', label: '按键一览' },
          ],
          onClick: ({ key }) => (key === 'keys' ? setOpen('keys') : onOpen(key)),
        }}
      >
        <Button type="text" icon={<QuestionCircleOutlined />} aria-label="帮助">
          <span className="header-text">帮助</span>
        </Button>
      </Dropdown>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            { key: 'self', label: '个人中心' },
            ...(position === null ? [] : [{ key: 'role', label: position }]),
            { key: 'keys', label: '按键一览' },
            lookMenu(),
            { type: 'divider' },
            { key: 'logout', label: '退出登录' },
          ],
          onClick: ({ key }) => {
            if (key === 'self') onOpen(ADDRESS.self);
            if (key === 'role') setOpen('role');
            if (key === 'keys') setOpen('keys');
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
      {open === 'search' && (
        <SearchDialog
          menu={menu}
          marks={props.marks}
          own={own}
          onOpen={onOpen}
          onClose={() => setOpen((current) => (current === 'search' ? null : current))}
        />
      )}
      {open === 'keys' && <KeyList onClose={() => setOpen(null)} />}
      <NoticeDrawer isOpen={open === 'notices'} onOpen={onOpen} onClose={() => setOpen(null)} />
      {open === 'role' && (
        <Position
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

/** What of a session may be changed: an employee's role, the company of whoever stands for several; else nothing. */
function positionTitle({ kind, userList }: Person): string | null {
  if (kind === 'staff') return '切换角色';
  return userList.length > 1 ? '切换公司' : null;
}

/** The form of what a page shows; null where the person begins none. */
function formOf(entries: readonly ResourceEntry[], address: string): string | null {
  const found = findPage(entries, address);
  if (found === null || !found.entry.operations.includes('create')) return null;
  return found.page.edit ?? found.entry.pages.find(({ kind }) => kind === 'edit')?.route ?? null;
}

/** The help page of what a page shows; null where it shows no resource. */
function helpOf(entries: readonly ResourceEntry[], address: string) {
  const entry = findPage(entries, address)?.entry;
  if (entry === undefined) return null;
  return { title: entry.title, address: `${ADDRESS.resourceHelp}?resource=${entry.resource}` };
}
