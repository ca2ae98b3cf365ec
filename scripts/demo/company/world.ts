import type { Queryable } from '#server/kernel/db/database.ts';
import type { Stage } from './stage.ts';
import type { Town } from './towns.ts';
import type { Trade } from './trades.ts';

/** How much of everything a demo company has. */
export interface Scale {
  readonly partners: number;
  readonly buyers: number;
  readonly suppliers: number;
  readonly goods: number;
  readonly contracts: number;
  readonly shipments: number;
  /** What the first partners sign in with; the same number twice is a customer who picks. */
  readonly partnerMobiles: readonly string[];
}

/** A part of a company's business, made in one go: so much after what earlier parts have made. */
export interface Chapter {
  readonly first: Counts;
  readonly scale: Scale;
  /** What the company has at its end. */
  readonly whole: Counts;
  /** Whether some of each kind wait and stray besides: not in an opening, which is to be quick. */
  readonly hasStrays: boolean;
  /** Whether nobody can be at work before it is made. */
  readonly isOpening: boolean;
  /** Documents that are worked on at the same time. */
  readonly lanes: number;
}

export type Counts = Omit<Scale, 'partnerMobiles'>;

export interface DemoPartner {
  readonly id: string;
  readonly name: string;
  readonly creditCode: string | null;
  readonly town: Town;
  /** Who looks after it. */
  readonly owner: string;
  readonly modes: readonly string[];
  readonly isManufacturer: boolean;
  readonly trades: readonly Trade[];
  readonly serial: number;
}

export interface DemoBuyer {
  readonly id: string;
  readonly partner: DemoPartner | null;
  readonly owner: string;
  readonly name: string;
  readonly countryId: string;
  readonly portId: string;
  readonly city: string;
  readonly currency: string;
  readonly term: string;
}

export interface DemoSupplier {
  readonly id: string;
  readonly partner: DemoPartner | null;
  /** The factory of the partner itself. */
  readonly isSelf: boolean;
  readonly owner: string;
  readonly name: string;
  readonly town: Town;
  readonly goods: DemoGoods[];
}

export interface DemoGoods {
  readonly id: string;
  readonly trade: Trade;
  readonly name: string;
  readonly nameEn: string;
  readonly spec: string;
  /** Price of one unit in dollars. */
  readonly usd: number;
}

/** A buyer and a supplier whose relation is approved. */
export interface DemoRelation {
  readonly id: string;
  readonly buyer: DemoBuyer;
  readonly supplier: DemoSupplier;
}

/** A line of a contract that may be shipped. */
export interface DemoLine {
  readonly id: string;
  readonly goods: DemoGoods;
  readonly supplier: DemoSupplier;
  readonly quantity: number;
  /** In the contract's currency. */
  readonly price: string;
  readonly packages: number;
}

export interface DemoContract {
  readonly id: string;
  readonly no: string;
  readonly buyer: DemoBuyer;
  readonly mode: string;
  readonly currency: string;
  readonly incoterm: string;
  readonly place: string;
  readonly term: string;
  readonly loadingPort: string;
  /** Day on which it was ready to be shipped. */
  readonly day: string;
  readonly total: number;
  readonly lines: readonly DemoLine[];
  /** Purchase contracts by supplier, where the company buys out. */
  readonly purchases: ReadonlyMap<string, string>;
  readonly fate: ContractFate;
  /** Letter of credit in force. */
  readonly lc: string | null;
}

/** How far a contract comes. `ship` goes on with shipments. */
export type ContractFate =
  | 'draft' | 'pending' | 'waiting' | 'late' | 'rejected' | 'approved' | 'signed' | 'void' | 'terminated' | 'ship'; // prettier-ignore

/** Ids of the reference data by their codes. */
export interface ReferenceIds {
  readonly of: (table: string, code: string) => string;
  /** Branches of banks in a town. */
  readonly branches: (city: string) => readonly { readonly id: string; readonly bank: string }[];
  /** Rates of CNY and dollars for one unit, newest first. */
  readonly usdFor: (currency: string) => number;
}

/** What every part of the demo needs. */
export interface World extends Chapter {
  readonly stage: Stage;
  readonly refs: ReferenceIds;
  /** First day of the demo. */
  readonly start: string;
  readonly onStep: (title: string, done: number, of: number) => void;
}

const CODES: Readonly<Record<string, string>> = {
  country: `select iso2 as code, id from country`,
  hs_code: `select code, id from hs_code where vat_rate is not null`,
  loading_port: `select code, id from port where port_kind = 'loading'`,
  exit_port: `select code, id from port where port_kind = 'exit'`,
  dest_port: `select code, id from port where port_kind = 'dest'`,
  customs_port: `select code, id from port where port_kind = 'customs'`,
  source_place: `select code, id from source_place`,
  bank: `select coalesce(swift, name) as code, id from bank`,
  bank_name: `select name as code, id from bank`,
};

/** Reads the ids that the demo refers to. */
export async function referenceIds(db: Queryable): Promise<ReferenceIds> {
  const ids = new Map<string, string>();
  for (const [table, sql] of Object.entries(CODES))
    for (const row of await db.query<{ code: string; id: string }>(sql))
      ids.set(`${table}|${row.code}`, row.id);
  const branches = await db.query<{ id: string; bank: string; city: string | null }>(
    'select id, bank_name as bank, city from cnaps where city is not null order by code',
  );
  const rates = await db.query<{ code: string; rate: string }>(
    `select distinct on (currency) currency as code, rate::text from currency_rate where kind = 'usd_cross' order by currency, date desc`,
  );
  const usd = new Map(rates.map(({ code, rate }) => [code, Number(rate)]));
  return {
    of: (table, code) => {
      const found = ids.get(`${table}|${code}`);
      if (found === undefined) throw new RangeError(`no ${table} ${code}`);
      return found;
    },
    branches: (city) => branches.filter((branch) => branch.city === city),
    usdFor: (currency) => (currency === 'USD' ? 1 : (usd.get(currency) ?? 1)),
  };
}

/**
 * The last of a list, as many as the chapter's part of so many in the whole company, each with its number among those of
 * the whole company: what becomes of it goes by that.
 */
export function lastShare<T>(
  { first, scale, whole }: Chapter,
  list: readonly T[],
  count: number,
): readonly (readonly [place: number, entry: T])[] {
  const upTo = (shipments: number): number => Math.round((count * shipments) / Math.max(1, whole.shipments));
  const from = upTo(first.shipments);
  const wanted = upTo(first.shipments + scale.shipments) - from;
  return list.slice(Math.max(0, list.length - wanted)).map((entry, place) => [from + place, entry] as const);
}

/** Numbers of a chapter's records within the whole company. */
export function serialsOf({ first, scale }: Chapter, kind: keyof Counts): readonly number[] {
  return Array.from({ length: scale[kind] }, (_entry, place) => first[kind] + place);
}
