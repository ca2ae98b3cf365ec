import { useSyncExternalStore } from 'react';
import { isBuildOld, subscribeBuild } from './build-watch.ts';
import { ChunkFault } from './load-chunk.ts';
import { refreshSystem } from './refresh-system.ts';
import './faults.css';

export interface FaultViewProps {
  readonly what: string;
  readonly isSmall: boolean;
  readonly fault: unknown;
  readonly onRetry: () => void;
}

/** Says what failed and offers what helps: trying again, or the new build when there is one. Without antd, since the login page has it too. */
export function FaultView({ what, isSmall, fault, onRetry }: FaultViewProps) {
  const isOld = useSyncExternalStore(subscribeBuild, isBuildOld);
  const isMissing = fault instanceof ChunkFault;
  const title = isMissing ? `${what}没有加载出来` : `${what}出错了`;
  const help = isOld
    ? '系统已更新，刷新后即可继续。'
    : isMissing
      ? '请检查网络后重试，其他页面不受影响。'
      : '错误已记录，其他页面不受影响。';
  return (
    <section role="alert" className={isSmall ? 'fault-view is-small' : 'fault-view'}>
      <h2>{title}</h2>
      <p>
        {help}
        {!isSmall && '未保存的内容已存入本机草稿，打开后可以恢复。'}
      </p>
      <div>
        <button type="button" className={isOld ? undefined : 'is-primary'} onClick={onRetry}>
          重试
        </button>
        <button
          type="button"
          className={isOld ? 'is-primary' : undefined}
          onClick={() => void refreshSystem()}
        >
          刷新系统
        </button>
      </div>
    </section>
  );
}
