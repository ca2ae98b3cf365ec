import type { Site } from '#contract/meta.ts';
import { regionOfHost } from '#server/records/definitions/regions.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { rowText } from '#server/kernel/db/row-text.ts';

const REGISTER_CACHE_MS = 5_000;
const registers = new WeakMap<
  AppServices['db'],
  { readonly atMs: number; readonly open: Promise<ReadonlyMap<string, boolean>> }
>();

/** The site of an address; an unknown host shows the neutral one, which belongs to no company. A host decides nothing but looks. */
export async function siteOf(services: AppServices, hostname: string): Promise<Site> {
  const region = regionOfHost(services, hostname);
  const hasOidc = services.config.oidc !== null;
  if (region === null) return { ...NEUTRAL_SITE, hasOidc };
  const open = await registerSwitches(services);
  const { coCode, coName, label, slogan, background, accent, hotline, copyright } = region;
  const allowRegister = open.get(coCode) ?? region.allowRegister;
  return { coCode, coName, label, slogan, background, accent, hotline, copyright, allowRegister, hasOidc };
}

/** Registration is opened and closed on the company's node of the departments. */
function registerSwitches({ db }: AppServices): Promise<ReadonlyMap<string, boolean>> {
  const known = registers.get(db);
  if (known !== undefined && Date.now() - known.atMs < REGISTER_CACHE_MS) return known.open;
  const open = db
    .query('select code, allow_register from department where is_company and not is_deleted')
    .then((rows) => new Map(rows.map((row) => [rowText(row, 'code'), row['allow_register'] === true])));
  registers.set(db, { atMs: Date.now(), open });
  open.catch(() => registers.delete(db));
  return open;
}

const NEUTRAL_SITE: Omit<Site, 'hasOidc'> = {
  coCode: '',
  coName: '',
  label: '外贸综合服务 ERP',
  slogan: '',
  background: null,
  accent: '',
  hotline: '',
  copyright: '',
  allowRegister: false,
};
