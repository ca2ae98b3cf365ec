import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { checkBuild } from '#web/faults/build-watch.ts';
import { isConnectionLost, noteLostConnection, subscribeConnection } from '#web/data/connection.ts';

/** Says that the connection is lost, and asks again for what failed meanwhile as soon as it is back. */
export function ConnectionBar() {
  const client = useQueryClient();
  const isLost = useSyncExternalStore(subscribeConnection, isConnectionLost);
  useEffect(() => {
    window.addEventListener('offline', noteLostConnection);
    return () => window.removeEventListener('offline', noteLostConnection);
  }, []);
  const wasLost = useRef(false);
  useEffect(() => {
    // A new build is often what the connection was lost for.
    if (wasLost.current && !isLost) void checkBuild();
    wasLost.current = isLost;
    if (isLost) return;
    void client.invalidateQueries({
      predicate: ({ state }) => state.status === 'error',
      refetchType: 'active',
    });
  }, [client, isLost]);
  if (!isLost) return null;
  return (
    <div className="connection-bar" role="alert">
      与服务器的连接已断开，正在自动重连。已填写的内容不会丢失。
    </div>
  );
}
