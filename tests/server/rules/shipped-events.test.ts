import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Action, Resource } from '#engine/schema/resource.ts';
import { finishApproval } from '#server/workflow/approvals/end-approval.ts';
import { attachFor } from '#server/records/prepare/complete-record.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import { readStored } from '#server/records/read/read-stored.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { runSystemAction } from '#server/records/write/system-write.ts';
import type { Caller } from '#server/records/services.ts';
import { shippedDefinitions } from '../../resources/shipped-definitions.ts';
import { type Fields, type RulesExample, startRulesExample } from './rules-example.ts';

/** What a shipped action tells: its own event, or that of its last approval. */
interface Trigger {
  readonly event: string;
  readonly resource: Resource;
  readonly action: Action;
  readonly isApproval: boolean;
}

/** What moves money, papers and declarations needs whole stories to be told of: tests/server/money, trade/papers and trade/customs play them. */
const OF_STORIES: ReadonlySet<string> = new Set([
  'accounting_period',
  'agent_invoice_application',
  'commission_statement',
  'credit_investigation',
  'customs_declaration',
  'deposit',
  'document_filing',
  'document_submission',
  'domestic_receipt',
  'finance_voucher',
  'financing',
  'fund_pool',
  'fund_transfer',
  'fx_holding',
  'fx_settlement',
  'insurance_policy',
  'logistics_order',
  'payment_request',
  'project_settlement',
  'receipt',
  'receipt_split',
  'receivable_pledge',
  'refund_letter',
  'remittance_return',
  'scf_financing',
  'tax_refund',
]);

/** Its approval draws up what must have something to stand on. */
const MAKES_PAPERS: ReadonlySet<string> = new Set(['shipment.submit']);

const { catalog, setup } = shippedDefinitions();
const TOLD = Object.values(catalog?.resources ?? {}).filter(({ resource }) => !OF_STORIES.has(resource));
const TRIGGERS = TOLD.flatMap((resource) =>
  Object.values(resource.lifecycle?.actions ?? {}).flatMap((action): readonly Trigger[] => [
    ...(action.event === undefined ? [] : [{ event: action.event, resource, action, isApproval: false }]),
    ...(action.approval?.event === undefined || MAKES_PAPERS.has(`${resource.resource}.${action.key}`)
      ? []
      : [{ event: action.approval.event, resource, action, isApproval: true }]),
  ]),
);

function day(offset: number): string {
  const instant = new Date(Date.now() + offset * 86_400_000);
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(instant);
}

/** A declaration whose buyer has not paid. */
const UNPAID: Fields = {
  kind: 'sinosure',
  ship_date: day(-10),
  term_days: 1,
  insured_amount: '10',
  currency: 'USD',
};
const lossNotice = async (): Promise<Fields> => ({
  loss_reason: 'default',
  loss_notice_date: day(0),
  loss_amount: '1',
});

/** What an action asks of the record, and its inputs; everything else is as little as a draft needs. */
const GIVEN: Readonly<Record<string, Fields>> = {
  'cooperation_agreement.activate': {
    scan: ['00000000-0000-7000-8000-000000000001'],
    sign_date: day(-1),
    start_date: day(-1),
    end_date: day(300),
  },
  'authorization_letter.expire': { valid_from: day(-300), valid_to: day(-1) },
  'cooperation_agreement.roll': { start_date: day(-300), end_date: day(0), auto_renew: true },
  'cooperation_agreement.mark_expiring': { start_date: day(-300), end_date: day(30) },
  'credit_line.remind': { valid_from: day(-300), valid_to: day(30), purpose: 'shipment_risk', amount: '1' },
  'partner.claim': { open_pool: true },
  'insurance_application.notify_loss': UNPAID,
  'insurance_application.notify_late': UNPAID,
  'insurance_application.refuse': { ...UNPAID, claim_date: day(-1) },
  'insurance_application.remind_declare': { kind: 'sinosure', ship_date: day(-8) },
  'letter_of_credit.remind': { latest_shipment: day(3), expiry_date: day(20) },
  'letter_of_credit.submit': { exam_result: '可接受' },
  'export_contract.submit': { export_mode: 'buyout', sign_date: day(-1) },
  'export_contract.amend': { export_mode: 'buyout', sign_date: day(-1) },
  'letter_of_credit.amend_done': {
    exam_result: '可接受',
    amendments: [{ seq: 1, date: day(-1), content: '改', accepted: true }],
  },
  'credit_line_application.submit': {
    apply_kind: 'new',
    purpose: 'shipment_risk',
    apply_amount: '100',
    valid_from: day(0),
    valid_to: day(300),
    score: 80,
    approved_amount: '100',
    approved_to: day(300),
  },
  'partner.register': { status: 'pending' },
  'shipment.ship': { atd: day(-1), bl_no: 'BL1' },
};
const INPUTS: Readonly<Record<string, () => Promise<Fields>>> = {
  'insurance_application.notify_loss': lossNotice,
  'insurance_application.notify_late': lossNotice,
  'insurance_application.refuse': async () => ({ refused_date: day(0), refusal: '贸易纠纷未决' }),
  'partner.transfer': async () => ({ new_sales_id: await rules.idOf('sp2.aa'), with_records: false }),
  'service_message.reply': async () => ({ words: '<p>已寄出</p>' }),
  'service_message.followup': async () => ({ words: '<p>几时到？</p>' }),
};

