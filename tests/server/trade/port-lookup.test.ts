import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';

let rules: RulesExample;
const countries: Record<string, string> = {};

beforeAll(async () => {
  rules = await startRulesExample({ 'sp.aa': 'SP' });
  for (const [code, name] of [
    ['XA', '甲国'],
    ['XB', '乙国'],
  ] as const)
    countries[code] = await rules.given('country', {
      ...{ code, name, name_en: code, status: 'active' },
    });
  const ports = [
    ['XANHB', '新左恩堡', 'NEW ZORNBURG', 'XA'],
    ['XAHBG', '左恩堡', 'ZORNBURG', 'XA'],
    ['XBHBG', '左恩堡', 'ZORNBURG', 'XB'],
    ['XAHBX', '左恩堡港区', 'ZORNBURG HARBOUR', 'XA'],
    ['XBOLD', '旧左恩堡', 'OLD ZORNBURG', 'XB'],
    ['XARTM', 'Quaydam', 'QUAYDAM', 'XA'],
    ['XBRTM', '奎丹', 'QUAYDAM', 'XB'],
    ['XAQDA', 'Quaydam Creek', 'QUAYDAM CREEK', 'XA'],
    ['XBQDB', '奎丹新港', 'QUAYDAM EUROPOORT', 'XB'],
  ] as const;
  for (const [code, name, name_en, country] of ports)
    await rules.given('port', {
      code,
      name,
      name_en,
      country_id: countries[country],
      port_kind: 'dest',
      is_major: code.startsWith('XB') && name_en.startsWith('QUAYDAM'),
      status: 'active',
    });
}, 300_000);
afterAll(() => rules.example.close());

async function offered(keyword: string, country?: string): Promise<readonly unknown[]> {
  const record = country === undefined ? {} : { dest_country_id: countries[country] };
  const answer = await must(
    rules.as('sp.aa', 'POST', '/lookup/export_contract/port_dest_id', { keyword, record }),
  );
  return (answer['records'] as readonly Fields[]).map(({ caption }) => (caption as readonly string[])[0]);
}

describe('ports that are looked for', () => {
  it('come first where they are called as was typed, then where they begin so', async () => {
    const names = await offered('zornburg');
    expect(new Set(names.slice(0, 2))).toEqual(new Set(['XAHBG', 'XBHBG']));
    expect(names[2]).toBe('XAHBX');
    expect(new Set((await offered('左恩堡')).slice(0, 2))).toEqual(new Set(['XAHBG', 'XBHBG']));
    expect((await offered('xbhbg'))[0]).toBe('XBHBG');
  });

  it('of the country in the form come before others that are called alike, and after one that is called so', async () => {
    expect((await offered('zornburg', 'XA')).slice(0, 2)).toEqual(['XAHBG', 'XBHBG']);
    expect((await offered('zornburg', 'XB')).slice(0, 3)).toEqual(['XBHBG', 'XAHBG', 'XBOLD']);
  });

  it('are at hand where nothing was typed', async () => {
    const names = await offered('', 'XB');
    expect(new Set(names.slice(0, 2))).toEqual(new Set(['XBRTM', 'XBQDB']));
    expect(new Set(names.slice(2, 4))).toEqual(new Set(['XBHBG', 'XBOLD']));
  });

  it('come first where ships of foreign trade call, unless the form names another country', async () => {
    expect((await offered('quaydam')).slice(0, 3)).toEqual(['XBRTM', 'XARTM', 'XBQDB']);
    expect((await offered('quaydam', 'XA')).slice(0, 2)).toEqual(['XARTM', 'XBRTM']);
  });
});

describe('the port of a document', () => {
  const remindedOf = async (resource: string, country: string): Promise<readonly unknown[]> => {
    const [port] = await rules.example.services.db.query<{ id: string }>(
      `select id from port where code = 'XBRTM'`,
    );
    const { problems } = (await must(
      rules.as('sp.aa', 'POST', `/data/${resource}/preview`, {
        port_dest_id: port?.id,
        dest_country_id: countries[country],
      }),
    )) as unknown as { problems: readonly { path: string; level?: string; message: string }[] };
    return problems
      .filter(({ path, level }) => path === 'port_dest_id' && level === 'warning')
      .map(({ message }) => message);
  };

  it.each(['export_order', 'export_contract', 'shipment'])(
    'is reminded of in %s where it lies in another country than the goods go to',
    async (resource) => {
      expect(await remindedOf(resource, 'XA')).toEqual(['目的港奎丹属于乙国，不在运抵国甲国，请核对']);
      expect(await remindedOf(resource, 'XB')).toEqual([]);
    },
  );
});
