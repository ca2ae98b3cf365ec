import { useEffect, useState } from 'react';
import type { MenuEntry } from '#contract/shape.ts';
import { ADDRESS } from '#web/data/addresses.ts';
import { BuildBar } from '#web/app/build-bar.tsx';
import { ConnectionBar } from '#web/app/connection-bar.tsx';
import { SiteFooter } from '#web/app/site-footer.tsx';
import { ThumbBar } from '#web/app/thumb-bar.tsx';
import { loadShellAhead, openShell } from '#web/app/show-signed-in.ts';
import { callApi } from '#web/data/http.ts';
import { logOut } from '#web/data/log-out.ts';
import { currentSite } from '#web/data/site.ts';
import { followOtherWindows, roleNameOf, storedPerson, storePerson } from '#web/data/stored-person.ts';
import { noteFault } from '#web/faults/fault-boundary.tsx';
import { FaceHome } from './face-home.tsx';

/** Header, home page and a bar at the thumb; every other page opens in the shell, which is loaded then. */
export function FaceShell() {
  const [person] = useState(storedPerson);
  const [group, setGroup] = useState<MenuEntry | null>(null);
  const [isChoosing, setChoosing] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [returns, setReturns] = useState(0);
  useEffect(() => followOtherWindows(), []);
  useEffect(() => {
    document.title = '首页';
  }, []);
  const unread = useUnread();
  const welcome = useWelcome();
  if (person === null) return null;
  const open = (address: string) => {
    setLeaving(true);
    history.pushState(null, '', address);
    openShell().catch((fault: unknown) => {
      noteFault(fault);
      location.reload();
    });
  };
  const choose = (entry: MenuEntry | null, isOfCompanies = false) => {
    setChoosing(isOfCompanies);
    setGroup(entry);
  };
  const hasOthers = person.userList.length > 1;
  return (
    // Whoever touches the page is about to go on: until then only the home page was worth its bytes.
    <div className="face-shell" onPointerDownCapture={loadShellAhead}>
      <header className="face-head">
        <b>{currentSite().label}</b>
        <span>{person.coName}</span>
        <button type="button" onClick={() => open(ADDRESS.messages)}>
          消息{unread > 0 && <i className="face-unread">{unread > 99 ? '99+' : unread}</i>}
        </button>
        <button type="button" onClick={() => open(ADDRESS.help)}>
          帮助
        </button>
        <button
          type="button"
          className="face-person"
          {...(hasOthers ? { 'aria-expanded': isChoosing } : {})}
          onClick={() => (hasOthers ? choose(null, !isChoosing) : open(ADDRESS.self))}
        >
          {person.name}（{roleNameOf(person)}）
        </button>
        <button type="button" onClick={() => void leave()}>
          退出
        </button>
      </header>
      {(isLeaving || welcome !== null) && (
        <p className="face-leaving" role="status">
          {isLeaving ? '正在打开…' : welcome}
        </p>
      )}
      <ConnectionBar onBack={() => setReturns((count) => count + 1)} />
      <BuildBar />
      <FaceHome key={returns} name={person.name} onOpen={open} />
      <SiteFooter />
      {isChoosing && (
        <dialog open className="thumb-sheet" aria-label="切换公司">
          <h2>切换公司</h2>
          <ul>
            {person.userList.map(({ id, name }) => (
              <li key={id}>
                <button
                  type="button"
                  aria-current={id === person.id ? 'true' : undefined}
                  onClick={() => (id === person.id ? setChoosing(false) : void become(id))}
                >
                  {name}
                  {id === person.id && '（当前）'}
                </button>
              </li>
            ))}
            <li>
              <button type="button" onClick={() => open(ADDRESS.self)}>
                个人中心
              </button>
            </li>
          </ul>
        </dialog>
      )}
      <ThumbBar menu={person.menuList} address={ADDRESS.home} group={group} onGroup={choose} onOpen={open} />
    </div>
  );
}

const WELCOME_MS = 3_000;

/** What the login page wanted to say, for three seconds. */
function useWelcome(): string | null {
  const [text, setText] = useState(() => sessionStorage.getItem('login-message'));
  useEffect(() => {
    sessionStorage.removeItem('login-message');
    const timer = setTimeout(() => setText(null), WELCOME_MS);
    return () => clearTimeout(timer);
  }, []);
  return text;
}

/** Unread messages; 0 until known. */
function useUnread(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    callApi('GET /notice/unread', { signal: stop.signal }).then(
      ({ total }) => setCount(total),
      () => undefined,
    );
    return () => stop.abort();
  }, []);
  return count;
}

/** Goes on as another company of the same person; everything is read anew. */
async function become(id: string): Promise<void> {
  try {
    storePerson(await callApi('POST /sys/setPosition', { body: { id } }));
    location.reload();
  } catch (error) {
    window.alert(error instanceof Error ? error.message : '公司没有切换');
  }
}

async function leave(): Promise<void> {
  if (!window.confirm('退出登录？')) return;
  location.assign(await logOut());
}
