import type { ErpRecord } from '#engine/schema/resource.ts';
import type { ShownSite } from '#engine/values/shown-site.ts';
import type { Services } from '#server/records/services.ts';
import { AppError } from '#server/kernel/errors.ts';

/** A company's variant of the product, an entry of setup/regions.json. */
export interface Region extends Omit<ShownSite, 'hasOidc'> {
  readonly coNameEn: string;
  /** The company's number with the tax authority; empty where the file has none. */
  readonly taxNo: string;
  /** On papers: where it is, in Chinese and English, and its town for drafts (`SHANGHAI, CHINA`). */
  readonly address: string;
  readonly addressEn: string;
  readonly placeEn: string;
  /** In lower case, without a port. */
  readonly hosts: readonly string[];
}

type Surroundings = Pick<Services, 'config' | 'definitions'>;

const COMPANY = '{company}';
const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The region served at a host: named in its `hosts`, its name in ERP_PUBLIC_URL, or `<company>.localhost`. Null for any other host. */
export function regionOfHost({ config, definitions }: Surroundings, hostname: string): Region | null {
  const host = hostname.toLowerCase();
  const isServedBy = (region: Region): boolean => {
    const company = region.coCode.toLowerCase();
    if (region.hosts.includes(host) || host === `${company}.localhost`) return true;
    const named =
      config.publicUrl?.includes(COMPANY) === true ? addressFor(config.publicUrl, region.coCode) : null;
    return named !== null && new URL(named).hostname === host;
  };
  return readRegions(definitions.setup().files['regions']).find(isServedBy) ?? null;
}

/** The entry of a company; null when the file has none. */
export function regionOfCompany(
  { definitions }: { readonly definitions: Pick<Services['definitions'], 'setup'> },
  coCode: string,
): Region | null {
  return readRegions(definitions.setup().files['regions']).find((one) => one.coCode === coCode) ?? null;
}

/** What formulas read as `company.x` of a company; of one without an entry only its code. */
export function companyValues(
  definitions: Pick<Services['definitions'], 'setup'>,
  coCode: string,
): ErpRecord {
  const region = regionOfCompany({ definitions }, coCode);
  const { coName = null, coNameEn = null, taxNo = null, hotline = null } = region ?? {};
  const { address = null, addressEn = null, placeEn = null } = region ?? {};
  return {
    co_code: coCode,
    name: coName,
    name_en: coNameEn,
    tax_no: taxNo,
    hotline,
    address,
    address_en: addressEn,
    place_en: placeEn,
  };
}

/**
 * Where a company's users reach the product, without a slash at the end: for links in messages. It comes from the
 * configuration only, never from a request, so that nobody can have a link sent that leads elsewhere.
 * @throws RULE_REFUSED when no address is known.
 */
export function publicAddress({ config, definitions }: Surroundings, coCode: string): string {
  if (config.publicUrl !== null) return addressFor(config.publicUrl, coCode);
  const region = readRegions(definitions.setup().files['regions']).find((one) => one.coCode === coCode);
  const hosts = region?.hosts ?? [];
  if (config.isDemo) {
    const host = hosts.includes('localhost') ? 'localhost' : `${coCode.toLowerCase()}.localhost`;
    return `http://${host}:${config.port}`;
  }
  const host = hosts.find((one) => !LOCAL_HOSTS.includes(one));
  if (host === undefined)
    throw new AppError('RULE_REFUSED', { message: '没有配置对外访问地址，无法发送链接，请联系管理员' });
  return `https://${host}`;
}

function addressFor(publicUrl: string, coCode: string): string {
  return publicUrl.replace(COMPANY, coCode.toLowerCase());
}

const known = new WeakMap<object, readonly Region[]>();

/** Asked for by every request: a file is read once. */
function readRegions(file: unknown): readonly Region[] {
  if (!Array.isArray(file)) return [];
  const before = known.get(file);
  if (before !== undefined) return before;
  const regions = regionsIn(file);
  known.set(file, regions);
  return regions;
}

function regionsIn(list: readonly unknown[]): readonly Region[] {
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
      coNameEn: text('coNameEn', 'co_name_en', 'name_en'),
      taxNo: text('taxNo', 'tax_no'),
      address: text('address'),
      addressEn: text('addressEn', 'address_en'),
      placeEn: text('placeEn', 'place_en'),
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
