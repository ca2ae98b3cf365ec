import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Answer, startTradeExample, type TradeExample } from '../trade/trade-example.ts';

/** A server of two companies with a clock that moves, and the calls of the registration page. */
export interface RegistrationExample extends TradeExample {
  readonly advance: (minutes: number) => void;
  readonly sendCode: (iphone: string, url?: string) => Promise<Answer>;
  readonly register: (form: Readonly<Record<string, unknown>>) => Promise<Answer>;
  /** The same under an Idempotency-Key of one's choice. */
  readonly registerAs: (key: string, form: Readonly<Record<string, unknown>>) => Promise<Answer>;
  /** Asks for a code and reads it from the outbox. */
  readonly codeFor: (mobile: string) => Promise<string>;
  /** The last message to a number. */
  readonly lastSms: (mobile: string) => Promise<string>;
}

/** What the form sends for an enterprise when everything is right but the code. */
export const ENTERPRISE = {
  custname: '宁波海曙注册测试有限公司',
  corpType: '1',
  comNo: '91310115MA0DEM0077',
  psNo: '',
  coDeptnameCode: 'AA',
  coName: '华东融通进出口有限公司',
  linkMan: '林小满',
  mobile: '13512345678',
  sms: '123456',
} as const;

export async function startRegistrationExample(): Promise<RegistrationExample> {
  let offsetMs = 0;
  const example = await startTradeExample({ clock: () => new Date(Date.now() + offsetMs) });
  const outbox = path.join(example.services.config.dataDir, 'outbox', 'sms.jsonl');
  const lastSms = async (mobile: string): Promise<string> => {
    const lines = (await readFile(outbox, 'utf8')).trim().split('\n');
    const messages = lines.map((line) => JSON.parse(line) as { readonly to: string; readonly text: string });
    return messages.findLast(({ to }) => to === mobile)?.text ?? '';
  };
  const post = async (address: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Answer;
    return { ...answer, status: response.status, problems: answer.problems ?? [] };
  };
  const sendCode: RegistrationExample['sendCode'] = (iphone, url = example.url) =>
    post(`${url}/erp/api/sys/erpSendSmsCode`, { iphone });
  return {
    ...example,
    advance: (minutes) => {
      offsetMs += minutes * 60_000;
    },
    sendCode,
    lastSms,
    register: (form) => example.call('', 'POST', '/sys/erpRegisterAgcust', form),
    registerAs: (key, form) =>
      post(`${example.url}/erp/api/sys/erpRegisterAgcust`, form, { 'idempotency-key': key }),
    codeFor: async (mobile) => {
      await sendCode(mobile);
      return /\d{6}/.exec(await lastSms(mobile))?.[0] ?? '';
    },
  };
}
