import { useEffect, useRef, useSyncExternalStore } from 'react';
import { checkBuild } from '#web/faults/build-watch.ts';
import { isConnectionLost, noteLostConnection, subscribeConnection } from '#web/data/connection.ts';
import './site-bars.css';

/** Says that the connection is lost; whoever shows it asks again for what failed meanwhile as soon as it is back. */
export function ConnectionBar({ onBack }: { readonly onBack: () => void }) {
  const isLost = useSyncExternalStore(subscribeConnection, isConnectionLost);
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
  if (!isLost) return null;
  return (
    <div className="connection-bar" role="alert">
      与服务器的连接已断开，正在自动重连。已填写的内容不会丢失。
    </div>
  );
}
