/** What a site shows of its company; empty where it leaves something out. */
export interface ShownSite {
  readonly coCode: string;
  readonly coName: string;
  readonly label: string;
  readonly slogan: string;
  readonly background: string | null;
  readonly accent: string;
  readonly hotline: string;
  readonly copyright: string;
  readonly allowRegister: boolean;
  readonly hasOidc: boolean;
}

const NEUTRAL: ShownSite = {
  coCode: '',
  coName: '外贸综合服务平台',
  label: '外贸综合服务 ERP',
  slogan: '一单到底，分毫不差',
  background: null,
  accent: '#1f5fbf',
  hotline: '',
  copyright: '',
  allowRegister: false,
  hasOidc: false,
};

/** A company's site with the neutral one in place of what it leaves empty. */
export function shownSite(given: Partial<ShownSite>): ShownSite {
  const own = Object.entries(given).filter(([, text]) => text !== '');
  return { ...NEUTRAL, ...Object.fromEntries(own) };
}
