import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { SYSTEM_ID } from '#engine/filter/read-context.ts';
import { maskText } from '#engine/fields/text-value.ts';
import { companyTime } from '#engine/values/dates.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';
import { canSendSms, smsAfterCommit } from '#server/workflow/notices/sms-outbox.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import { linesOf } from '#server/records/read/attach-references.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import { textOf } from './rule-values.ts';

const EVENT = 'LOGIN_CHANGED';

/** A login before and after a write: a record with a password, or a line with one. */
interface Login {
  readonly fields: Readonly<Record<string, Field>>;
  readonly before: ErpRecord;
  readonly after: ErpRecord;
  /** Of a customer, to whom nobody of the house is named. */
  readonly isOutside: boolean;
}

/**
 * Tells whose password or login number somebody else has changed: in the message centre, and by a short message to the
 * number of before, for the new one may be that of whoever changed it. The write stands where no message can be sent.
 */
async function tellLoginChanged(call: RuleCall): Promise<void> {
  const { caller, record, previous } = call;
  // A password that an action made is told by that action, in its own write.
  if (caller.subject.id === SYSTEM_ID || previous?.['version'] === record['version']) return;
  for (const login of loginsOf(call)) {
    const id = textOf(login.after, 'id');
    if (id !== null && id !== caller.subject.id) await tellOne(call, { ...login, id });
  }
}

async function tellOne(call: RuleCall, login: Login & { readonly id: string }): Promise<void> {
  const { tx, services, caller, record } = call;
  const { fields, before, after, id, isOutside } = login;
  const secret = nameOf(fields, ({ type }) => type === 'secret');
  const number = nameOf(fields, ({ check }) => check === 'mobile');
  const isOther = (name: string): boolean => (before[name] ?? null) !== (after[name] ?? null);
  // What had no password yet was nobody's login.
  const changed = [
    ...(isOther(secret) ? [titleOf(fields, secret)] : []),
    ...(isOther(number) && textOf(before, secret) !== null ? [titleOf(fields, number)] : []),
  ].join('、');
  if (changed === '') return;
  await emitEvent(tx, openSystemCall(services, caller, call.resource.resource), {
    event: EVENT,
    record: { ...record },
    to: [id],
    words: { title: changed },
  });
  const old = textOf(before, number);
  if (old === null) return;
  if (!canSendSms(services)) {
    services.log.warn({ id }, 'no sms provider: a changed login is told in the message centre only');
    return;
  }
  const who = isOutside ? '我司' : caller.subject.name;
  const now = textOf(after, number);
  const to = isOther(number) && now !== null ? `（手机号码现为${maskText(now, 'mobile')}）` : '';
  smsAfterCommit(call, {
    to: old,
    text: `您的${changed}已由${who}于${companyTime(services.clock().toISOString())}修改${to}。如非本人要求请立即联系管理员`,
  });
}

/** The record itself where it has a password, and those of its lines that were there before. */
function loginsOf({ resource, record, previous }: RuleCall): readonly Login[] {
  if (previous === undefined) return [];
  const { fields } = resource;
  const own = hasLogin(fields) ? [{ fields, before: previous, after: record, isOutside: false }] : [];
  const lines = Object.values(fields).flatMap((field) => {
    const columns = field.fields ?? {};
    if (field.type !== 'lines' || !hasLogin(columns)) return [];
    const before = new Map(linesOf(previous[field.name]).map((line) => [line['id'], line]));
    return linesOf(record[field.name]).flatMap((after) => {
      const was = before.get(after['id']);
      return was === undefined ? [] : [{ fields: columns, before: was, after, isOutside: true }];
    });
  });
  return [...own, ...lines];
}

function hasLogin(fields: Login['fields']): boolean {
  const all = Object.values(fields);
  return all.some(({ type }) => type === 'secret') && all.some(({ check }) => check === 'mobile');
}

function nameOf(fields: Login['fields'], isAsked: (field: Field) => boolean): string {
  return Object.values(fields).find(isAsked)?.name ?? '';
}

/** The password and the number as whoever has them calls them. */
function titleOf(fields: Login['fields'], name: string): string {
  const title = fields[name]?.title ?? '';
  return title.startsWith('登录') ? title : `登录${title}`;
}

export const LOGIN_RULES: RuleSet = {
  effects: {
    tell_login_changed: {
      run: tellLoginChanged,
      reads: ['person.password', 'person.mobile', 'partner.accounts.password', 'partner.accounts.mobile'],
      why: 'it is told at the number of before, and by a message that no setting turns off',
    },
  },
};
