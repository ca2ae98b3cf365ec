import type { ErpRecord } from '#engine/schema/resource.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { companyOf, linesIn, textOf, uniqueIds } from './rule-values.ts';

/** Kinds of business parties with the reference fields that name them. */
const PARTY_FIELDS = {
  partner: ['partner_id'],
  buyer: ['buyer_id'],
  supplier: ['supplier_id'],
  forwarder: ['forwarder_id'],
} as const satisfies Record<string, readonly string[]>;
/** Fields in which a party stands as free text: name, address and more, line by line. */
const PARTY_TEXTS = ['consignee', 'notify_party', 'applicant', 'payer_name', 'payee_name'] as const;
export type PartyKind = keyof typeof PARTY_FIELDS;

/** One party of a document: the record it names, with what identifies it. */
export interface Party {
  readonly kind: PartyKind;
  readonly id: string;
  /** Where the document names it. */
  readonly path: string;
  readonly title: string;
  readonly name: string;
  readonly status: string | null;
  readonly names: readonly string[];
  readonly identNos: readonly string[];
  readonly accounts: readonly string[];
  readonly swifts: readonly string[];
}

/** All parties of a document, those of its lines included; the document itself when it is a party's own record. */
export async function partiesOf(call: RuleCall): Promise<readonly Party[]> {
  const { record, resource } = call;
  const own = isPartyKind(resource.resource) ? [ownParty(resource.resource, resource.title, record)] : [];
  const named = (Object.keys(PARTY_FIELDS) as PartyKind[]).flatMap((kind) => mentions(record, kind));
  const loaded = await Promise.all(
    (Object.keys(PARTY_FIELDS) as PartyKind[]).map((kind) =>
      loadParties(
        call,
        kind,
        named.filter((mention) => mention.kind === kind),
      ),
    ),
  );
  return [...own, ...loaded.flat()];
}

/** A party that a document names in free text. */
export interface WrittenParty {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

/** The parties that a document names in words: consignee, notify party, applicant, payer, payee. */
export function writtenParties({ record, resource }: RuleCall): readonly WrittenParty[] {
  return PARTY_TEXTS.flatMap((path) => {
    const text = textOf(record, path);
    const field = resource.fields[path];
    return text === null || field === undefined ? [] : [{ path, title: field.title, text }];
  });
}

/** Every party of a kind in force in the company, with what identifies it. */
export async function partiesInForce(call: RuleCall, kind: PartyKind): Promise<readonly Party[]> {
  const rows = await call.tx.query<{ id: string }>(
    `select id from ${kind} where co_code = $1 and status = 'active' and not is_deleted order by id`,
    [companyOf(call)],
  );
  return loadParties(
    call,
    kind,
    rows.map(({ id }) => ({ kind, id, path: '' })),
  );
}

interface Mention {
  readonly kind: PartyKind;
  readonly id: string;
  readonly path: string;
}

function mentions(record: ErpRecord, kind: PartyKind): readonly Mention[] {
  return PARTY_FIELDS[kind].flatMap((field) => {
    const head = textOf(record, field);
    const inLines = Object.entries(record).flatMap(([name, value]) =>
      Array.isArray(value) && !name.startsWith('_')
        ? linesIn(record, name).flatMap((line, index) => {
            const id = textOf(line, field);
            return id === null ? [] : [{ kind, id, path: `${name}.${index}.${field}` }];
          })
        : [],
    );
    return head === null ? inLines : [{ kind, id: head, path: field }, ...inLines];
  });
}

async function loadParties(
  call: RuleCall,
  kind: PartyKind,
  named: readonly Mention[],
): Promise<readonly Party[]> {
  const ids = uniqueIds(named.map(({ id }) => id));
  const resource = call.services.definitions.catalog().resources[kind];
  if (ids.length === 0 || resource === undefined) return [];
  const banks = resource.fields['banks']?.fields ?? {};
  const account = 'account_no' in banks ? 'array_agg(b.account_no)' : 'null';
  const swift = 'swift' in banks ? 'array_agg(b.swift)' : 'null';
  const hasBanks = resource.fields['banks'] !== undefined;
  const rows = await call.tx.query(
    `select to_jsonb(t) as row, ${hasBanks ? `(select jsonb_build_object('accounts', ${account}, 'swifts', ${swift}) from ${kind}__banks b where b.parent_id = t.id and b.co_code = t.co_code)` : 'null'} as banks
     from ${kind} t where t.co_code = $1 and t.id = any($2::uuid[]) and not t.is_deleted`,
    [companyOf(call), ids],
  );
  const found = new Map(rows.map((row) => [String(asRecord(row['row'])['id']), row]));
  return named.flatMap(({ id, path }) => {
    const row = found.get(id);
    if (row === undefined) return [];
    const party = asRecord(row['row']);
    const bank = asRecord(row['banks']);
    return [
      {
        ...describe(kind, resource.title, party),
        path,
        accounts: texts(bank['accounts']),
        swifts: texts(bank['swifts']),
      },
    ];
  });
}

function ownParty(kind: PartyKind, title: string, record: ErpRecord): Party {
  const banks = linesIn(record, 'banks');
  return {
    ...describe(kind, title, record),
    path: 'name' in record ? 'name' : 'name_en',
    accounts: texts(banks.map((bank) => bank['account_no'])),
    swifts: texts(banks.map((bank) => bank['swift'])),
  };
}

function describe(
  kind: PartyKind,
  title: string,
  party: ErpRecord,
): Omit<Party, 'path' | 'accounts' | 'swifts'> {
  const names = texts([party['name'], party['name_cn'], party['name_en']]);
  return {
    kind,
    id: String(party['id'] ?? ''),
    title,
    name: names[0] ?? '',
    status: textOf(party, 'status'),
    names,
    identNos: texts([party['credit_code'], party['id_no'], party['reg_no']]),
  };
}

function isPartyKind(key: string): key is PartyKind {
  return Object.hasOwn(PARTY_FIELDS, key);
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string' && item !== '')
    : [];
}

function asRecord(value: unknown): ErpRecord {
  return typeof value === 'object' && value !== null ? (value as ErpRecord) : {};
}
