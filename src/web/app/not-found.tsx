import { ADDRESS } from '#web/data/addresses.ts';
import { callApi } from '#web/data/http.ts';
import { Button, Result } from 'antd';
import { useEffect, useRef } from 'react';
import { BLOCKED_TEXT } from './guard.ts';
import { UNTITLED } from './tab-title.ts';
import { useTab } from './tab-context.ts';

/** Names the tab of a missing page, and looks whether the page is younger than the definitions read here. */
export function useMissing(isMissing: boolean): void {
  const { setTitle } = useTab();
  const wasMissing = useRef(false);
  useEffect(() => {
    if (isMissing) {
      setTitle('页面不存在');
      // Every answer tells whether there are newer ones.
      callApi('GET /sys/session').catch(() => undefined);
    } else if (wasMissing.current) setTitle(UNTITLED);
    wasMissing.current = isMissing;
  }, [isMissing, setTitle]);
}

/** The site has gone missing, or the role may not see the page. */
export function NotFound({ isKnown }: { readonly isKnown: boolean }) {
  const { openTab } = useTab();
  return (
    <Result
      status={isKnown ? '403' : '404'}
      title={isKnown ? '没有权限' : '404'}
      subTitle={isKnown ? BLOCKED_TEXT : '抱歉，您访问的网站走失了'}
      extra={
        <Button type="primary" onClick={() => openTab(ADDRESS.home)}>
          回到首页
        </Button>
      }
    />
  );
}
