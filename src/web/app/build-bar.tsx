import { useEffect, useSyncExternalStore } from 'react';
import { isBuildOld, subscribeBuild, watchBuild } from '#web/faults/build-watch.ts';
import { refreshSystem } from '#web/faults/refresh-system.ts';
import './site-bars.css';

interface BuildBarProps {
  /** Something was typed that no draft keeps: the browser asks about it. */
  readonly isLosable?: boolean;
}

/** Says that the system was updated; a click keeps all drafts and loads the new pages. Until then the old ones go on. */
export function BuildBar({ isLosable = false }: BuildBarProps) {
  const isOld = useSyncExternalStore(subscribeBuild, isBuildOld);
  useEffect(() => watchBuild(), []);
  if (!isOld) return null;
  return (
    <button type="button" className="build-bar" role="alert" onClick={() => void refreshSystem()}>
      系统已更新，<b>点此刷新</b>（{isLosable ? '表单草稿已保留，意见、评论等请先提交' : '草稿已保留'}）
    </button>
  );
}
