import type { ErpRecord } from '#engine/schema/resource.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { findLinesNamed, findNamed } from '#server/business/find-named.ts';
import { linesIn, textOf, uniqueIds } from './rule-values.ts';

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
  return [...(await readParties(call, kind, null)).values()];
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
  if (ids.length === 0) return [];
  const found = await readParties(call, kind, ids);
  return named.flatMap(({ id, path }) => {
    const party = found.get(id);
    return party === undefined ? [] : [{ ...party, path }];
  });
}

/** Parties by their ids; null for all in force. */
async function readParties(
  call: RuleCall,
  kind: PartyKind,
  ids: readonly string[] | null,
): Promise<ReadonlyMap<string, Party>> {
  const title = call.services.definitions.catalog().resources[kind]?.title ?? '';
  const reads: PartyReads = PARTY_READS[kind];
  const heads = await reads.heads(call, ids);
  const banks = await reads.banks(call, uniqueIds(heads.map((row) => textOf(row, 'id'))));
  return new Map(
    heads.map((row) => {
      const own = banks.filter((bank) => bank['parent.id'] === row['id']);
      const accounts = texts(own.map((bank) => bank['account_no']));
      const swifts = texts(own.map((bank) => bank['swift']));
      return [String(row['id']), { ...describe(kind, title, row), path: '', accounts, swifts }];
    }),
  );
}

interface PartyReads {
  readonly heads: (call: RuleCall, ids: readonly string[] | null) => Promise<readonly ErpRecord[]>;
  readonly banks: (call: RuleCall, ids: readonly string[]) => Promise<readonly ErpRecord[]>;
}

const IN_FORCE = { status: { eq: 'active' } } as const;
const chosen = (ids: readonly string[] | null) => (ids === null ? IN_FORCE : { id: { in: ids } });

/** What identifies each kind of party, and where. */
const PARTY_READS = {
  partner: {
    heads: (call, ids) =>
      findNamed(call, 'partner', {
        where: chosen(ids),
        fields: ['id', 'status', 'name', 'name_en', 'credit_code', 'id_no'],
      }),
    banks: (call, ids) =>
      findLinesNamed(call, ['partner', 'banks'], {
        where: { 'parent.id': { in: ids } },
        fields: ['parent.id', 'account_no'],
      }),
  },
  buyer: {
    heads: (call, ids) =>
      findNamed(call, 'buyer', {
        where: chosen(ids),
        fields: ['id', 'status', 'name_cn', 'name_en', 'reg_no'],
      }),
    banks: (call, ids) =>
      findLinesNamed(call, ['buyer', 'banks'], {
        where: { 'parent.id': { in: ids } },
        fields: ['parent.id', 'account_no', 'swift'],
      }),
  },
  supplier: {
    heads: (call, ids) =>
      findNamed(call, 'supplier', { where: chosen(ids), fields: ['id', 'status', 'name', 'credit_code'] }),
    banks: (call, ids) =>
      findLinesNamed(call, ['supplier', 'banks'], {
        where: { 'parent.id': { in: ids } },
        fields: ['parent.id', 'account_no'],
      }),
  },
  forwarder: {
    heads: (call, ids) =>
      findNamed(call, 'forwarder', { where: chosen(ids), fields: ['id', 'status', 'name', 'credit_code'] }),
    banks: (call, ids) =>
      findLinesNamed(call, ['forwarder', 'banks'], {
        where: { 'parent.id': { in: ids } },
        fields: ['parent.id', 'account_no', 'swift'],
      }),
  },
} as const satisfies Record<PartyKind, PartyReads>;

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
