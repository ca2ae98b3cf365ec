import { useEffect, useRef, useSyncExternalStore } from 'react';
import { checkBuild } from '#web/faults/build-watch.ts';
import {
  noteLostConnection,
  serverTrouble,
  subscribeConnection,
  type Trouble,
} from '#web/data/connection.ts';
import './site-bars.css';

const TEXTS: Readonly<Record<Trouble, string>> = {
  lost: '与服务器的连接已断开，正在自动重连。已填写的内容不会丢失。',
  busy: '服务器繁忙或正在维护，恢复后会自动继续。已填写的内容不会丢失。',
};

/** Says that the connection is lost or the server busy; whoever shows it asks again for what failed meanwhile as soon as it is back. */
export function ConnectionBar({ onBack }: { readonly onBack: () => void }) {
  const trouble = useSyncExternalStore(subscribeConnection, serverTrouble);
  const isLost = trouble !== null;
  useEffect(() => {
    window.addEventListener('offline', noteLostConnection);
    return () => window.removeEventListener('offline', noteLostConnection);
  }, []);
  const latest = useRef(onBack);
  latest.current = onBack;
  const wasLost = useRef(false);
  useEffect(() => {
    // A new build is often what the connection was lost for.
    const isBack = wasLost.current && !isLost;
    wasLost.current = isLost;
    if (!isBack) return;
    void checkBuild();
    latest.current();
  }, [isLost]);
  if (trouble === null) return null;
  return (
    <div className="connection-bar" role="alert">
      {TEXTS[trouble]}
    </div>
  );
}
