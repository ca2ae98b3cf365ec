import { currentSite } from '#web/data/site.ts';
import './site-bars.css';

/** One line: whose system it is, and whom to call. */
export function SiteFooter() {
  const { copyright, coName, hotline } = currentSite();
  return (
    <footer className="site-footer">
      <span>{copyright === '' ? coName : copyright}</span>
      {hotline !== '' && <span>服务热线 {hotline}</span>}
    </footer>
  );
}
