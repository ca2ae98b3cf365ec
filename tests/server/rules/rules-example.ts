import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { insertRecord } from '#server/records/write/system-write.ts';
import { type Answer, startTradeExample, type TradeExample } from '../trade/trade-example.ts';

export type Fields = Record<string, unknown>;

/** A running server with short words for what tests of rules do. */
export interface RulesExample {
  readonly example: TradeExample;
  readonly as: (who: string, method: string, address: string, body?: unknown) => Promise<Answer>;
  /** Runs an action on the stored version of a record. */
  readonly act: (who: string, key: string, id: string, action: string, body?: Fields) => Promise<Answer>;
  /** Writes a record of company AA as the system. */
  readonly given: (key: string, values: Fields) => Promise<string>;
  readonly aPartner: (values?: Fields) => Promise<string>;
  readonly stored: (table: string, id: string) => Promise<Fields>;
  readonly idOf: (personid: string) => Promise<string>;
  /** The events of a record that a person was told of, by name, once for each notice. */
  readonly toldOf: (record: string, who: string) => Promise<readonly string[]>;
  readonly smsTo: (mobile: string) => Promise<readonly string[]>;
}

/** Starts a server and signs in people, each in a role: `{ 'sp.aa': 'SP' }`. */
export async function startRulesExample(people: Readonly<Record<string, string>>): Promise<RulesExample> {
  const example = await startTradeExample();
  const { services, masters } = example;
  const tokens: Record<string, string> = {};
  for (const [name, role] of Object.entries(people)) tokens[name] = await example.signIn(name, role);
  const as: RulesExample['as'] = (who, method, address, body) =>
    example.call(tokens[who] ?? '', method, address, body);
  const stored: RulesExample['stored'] = async (table, id) =>
    (await services.db.query<Fields>(`select * from ${table} where id = $1::uuid`, [id]))[0] ?? {};
  const given: RulesExample['given'] = (key, values) =>
    services.db.transaction(async (tx) => {
      const saved = await insertRecord({ tx, services, caller: systemCaller(services, 'AA') }, key, values);
      return String(saved['id']);
    });
  let partners = 0;
  return {
    example,
    as,
    stored,
    given,
    act: async (who, key, id, action, body = {}) => {
      const { version } = await stored(key, id);
      return as(who, 'POST', `/data/${key}/${id}/actions/${action}`, { version, ...body });
    },
    aPartner: (values = {}) => {
      partners += 1;
      return given('partner', {
        name: `宁波领取${partners}有限公司`,
        corp_type: '1',
        enterprise_kind: 'manufacturer',
        taxpayer_type: 'general',
        export_modes: ['buyout'],
        source: 'sales',
        risk_level: 'B',
        sales_id: masters.sales,
        dept_code: 'AA',
        status: 'active',
        ...values,
      });
    },
    idOf: async (personid) => {
      const rows = await services.db.query<{ id: string }>('select id from person where personid = $1', [
        personid,
      ]);
      return rows[0]?.id ?? '';
    },
    toldOf: async (record, who) => {
      const rows = await services.db.query<{ event: string }>(
        `select n.event from sys_notice n join person p on p.id = n.person_id
         where n.record_id = $1::uuid and p.personid = $2 order by n.event`,
        [record, who],
      );
      return rows.map(({ event }) => event);
    },
    smsTo: async (mobile) => {
      const file = path.join(services.config.dataDir, 'outbox', 'sms.jsonl');
      const lines = (await readFile(file, 'utf8')).trim().split('\n');
      return lines
        .map((line) => JSON.parse(line) as { to: string; text: string })
        .filter(({ to }) => to === mobile)
        .map(({ text }) => text);
    },
  };
}

/** The data of an answer, or says what was refused. */
export async function must(answer: Promise<Answer>): Promise<Fields> {
  const done = await answer;
  expect([done.status, done.msg, done.problems]).toEqual([200, expect.any(String), []]);
  return done.data;
}
