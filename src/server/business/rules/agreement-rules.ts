import { emitEvent } from '#server/workflow/events/emit-event.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import { updateRecordFields } from '#server/records/write/system-write.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { isHit } from './check-blacklist.ts';
import { partiesInForce } from './parties.ts';
import { textOf } from './rule-values.ts';

const MASTERS = [
  { key: 'partner', action: 'freeze', status: 'frozen' },
  { key: 'buyer', action: 'disable', status: 'disabled' },
  { key: 'supplier', action: 'disable', status: 'disabled' },
  { key: 'forwarder', action: 'disable', status: 'disabled' },
] as const;

/** Masters that match a new entry are frozen or disabled, which is told. */
export async function freezeMatches(call: RuleCall): Promise<void> {
  const { record, tx, services } = call;
  const entry = {
    name: textOf(record, 'name'),
    name_en: textOf(record, 'name_en'),
    ident_no: textOf(record, 'ident_no'),
    bank_account: textOf(record, 'bank_account'),
  };
  const opinion = `命中黑名单：${entry.name ?? ''}`;
  for (const { key, action, status } of MASTERS) {
    if (services.definitions.catalog().resources[key] === undefined) continue;
    const hits = (await partiesInForce(call, key)).filter((party) => isHit(party, entry));
    for (const { id } of hits) {
      // Not by the action: what is still open must not keep a listed party in force.
      const master = await updateRecordFields(call, key, { id, fields: { status }, action, opinion });
      const about = openSystemCall(services, call.caller, key);
      await emitEvent(tx, about, { event: 'PARTNER_FROZEN', record: master, opinion });
    }
  }
}
