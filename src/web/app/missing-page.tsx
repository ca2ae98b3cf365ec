import { ADDRESS } from '#web/data/addresses.ts';
import { useEffect } from 'react';
import { currentSite } from '#web/data/site.ts';
import './missing-page.css';

/** The 404 page outside the layout, for whoever is not signed in. */
export function MissingPage() {
  const { label, background } = currentSite();
  useEffect(() => {
    document.title = `页面不存在 - ${label}`;
  }, [label]);
  return (
    <main
      className="missing-page"
      style={background === null ? undefined : { backgroundImage: `url(${background})` }}
    >
      <section>
        <p className="missing-code">404</p>
        <h1>抱歉，您访问的网站走失了</h1>
        <p>地址可能有误，或者该页面尚未开放。</p>
        <a href={ADDRESS.login}>返回登录</a>
      </section>
    </main>
  );
}
