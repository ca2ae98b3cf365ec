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
  ] as const;
  for (const [code, name, name_en, country] of ports)
    await rules.given('port', {
      code,
      name,
      name_en,
      country_id: countries[country],
      port_kind: 'dest',
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
    expect(new Set((await offered('', 'XB')).slice(0, 2))).toEqual(new Set(['XBHBG', 'XBOLD']));
  });
});
