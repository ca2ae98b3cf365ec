import type { FieldProblem } from '#engine/schema/resource.ts';
import { normalisePartyName } from '#trade/party-name.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { type Party, partiesOf, writtenParties } from './parties.ts';
import { findNamed } from '#server/business/find-named.ts';
import { textOf } from './rule-values.ts';

type BlacklistRow = {
  readonly name: string | null;
  readonly name_en: string | null;
  readonly ident_no: string | null;
  readonly bank_account: string | null;
};

const STAFF_TEXT = '命中黑名单，不能提交';
/** Partners do not learn that there is a blacklist. */
const PARTNER_TEXT = '资料需人工核实，请联系业务员';

/** Check 1 of resources.md section 4: names (normalised), id numbers, bank accounts and SWIFT codes of every party. */
export async function checkBlacklist(call: RuleCall): Promise<readonly FieldProblem[]> {
  const [parties, entries] = await Promise.all([partiesOf(call), activeEntries(call)]);
  if (entries.length === 0) return [];
  const isPartner = call.caller.subject.kind === 'partner';
  const written = writtenParties(call).flatMap(({ path, title, text }) => {
    const entry = entries.find((listed) => isNamedIn(text, listed));
    return entry === undefined ? [] : [{ path, title, name: entry.name ?? entry.name_en ?? '' }];
  });
  const hit = parties.filter((party) => entries.some((entry) => isHit(party, entry)));
  return [...hit, ...written].map(({ path, title, name }) => ({
    path,
    code: 'blacklisted',
    message: isPartner ? PARTNER_TEXT : `${STAFF_TEXT}（${title}「${name}」）`,
  }));
}

/** A listed name shorter than this is looked for as a whole line only: short words occur in addresses. */
const TELLING_LENGTH = 6;

/** Whether a text names a listed party: as one of its lines, or anywhere in it. */
function isNamedIn(text: string, entry: BlacklistRow): boolean {
  const listed = [entry.name, entry.name_en]
    .filter((name) => name !== null)
    .map(normalisePartyName)
    .filter((name) => name !== '');
  const whole = normalisePartyName(text);
  const lines = text.split(/\r?\n/).map(normalisePartyName);
  return listed.some(
    (name) => lines.includes(name) || (name.length >= TELLING_LENGTH && whole.includes(name)),
  );
}

/** Whether an entry of the blacklist means this party. */
export function isHit(
  party: Pick<Party, 'names' | 'identNos' | 'accounts' | 'swifts'>,
  entry: BlacklistRow,
): boolean {
  const listed = [entry.name, entry.name_en].filter((name) => name !== null).map(normalisePartyName);
  if (
    party.names.some((name) => listed.includes(normalisePartyName(name)) && normalisePartyName(name) !== '')
  )
    return true;
  if (entry.ident_no !== null && party.identNos.some((no) => sameCode(no, entry.ident_no))) return true;
  return (
    entry.bank_account !== null &&
    [...party.accounts, ...party.swifts].some((no) => sameCode(no, entry.bank_account))
  );
}

function sameCode(a: string, b: string | null): boolean {
  return b !== null && plainCode(b) !== '' && plainCode(a) === plainCode(b);
}

/** Account and identity numbers without blanks, dashes and case. */
function plainCode(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

async function activeEntries(call: RuleCall): Promise<readonly BlacklistRow[]> {
  const { today } = call.caller.context;
  const rows = await findNamed(call, 'blacklist', {
    where: {
      status: { eq: 'active' },
      and: [
        { or: [{ valid_from: { null: true } }, { valid_from: { lte: today } }] },
        { or: [{ valid_to: { null: true } }, { valid_to: { gte: today } }] },
      ],
    },
    fields: ['name', 'name_en', 'ident_no', 'bank_account'],
  });
  return rows.map((row) => ({
    name: textOf(row, 'name'),
    name_en: textOf(row, 'name_en'),
    ident_no: textOf(row, 'ident_no'),
    bank_account: textOf(row, 'bank_account'),
  }));
}
