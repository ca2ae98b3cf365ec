import { expect, test } from 'vitest';
import type { Site } from '#contract/meta.ts';
import { writeLogins } from '#engine/values/written-login.ts';
import { withLogin } from '#server/http/static-site.ts';

const PAGE = '<html lang="zh-CN"><body><div id="root"></div></body></html>';
const SITE: Site = {
  coCode: 'AA',
  coName: '<b>"甲" & 乙</b>',
  label: '$& $1',
  slogan: '',
  background: '/backgrounds/aa.svg',
  accent: '#1677ff',
  hotline: '',
  copyright: '©',
  allowRegister: true,
  hasOidc: false,
};
const written = writeLogins(['/login'], (tab, { label, coName, background, hotline, hasOidc }) =>
  [tab, label, coName, background ?? 'plain', hotline === '' ? 'no hotline' : hotline]
    .concat(hasOidc ? ['oidc'] : [])
    .join('|'),
);

function shown(site: Partial<Site>, cookies = ''): string | undefined {
  const page = withLogin(PAGE, { written, site: { ...SITE, ...site }, cookies });
  return /<div id="root"[^>]*>(.*)<\/div>/.exec(page)?.[0];
}

test.each([
  ['a company as its texts are', {}, '', 'management', '/backgrounds/aa.svg|no hotline'],
  [
    'the way in that was used last',
    {},
    'x=1; login-tab=customer',
    'customer',
    '/backgrounds/aa.svg|no hotline',
  ],
  [
    'the way by an identity provider',
    { hasOidc: true },
    '',
    'management',
    '/backgrounds/aa.svg|no hotline|oidc',
  ],
  ['what a company leaves out', { background: null, hotline: '400' }, '', 'management', 'plain|400'],
])('the login page shows %s', (_, site, cookies, tab, rest) => {
  expect(shown(site, cookies)).toBe(
    `<div id="root" data-login="${tab}">${tab}|$&amp; $1|&lt;b&gt;&quot;甲&quot; &amp; 乙&lt;/b&gt;|${rest}</div>`,
  );
});

test.each([
  ['no way in', {}, 'login-tab=nobody'],
  ['no colour', { accent: 'red;}' }, ''],
])('a page stays empty for what is %s', (_, site, cookies) => {
  expect(shown(site, cookies)).toBe('<div id="root"></div>');
});