/** What has come about since the record was saved: with it at once the action would have run by itself. */
const SINCE: Readonly<Record<string, string>> = {
  'document_set.outdate': 'is_changed = true',
  'shipment.tell_deferred': 'unreceived = 1, atd = current_date - 100',
};

/** Documents that only complete masters will do for. */
const MASTERS: Readonly<Record<string, (masters: RulesExample['example']['masters']) => Fields>> = {
  'export_order.submit': ({ partner, buyer, goods, country }) => ({
    partner_id: partner,
    buyer_id: buyer,
    incoterm: 'FOB',
    incoterm_place: 'NINGBO',
    payment_term: 'TT_AFTER',
    currency: 'USD',
    dest_country_id: country,
    delivery_date: day(30),
    items: [{ goods_id: goods, quantity: '1', unit: '011', unit_price: '1' }],
  }),
};
/** Who does what only a person can do; the system does everything else. */
const ACTORS: Readonly<Record<string, string>> = { 'partner.claim': 'sp2.aa' };

let rules: RulesExample;
let serial = 0;

beforeAll(async () => {
  rules = await startRulesExample({});
  const { db } = rules.example.services;
  await db.execute(
    `update department set manager_id = (select id from person where personid = 'dm.aa') where co_code = 'AA' and code = 'AA'`,
  );
}, 600_000);
afterAll(() => rules.example.close());

/** Ids of the accounts and people whom the shipped entry of an event names, for a record as it was and is. */
async function expected(told: {
  readonly event: string;
  readonly before: Fields;
  readonly after: Fields;
  readonly partner: string;
}): Promise<readonly string[]> {
  const { event, before, after, partner } = told;
  const { db } = rules.example.services;
  const to = setup.events[event]?.to ?? [];
  const roles = to.filter((name) => /^[A-Z]{2}$/.test(name));
  const holders = await db.query<{ id: string }>(
    `select distinct p.id from person p join role r on r.id = any(p.role_ids) where p.co_code = 'AA' and p.status = 'active' and r.code = any($1)`,
    [roles],
  );
  const accounts = await db.query<{ id: string }>(
    `select id from partner__accounts where parent_id = $1::uuid and status = 'active'`,
    [partner],
  );
  const parts: Readonly<Record<string, readonly unknown[]>> = {
    owner: [after['sales_id']],
    previous_owner: [before['sales_id']],
    service: [after['service_id']],
    handler: [after['handler_id']],
    submitter: [after['submitted_by']],
    manager: [await rules.idOf('dm.aa')],
    partner: accounts.map(({ id }) => id),
  };
  const named = to
    .filter((name) => !roles.includes(name))
    .flatMap((name) => parts[name] ?? [`unknown part ${name}`]);
  const ids = [...holders.map(({ id }) => id), ...named].filter((id) => typeof id === 'string');
  return [...new Set(ids)].toSorted();
}

