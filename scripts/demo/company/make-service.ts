import { addDays } from '#engine/values/dates.ts';
import { demoPdf, demoPicture } from './demo-files.ts';
import { mobileNo, residentId } from './demo-numbers.ts';
import { personName } from './person-name.ts';
import { unlessRefused } from './unless-refused.ts';
import type { DemoPartner, World } from './world.ts';

const QUESTIONS = [
  [
    '单证',
    '提单正本什么时候能寄出',
    '船已开，客户在催正本提单，请告知快递单号。',
    '今日已寄出顺丰快递，预计后天送达。',
  ],
  [
    '资金',
    '本周能结汇吗',
    '账上外币想尽快结汇，请看一下汇率。',
    '可以，请在“待结汇外币”里提交申请，今天按牌价办理。',
  ],
  [
    '退税',
    '上个月的退税进度',
    '上月报关的两票退税到哪一步了？',
    '税务已审核，预计下周到账，到账后会有通知。',
  ],
  [
    '业务咨询',
    '新客户备案需要什么资料',
    '有一个新的国外客户，备案要准备哪些资料？',
    '请提供客户名称、地址与往来邮件，在“国外客户”里登记后提交即可。',
  ],
  [
    '投诉',
    '货代提箱延误',
    '仓库等了一天，车队没有来提箱，造成额外费用。',
    '非常抱歉，已与货代核实，费用由货代承担。',
  ],
  ['其他', '发票抬头变更', '我们公司地址变更了，开票资料怎么改？', '请上传新的营业执照，我们为您更新。'],
] as const;
/** How far letters come: submitted, decided by so many levels, taken back. */
const LETTERS = ['effective', 'pending', 'draft', 'rejected', 'revoked'] as const;

/** Partners ask the service and authorise people. */
export async function makeService(world: World, partners: readonly DemoPartner[]): Promise<void> {
  for (const [place, partner] of partners.entries())
    await unlessRefused(async () => {
      const actor = await world.stage.asPartner(partner.id);
      await makeMessages(world, { partner, actor, place });
      await makeLetter(world, { partner, actor, place });
    });
}

interface Asking {
  readonly partner: DemoPartner;
  /** The partner's own account. */
  readonly actor: string;
  readonly place: number;
}

/** Three questions each: one closed with marks, one that was asked on, one that waits or was just answered. */
async function makeMessages({ stage }: World, { partner, actor, place }: Asking): Promise<void> {
  for (const turn of [0, 1, 2]) {
    const [category, title, content, reply] =
      QUESTIONS[(place + turn * 2) % QUESTIONS.length] ?? QUESTIONS[0];
    const story = stage.begin(
      `message ${partner.serial} ${turn}`,
      addDays(stage.today, turn === 2 ? -2 : -60 + turn * 45),
    );
    const made = await story.create(actor, 'service_message', {
      partner_id: partner.id,
      category,
      title,
      content: `<p>${content}</p>`,
    });
    const id = String(made['id']);
    if (turn === 2 && place % 2 === 0) continue;
    story.wait(1);
    await story.act('cs', 'service_message', { id, action: 'reply', inputs: { words: `<p>${reply}</p>` } });
    if (turn === 1)
      await story.act(actor, 'service_message', {
        id,
        action: 'followup',
        inputs: { words: '<p>好的，还请尽快。</p>' },
      });
    if (turn === 0)
      await story.act(actor, 'service_message', {
        id,
        action: 'close',
        inputs: { satisfaction: 4 + (place % 2) },
      });
  }
}

async function makeLetter({ stage }: World, { partner, actor, place }: Asking): Promise<void> {
  const fate = LETTERS[place % LETTERS.length] ?? 'effective';
  const story = stage.begin(`letter ${partner.serial}`, addDays(stage.today, fate === 'draft' ? -1 : -40));
  const { roll } = story;
  const name = personName(roll);
  const made = await story.create(actor, 'authorization_letter', {
    partner_id: partner.id,
    agent_name: name,
    agent_id_no: residentId(roll, partner.town.area),
    agent_mobile: mobileNo(roll),
    scope: place % 2 === 0 ? ['下单', '查询'] : ['确认付款', '查询'],
    valid_from: story.day(),
    valid_to: addDays(story.day(), 364),
    letter_file: [
      await story.upload(
        actor,
        '授权书.pdf',
        demoPdf(['LETTER OF AUTHORIZATION', partner.serial.toString()]),
      ),
    ],
    id_file: [await story.upload(actor, '身份证.png', demoPicture(roll))],
  });
  const id = String(made['id']);
  if (fate === 'draft') return;
  await story.approve(actor, 'authorization_letter', {
    id,
    ...(fate === 'pending' ? { levels: 1 } : {}),
    ...(fate === 'rejected' ? { rejection: '盖章不清晰，请重新上传' } : {}),
  });
  if (fate !== 'revoked') return;
  story.wait(10);
  await story.act('cs', 'authorization_letter', { id, action: 'revoke', opinion: '被授权人已离职' });
}
