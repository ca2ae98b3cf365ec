import type { Services } from '../services.ts';
import { rowText } from '../db/row-text.ts';

/** What a variant shows of its company before anybody signs in (design section 4). */
export interface Site {
  readonly coCode: string;
  readonly coName: string;
  readonly label: string;
  readonly slogan: string;
  readonly background: string | null;
  readonly accent: string;
  readonly hotline: string;
  readonly copyright: string;
  readonly allowRegister: boolean;
}

interface Region extends Site {
  readonly hosts: readonly string[];
}

const REGISTER_CACHE_MS = 5_000;
const registers = new WeakMap<
  Services['db'],
  { readonly atMs: number; readonly open: Promise<ReadonlyMap<string, boolean>> }
>();

/** The site of an address: a host named in setup/regions.json, else `ae.` in front of any host, else the first company. */
export async function siteOf(services: Services, hostname: string): Promise<Site> {
  const regions = readRegions(services.definitions.setup().files['regions']);
  const host = hostname.toLowerCase();
  const [first = ''] = host.split('.');
  const region =
    regions.find(({ hosts }) => hosts.includes(host)) ??
    regions.find(({ coCode }) => coCode.toLowerCase() === first) ??
    regions[0];
  if (region === undefined) return PLAIN_SITE;
  const open = await registerSwitches(services);
  const { hosts: _hosts, ...site } = region;
  return { ...site, allowRegister: open.get(region.coCode) ?? region.allowRegister };
}

/** Registration is opened and closed on the company's node of the departments. */
function registerSwitches({ db }: Services): Promise<ReadonlyMap<string, boolean>> {
  const known = registers.get(db);
  if (known !== undefined && Date.now() - known.atMs < REGISTER_CACHE_MS) return known.open;
  const open = db
    .query('select code, allow_register from department where is_company and not is_deleted')
    .then((rows) => new Map(rows.map((row) => [rowText(row, 'code'), row['allow_register'] === true])));
  registers.set(db, { atMs: Date.now(), open });
  open.catch(() => registers.delete(db));
  return open;
}

function readRegions(file: unknown): readonly Region[] {
  const list: readonly unknown[] = Array.isArray(file) ? file : [];
  return list.filter(isRecord).map((entry) => {
    const text = (...names: readonly string[]): string =>
      names.map((name) => entry[name]).find((value) => typeof value === 'string') ?? '';
    const hosts: readonly unknown[] = Array.isArray(entry['hosts'])
      ? entry['hosts']
      : entry['host'] === undefined
        ? []
        : [entry['host']];
    return {
      coCode: text('coCode', 'co_code', 'code'),
      coName: text('coName', 'co_name', 'name'),
      label: text('label'),
      slogan: text('slogan'),
      background: text('background') || null,
      accent: text('accent'),
      hotline: text('hotline'),
      copyright: text('copyright'),
      allowRegister: (entry['allowRegister'] ?? entry['allow_register']) === true,
      hosts: hosts.map((host) => String(host).toLowerCase()),
    };
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const PLAIN_SITE: Site = {
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
