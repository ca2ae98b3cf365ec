import { addDays } from '#engine/values/dates.ts';
import { demoPdf } from './demo-files.ts';
import type { Story } from './story.ts';
import type { DemoContract, World } from './world.ts';

/** The letter of credit of a contract, examined. */
export async function makeCredit(
  world: World,
  story: Story,
  given: {
    readonly contract: Omit<DemoContract, 'purchases' | 'lc' | 'day'>;
    readonly sellerEn: string;
    readonly levels?: number;
  },
): Promise<string> {
  const { contract, sellerEn, levels } = given;
  const { buyer } = contract;
  const { roll } = story;
  story.wait(roll.between(2, 6));
  const day = story.day();
  const no = `LC${day.slice(2, 4)}${roll.between(100_000, 999_999)}`;
  const record = await story.create(buyer.owner, 'letter_of_credit', {
    business_type: buyer.partner === null ? 'self' : 'agency',
    ...(buyer.partner === null ? {} : { partner_id: buyer.partner.id }),
    lc_no: no,
    buyer_id: buyer.id,
    contract_id: contract.id,
    received_date: day,
    form: 'IRREVOCABLE',
    issue_date: addDays(day, -2),
    expiry_date: addDays(day, 200),
    expiry_place: 'CHINA',
    issuing_bank_id: world.refs.of(
      'bank',
      roll.pick(['DEUTDEFF', 'HSBCHKHH', 'CITIUS33', 'MHCBJPJT', 'BNPAFRPP']),
    ),
    advising_bank_id: world.refs.of('bank_name', '中国银行'),
    applicant: `${buyer.name}, ${buyer.city.toUpperCase()}`.slice(0, 140),
    beneficiary: sellerEn,
    currency: contract.currency,
    amount: contract.total.toFixed(contract.currency === 'JPY' ? 0 : 2),
    tolerance_plus: 5,
    tolerance_minus: 5,
    available_with: 'ANY BANK IN CHINA',
    ...(contract.term === 'LC_USANCE'
      ? { available_by: 'BY_ACCEPTANCE', draft_at: '90 DAYS AFTER B/L DATE FOR FULL INVOICE VALUE' }
      : { available_by: 'BY_NEGOTIATION', draft_at: 'SIGHT FOR FULL INVOICE VALUE' }),
    partial_shipments: 'ALLOWED',
    transhipment: 'ALLOWED',
    latest_shipment: addDays(day, 180),
    goods_desc: `${contract.lines
      .map(({ goods }) => goods.nameEn)
      .slice(0, 3)
      .join(', ')} AS PER CONTRACT ${contract.no}`,
    documents_required:
      '+SIGNED COMMERCIAL INVOICE IN TRIPLICATE\n+PACKING LIST IN TRIPLICATE\n+FULL SET CLEAN ON BOARD B/L',
    presentation_days: 21,
    confirmation: 'WITHOUT',
    exam_result: '条款与合同一致，可接受',
    lc_file: [
      await story.upload(buyer.owner, '信用证.pdf', demoPdf(['ISSUE OF A DOCUMENTARY CREDIT MT700', no])),
    ],
  });
  const id = String(record['id']);
  await story.approve(buyer.owner, 'letter_of_credit', { id, ...(levels === undefined ? {} : { levels }) });
  return id;
}
