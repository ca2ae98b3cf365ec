import { ADDRESS } from '#web/data/addresses.ts';
import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { followOtherWindows, storedPerson, subscribePerson } from '#web/data/stored-person.ts';
import { findPage, isFormOfRecord, useResourceList } from '#web/data/resource-list.ts';
import { FaultBoundary } from '#web/faults/fault-boundary.tsx';
import { BuildBar } from './build-bar.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { BLOCKED_TEXT, guard, guardAtOnce, isGuardedAtOnce, withoutToken } from './guard.ts';
import { Header } from './header.tsx';
import { isOutside } from './outside-pages.tsx';
import { useDefinitionAhead, usePagesAhead } from './use-ahead.ts';
import { useFreshDefinitions } from './use-fresh-definitions.ts';
import { useLive } from './use-live.ts';
import { isMenuOverPage, useMenuOpen } from './use-menu-open.ts';
import { returnFocus } from './focus-return.ts';
import { useBackCloses } from './use-back-closes.ts';
import { useUnloadQuestion } from './use-unload-question.ts';
import { unsavedAfter } from './use-unsaved.ts';
import { useWelcome } from './use-welcome.ts';
import { useRoutes } from './routes.ts';
import { PartnerBar } from './partner-bar.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SideMenu } from './side-menu.tsx';
import { TabBar } from './tab-bar.tsx';
import { isFirstPage } from './first-page.ts';
import { menuName, menuPlace } from './menu-place.ts';
import { keepPages } from './page-end.ts';
import { usePageMarks } from './page-marks.ts';
import { rememberedTabs, rememberTabs } from './tab-memory.ts';
import { type PaneActions, TabPane } from './tab-pane.tsx';
import {
  CLEAN,
  fixedTabs,
  type OpenTab,
  type TabState,
  change,
  close,
  move,
  readdress,
  tabKey,
  visit,
  withoutUid,
} from './tab-store.ts';
import { givenTitle, UNTITLED } from './tab-title.ts';