/** A record of the partner in the state that the trigger starts from. */
async function aRecord({ resource, action, isApproval }: Trigger, partner: string): Promise<string> {
  serial += 1;
  const { db } = rules.example.services;
  const status = isApproval ? action.to : (action.from.find((state) => state !== '$new') ?? 'draft');
  if (resource.resource === 'partner') {
    await db.execute('update partner set open_pool = true, status = $2 where id = $1::uuid', [
      partner,
      status,
    ]);
    return partner;
  }
  const name = `${resource.resource}.${action.key}`;
  const has = (field: string): boolean => resource.fields[field] !== undefined;
  const id = await rules.given(resource.resource, {
    ...(has('partner_id') ? { partner_id: partner } : {}),
    ...(has('business_type') ? { business_type: 'agency' } : {}),
    ...(has('sales_id') ? { sales_id: rules.example.masters.sales } : {}),
    ...(has('dept_code') ? { dept_code: 'AA' } : {}),
    ...(has('handler_id') ? { handler_id: rules.example.masters.sales } : {}),
    ...GIVEN[name],
    ...MASTERS[name]?.(rules.example.masters),
    status: status === '$same' ? action.from[0] : status,
  });
  const since = SINCE[name];
  if (since !== undefined)
    await db.execute(`update ${resource.resource} set ${since} where id = $1::uuid`, [id]);
  if (resource.fields['previous_status'] !== undefined || action.approval?.withdrawn === '$previous')
    await db.execute(`update ${resource.resource} set previous_status = $2 where id = $1::uuid`, [
      id,
      action.from[0],
    ]);
  return id;
}

async function actorOf({ resource, action }: Trigger): Promise<Caller> {
  const caller = systemCaller(rules.example.services, 'AA');
  const actor = ACTORS[`${resource.resource}.${action.key}`];
  if (actor === undefined) return caller;
  const subject = { ...caller.subject, id: await rules.idOf(actor), personid: actor };
  return { ...caller, subject, context: { ...caller.context, subject } };
}

/** Runs the action as the system does, or gives the last approval. */
async function fire(trigger: Trigger, id: string): Promise<void> {
  const { services } = rules.example;
  const caller = await actorOf(trigger);
  const { resource, action, isApproval } = trigger;
  const name = `${resource.resource}.${action.key}`;
  await services.db.transaction(async (tx) => {
    if (!isApproval) {
      const inputs = (await INPUTS[name]?.()) ?? {};
      await runSystemAction({ tx, services, caller }, resource.resource, { id, action: action.key, inputs });
      return;
    }
    const call = openSystemCall(services, caller, resource.resource);
    const record = await readStored(tx, call, id, { isLocking: true });
    if (record === null) throw new Error(`no ${name}`);
    await attachFor(tx, call, record);
    const flow = {
      flow_id: null,
      name: '',
      version: 1,
      amount_cny: null,
      submitter_id: rules.example.masters.sales,
      submitter_name: '',
      levels: [],
    };
    const running = {
      id: '00000000-0000-7000-8000-0000000000ff',
      co_code: 'AA',
      resource: resource.resource,
      record_id: id,
      record_version: 1,
      action: action.key,
      flow,
      level_no: 1,
      status: 'pending',
      submitted_by: rules.example.masters.sales,
      submitted_at: new Date().toISOString(),
      snapshot: {},
      ended_at: null,
    };
    await finishApproval(tx, call, { running, record, created: [], opinion: null });
  });
}

describe('every shipped event', () => {
  it.each(
    TRIGGERS.map(
      (trigger) => [trigger.event, trigger.resource.resource, trigger.action.key, trigger] as const,
    ),
  )(
    '%s of %s.%s reaches those whom it names, at its level, and nobody else',
    async (event, key, _action, trigger) => {
      const { db } = rules.example.services;
      const partner = await rules.aPartner({
        service_id: await rules.idOf('tm.aa'),
        accounts: [
          { mobile: `1360000${String(1000 + serial)}`, name: '王', status: 'active' },
          { mobile: `1360001${String(1000 + serial)}`, name: '停', status: 'disabled' },
        ],
      });
      await rules.given('cooperation_agreement', {
        partner_id: partner,
        agreement_type: 'service',
        export_mode: 'buyout',
        start_date: day(-30),
        end_date: day(300),
        status: 'effective',
      });
      const id = await aRecord(trigger, partner);
      const before = await rules.stored(key, id);
      await db.execute('delete from sys_notice');
      await fire(trigger, id);
      const told = await db.query<{ person_id: string; level: string; is_live: boolean; co_code: string }>(
        'select person_id::text as person_id, level, is_live, co_code from sys_notice where event = $1 and record_id = $2::uuid order by 1',
        [event, id],
      );
      const after = await rules.stored(key, id);
      const actor = (await actorOf(trigger)).subject.id;
      const named = await expected({ event, before, after, partner });
      // Nobody is told what he did himself.
      expect(told.map((notice) => notice.person_id)).toEqual(named.filter((who) => who !== actor));
      expect(told.length).toBeGreaterThan(0);
      for (const notice of told)
        expect(notice).toMatchObject({ level: setup.events[event]?.level, is_live: true, co_code: 'AA' });
    },
  );
});
