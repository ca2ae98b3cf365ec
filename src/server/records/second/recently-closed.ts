import { addDays } from '#engine/values/dates.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import type { ClosedDecider } from '#server/records/following.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { WaitingChange } from './second-person.ts';

/** So many days after the account of the last who could decide was closed, nobody is asked any more. */
const DAYS_WITHOUT_DECIDER = 7;

const HOW: Readonly<Record<ClosedDecider['how'], string>> = {
  disabled: '停用',
  left: '离职',
};

/**
 * A change that nobody can decide on is made at once only where nobody could have until a few days ago: else whoever closes
 * a colleague's account would need no second person. Giving that account back is free, for it brings the second person back.
 * @throws RULE_REFUSED with who it was, until when, and the way out
 */
export async function requireNobodyClosed(
  tx: Tx,
  call: Call,
  asked: { readonly waiting: WaitingChange; readonly document: Call; readonly submitted: OpenRecord },
): Promise<void> {
  const { waiting, document, submitted } = asked;
  const { today } = call.caller.context;
  const closed = await call.services.following.closedDeciders(tx, document, {
    record: submitted,
    action: 'submit',
  });
  const recent = closed
    .map((one) => ({ ...one, free: addDays(one.on, DAYS_WITHOUT_DECIDER) }))
    .filter(({ free }) => free > today)
    .sort((a, b) => (a.free < b.free ? 1 : -1));
  const [last] = recent;
  if (last === undefined) return;
  if (recent.some(({ id }) => id === waiting.record['id']) && givesBack(call, waiting)) return;
  const who = recent.map(({ name, on, how }) => `${name}（${on}${HOW[how]}）`).join('、');
  const message = `须由另一人复核，而可复核的${who}账号刚关闭：${last.free}起才可不经复核办理。请先启用其账号，或由其他复核人员办理`;
  throw new AppError('RULE_REFUSED', { message, problems: [{ path: '', code: 'second_person', message }] });
}

/** Whether a change does nothing but open what was closed: fields that count wait by themselves. */
function givesBack({ resource }: Call, { action, changes }: WaitingChange): boolean {
  const { created, until = [] } = resource.secondPerson ?? {};
  if (action !== 'update') return action === created?.action;
  return changes.length > 0 && changes.every(({ field }) => until.includes(field));
}