/** Header, side menu, tab bar and the living pages. */
export function Layout() {
  const { message, modal } = App.useApp();
  const navigate = useNavigate();
  const location = useLocation();
  const routes = useRoutes();
  const entries = useResourceList();
  const person = useSyncExternalStore(subscribePerson, storedPerson);
  const [state, setState] = useState<TabState>(() => ({
    tabs: [...fixedTabs(person?.kind === 'partner'), ...(person === null ? [] : rememberedTabs(person))],
    active: '',
  }));
  const [isMenuOpen, setMenuOpen] = useMenuOpen();

  const address = location.pathname + location.search;
  const titleOf = useCallback(
    (target: string) => {
      const path = target.split('?')[0] ?? '';
      // The menu speaks the person's own words.
      const named = menuName(person?.menuList ?? [], path);
      const own = named ?? findPage(entries, target)?.page.title;
      return own ?? routes?.find((route) => route.path === path)?.title ?? UNTITLED;
    },
    [entries, routes, person],
  );
  const latest = useRef<{ state: TabState; closeTabs: (keys: readonly string[]) => void }>({
    state,
    closeTabs: () => undefined,
  });
  useEffect(() => followOtherWindows(), []);
  useEffect(() => {
    // Going back to the login page, say: such pages are not part of the shell.
    if (isOutside(location.pathname)) return window.location.reload();
    const query = new URLSearchParams(location.search);
    const answer = isGuardedAtOnce(query)
      ? Promise.resolve(guardAtOnce(location.pathname))
      : guard(location.pathname, query);
    let isCurrent = true;
    void answer.then((verdict) => {
      if (!isCurrent) return;
      if (verdict === 'login')
        return window.location.assign(`${ADDRESS.login}?back=${encodeURIComponent(address)}`);
      if (verdict === 'blocked') {
        void message.error(BLOCKED_TEXT, 4);
        const { tabs, active } = latest.current.state;
        const current = tabs.find((tab) => tab.key === active)?.address ?? ADDRESS.home;
        return navigate(current, { replace: true });
      }
      if (!isGuardedAtOnce(query)) return navigate(withoutToken(location.pathname, query), { replace: true });
      const shown = location.pathname === ADDRESS.oldHome ? ADDRESS.home : address;
      setState((current) => visit(current, shown, givenTitle(location.state) ?? UNTITLED));
    });
    return () => {
      isCurrent = false;
    };
  }, [address, location.pathname, location.search, location.state, message, navigate]);

  const front = state.tabs.find((tab) => tab.key === state.active);
  const frontTitle =
    front === undefined ? '' : front.title === UNTITLED ? titleOf(front.address) : front.title;
  useEffect(() => {
    if (frontTitle !== '') document.title = frontTitle;
  }, [frontTitle]);
  useEffect(() => {
    if (person !== null) rememberTabs(person, state.tabs);
  }, [person, state.tabs]);
  useEffect(
    () => keepPages(state.tabs.map(({ key, refreshKey }) => ({ id: key, refreshKey }))),
    [state.tabs],
  );
  const isLosable = useUnloadQuestion(state.tabs);
  useBackCloses(isMenuOpen);
  useEffect(() => returnFocus(document), []);
  useWelcome();
  usePagesAhead();
  const definitionAhead = useDefinitionAhead();

  const openTab = useCallback(
    (target: string, title?: string) => {
      if (isOutside(target.split('?')[0] ?? '')) return void window.open(target, '_blank', 'noopener');
      const known = latest.current.state.tabs.find((tab) => tab.key === tabKey(target));
      const shown = known !== undefined && known.key === withoutUid(target) ? known.address : target;
      void navigate(shown, title === undefined ? {} : { state: { title } });
    },
    [navigate],
  );
  useFreshDefinitions(person !== null);
  useLive(person !== null && person.kind !== 'partner', openTab);
  const nameOf = (tab: OpenTab) => (tab.title === UNTITLED ? titleOf(tab.address) : tab.title);
  const closeTabs = (keys: readonly string[]) => {
    const dirty = state.tabs.filter((tab) => keys.includes(tab.key) && tab.isDirty);
    const work = () => {
      const next = close(state, new Set(keys));
      setState(next);
      const shown = next.tabs.find((tab) => tab.key === next.active);
      if (next.active !== state.active && shown !== undefined) void navigate(shown.address);
    };
    if (dirty.length === 0) return work();
    modal.confirm({
      title: '工作保存了吗？',
      content: `「${dirty.map(nameOf).join('」「')}」有未保存的修改，${unsavedAfter('关闭')}`,
      okText: '仍然关闭',
      cancelText: '回去保存',
      // Enter keeps the work.
      autoFocusButton: 'cancel',
      okType: 'default',
      cancelButtonProps: { type: 'primary' },
      onOk: work,
    });
  };
  latest.current = { state, closeTabs };
  const actions = useMemo<PaneActions>(
    () => ({
      change: (key, part) => setState((current) => change(current, key, part)),
      close: (key) => latest.current.closeTabs([key]),
      open: openTab,
      replace: (key, target) => {
        const { state: before } = latest.current;
        setState((current) => readdress(current, key, target));
        if (before.active !== key) return;
        const { tabs, active } = readdress(before, key, target);
        const shown = tabs.find((tab) => tab.key === active)?.address ?? target;
        void navigate(shown, { replace: true });
      },
    }),
    [navigate, openTab],
  );
  const refresh = (tab: OpenTab) => {
    const work = () =>
      setState((current) => change(current, tab.key, { refreshKey: tab.refreshKey + 1, ...CLEAN }));
    if (!tab.isDirty) return work();
    modal.confirm({
      title: '工作保存了吗？',
      content: `「${nameOf(tab)}」有未保存的修改，${unsavedAfter('刷新')}`,
      okText: '仍然刷新',
      cancelText: '回去保存',
      onOk: work,
    });
  };
  const reset = () => {
    // Where it stands at home already nobody visits it: its page is woken here.
    const tabs = fixedTabs(storedPerson()?.kind === 'partner');
    setState(visit({ tabs, active: '' }, ADDRESS.home, UNTITLED));
    void navigate(ADDRESS.home);
  };
  const client = useQueryClient();
  // Who came by a link has nothing behind it.
  const goBack = () => void (isFirstPage() ? navigate(ADDRESS.home) : navigate(-1));
  const askAgain = () =>
    void client.invalidateQueries({
      predicate: ({ state: { status } }) => status === 'error',
      refetchType: 'active',
    });
  const menuList = useMemo(() => person?.menuList ?? [], [person]);
  const shownTabs = state.tabs.map((tab) =>
    tab.title === UNTITLED ? { ...tab, title: titleOf(tab.address) } : tab,
  );
  const { marks, visit: noteVisit, toggle } = usePageMarks(person?.id ?? '');
  const visited = front === undefined || front.isFixed ? null : withoutUid(front.address);
  useEffect(() => {
    if (visited !== null && frontTitle !== '' && frontTitle !== UNTITLED)
      noteVisit({ address: visited, title: frontTitle });
  }, [visited, frontTitle, noteVisit]);
  const favourites = useMemo(
    () => new Set(marks.favourites.map(({ address: kept }) => tabKey(kept))),
    [marks],
  );

  if (person === null) return null;
  return (
    <div className={isMenuOpen ? 'layout' : 'layout menu-closed'}>
      <a
        className="skip-link"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          document.querySelector<HTMLElement>('#content')?.focus();
        }}
      >
        跳到正文
      </a>
      <FaultBoundary what="页头" isSmall>
        <Header
          person={person}
          menu={menuList}
          unsaved={shownTabs.filter((tab) => tab.isDirty).map((tab) => tab.title)}
          marks={marks}
          address={front?.address ?? ''}
          onToggleMenu={() => setMenuOpen(!isMenuOpen)}
          onBack={front === undefined || front.isFixed ? null : goBack}
          onOpen={openTab}
          onSwitched={reset}
        />
      </FaultBoundary>
      <FaultBoundary what="菜单" isSmall>
        <SideMenu
          menu={menuList}
          active={menuPlace(menuList, routes, front?.address.split('?')[0] ?? '')}
          uid={person.id}
          marks={marks}
          isCollapsed={!isMenuOpen}
          onNear={definitionAhead}
          onOpen={(target) => {
            if (isMenuOverPage()) setMenuOpen(false);
            openTab(target);
          }}
        />
      </FaultBoundary>
      {isMenuOpen && (
        <button
          type="button"
          className="menu-shade"
          aria-label="收起菜单"
          onClick={() => setMenuOpen(false)}
        />
      )}
      <TabBar
        tabs={shownTabs}
        active={state.active}
        favourites={favourites}
        isForm={(tab) => isFormOfRecord(entries, tab.address)}
        onMove={(key, before) => setState((current) => move(current, key, before))}
        onFavourite={(tab) => toggle({ address: withoutUid(tab.address), title: tab.title })}
        onOpen={(tab) => void navigate(tab.address)}
        onClose={closeTabs}
        onRefresh={refresh}
      />
      <div className="layout-bars">
        <ConnectionBar onBack={askAgain} />
        <BuildBar isLosable={isLosable} />
      </div>
      <SiteFooter />
      <PartnerBar kind={person.kind} menu={menuList} address={front?.address ?? ''} onOpen={openTab} />
      <main className="panes" id="content" tabIndex={-1}>
        {state.tabs
          .filter((tab) => tab.isAwake)
          .map((tab) => (
            <TabPane
              key={`${tab.pane}#${tab.refreshKey}`}
              tab={tab}
              title={nameOf(tab)}
              isActive={tab.key === state.active}
              actions={actions}
            />
          ))}
      </main>
    </div>
  );
}
