import type { Site } from './meta.ts';

const NEUTRAL: Site = {
  coCode: '',
  coName: '外贸综合服务平台',
  label: '外贸综合服务 ERP',
  slogan: '一单到底，分毫不差',
  background: null,
  accent: '#1f5fbf',
  hotline: '',
  copyright: '',
  allowRegister: false,
};

/** A company's site with the neutral one in place of what it leaves empty. */
export function shownSite(given: Partial<Site>): Site {
  const own = Object.entries(given).filter(([, text]) => text !== '');
  return { ...NEUTRAL, ...Object.fromEntries(own) };
}
