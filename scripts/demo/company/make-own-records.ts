import { addDays } from '#engine/values/dates.ts';
import { demoPdf } from './demo-files.ts';
import { accountNo, creditCode, mobileNo } from './demo-numbers.ts';
import { personName } from './person-name.ts';
import { TOWNS, type Town } from './towns.ts';
import type { World } from './world.ts';

/** What the company itself works with. */
export interface OwnRecords {
  /** Bank accounts by currency. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly forwarders: readonly { readonly id: string; readonly isSelf: boolean }[];
  readonly broker: string;
}

const CURRENCIES = ['CNY', 'USD', 'EUR', 'GBP', 'JPY', 'AUD', 'SGD'] as const;

/** Bank accounts of the company, its forwarders and its customs broker. */
export async function makeOwnRecords(world: World, companyEn: string): Promise<OwnRecords> {
  const { stage, start, refs } = world;
  const story = stage.begin('own records', start);
  const { roll } = story;
  const accounts = new Map<string, string>();
  for (const currency of CURRENCIES) {
    const isOwn = currency === 'CNY';
    const bank = isOwn ? '中国工商银行' : roll.pick(['中国银行', '招商银行', '中国建设银行']);
    const branch = refs.branches('宁波').find((entry) => entry.bank === bank) ?? refs.branches('宁波')[0];
    const record = await story.create('fn', 'company_bank_account', {
      account_name: companyEn,
      account_no: accountNo(roll, isOwn ? '3901' : '8110', 17),
      bank_id: refs.of('bank_name', bank),
      ...(isOwn ? { cnaps_id: branch?.id } : { swift: SWIFT[bank] ?? 'BKCHCNBJ' }),
      currency,
      account_kind: isOwn ? 'basic' : 'fx',
      bank_address: 'NO. 88 BAIZHANG EAST ROAD, NINGBO, CHINA',
      show_to_partner: true,
    });
    accounts.set(currency, String(record['id']));
  }
  const [ningbo = TOWNS[0], shanghai = TOWNS[6]] = [TOWNS[0], TOWNS[6]];
  const forwarders: { id: string; isSelf: boolean }[] = [];
  for (const [place, name] of [
    '海程国际货运代理有限公司',
    '联帆物流有限公司',
    '港汇国际船务有限公司',
  ].entries())
    for (const isSelf of place === 0 ? [false, true] : [false]) {
      const town = place === 1 ? shanghai : ningbo;
      if (town !== undefined)
        forwarders.push({ id: await makeForwarder(world, { name, town, isSelf }), isSelf });
    }
  const broker = await story.create('tm', 'customs_broker', {
    name: '宁波通衢报关有限公司',
    customs_code: '3302986013',
    credit_code: creditCode(roll, '330206'),
    aeo_level: '高级认证',
    ports: [refs.of('customs_port', '3100')],
    agreement_to: addDays(stage.today, 210),
    contact: personName(roll),
    phone: '0574-87650000',
  });
  return { accounts, forwarders, broker: String(broker['id']) };
}

const SWIFT: Readonly<Record<string, string>> = {
  中国银行: 'BKCHCNBJ',
  招商银行: 'CMBCCNBS',
  中国建设银行: 'PCBCCNBJ',
};

async function makeForwarder(
  world: World,
  firm: { readonly name: string; readonly town: Town; readonly isSelf: boolean },
): Promise<string> {
  const story = world.stage.begin(`forwarder ${firm.name} ${firm.isSelf}`, addDays(world.start, 10));
  const { roll } = story;
  const name = firm.town.name + firm.name;
  const branch = roll.pick(world.refs.branches(firm.town.bankCity));
  const contract = demoPdf(['FORWARDING AGREEMENT', 'Monthly settlement, 30 days']);
  const record = await story.create('sp', 'forwarder', {
    business_type: firm.isSelf ? 'self' : 'agency',
    name,
    credit_code: creditCode(roll, firm.town.area),
    nvocc_no: `MOC-NV${roll.between(10000, 99999)}`,
    routes: '欧洲、北美、东南亚',
    settle_cycle: '月结',
    settle_days: 30,
    taxpayer_type: 'general',
    banks: [
      { account_name: name, account_no: accountNo(roll, '33', 16), currency: 'CNY', cnaps_id: branch.id },
    ],
    contacts: [{ name: personName(roll), mobile: mobileNo(roll) }],
    contract_file: [await story.upload('sp', '货代协议.pdf', contract)],
  });
  await story.approve('sp', 'forwarder', { id: String(record['id']) });
  return String(record['id']);
}
