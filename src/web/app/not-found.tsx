import { ADDRESS } from '#web/data/addresses.ts';
import { Button, Result } from 'antd';
import { useEffect } from 'react';
import { BLOCKED_TEXT } from './guard.ts';
import { useTab } from './tab-context.ts';

/** The site has gone missing, or the role may not see the page. */
export function NotFound({ isKnown }: { readonly isKnown: boolean }) {
  const { openTab, setTitle } = useTab();
  useEffect(() => {
    if (!isKnown) setTitle('页面不存在');
  }, [isKnown, setTitle]);
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
