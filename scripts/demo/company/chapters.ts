import type { Config } from '#server/kernel/config.ts';
import type { Chapter, Counts, Scale } from './world.ts';

/** How a company is divided: what the first chapter has, and how many follow with equal parts of the rest. */
export interface Plan {
  readonly whole: Scale;
  readonly opening?: Counts;
  readonly following: number;
}

/** One partner of the first number and two of the second, in the whole demo. */
const PARTNER_MOBILES = ['13900000001', '13900000002', '13900000002'] as const;
const NOTHING: Counts = { partners: 0, buyers: 0, suppliers: 0, goods: 0, contracts: 0, shipments: 0 };

/** What a first user finds: a dozen documents. */
const OPENING: Counts = { partners: 3, buyers: 4, suppliers: 4, goods: 6, contracts: 6, shipments: 4 };

type Plans = Readonly<Record<string, Plan>>;

/** How much the companies of the whole demo have. */
const WHOLE: Plans = {
  AA: {
    whole: {
      partners: 30,
      buyers: 45,
      suppliers: 60,
      goods: 160,
      contracts: 150,
      shipments: 180,
      partnerMobiles: PARTNER_MOBILES,
    },
    opening: OPENING,
    following: 5,
  },
  AE: {
    whole: {
      partners: 8,
      buyers: 12,
      suppliers: 15,
      goods: 40,
      contracts: 30,
      shipments: 30,
      partnerMobiles: [],
    },
    following: 2,
  },
};

/** One company that has every kind of document in every state, and few of each. */
const BRIEF: Plans = {
  AA: {
    whole: {
      partners: 12,
      buyers: 18,
      suppliers: 24,
      goods: 60,
      contracts: 60,
      shipments: 64,
      partnerMobiles: PARTNER_MOBILES,
    },
    opening: OPENING,
    following: 1,
  },
};

/** The chapters of the demo companies by their codes. */
export function demoChapters(size: Config['demoData']): Readonly<Record<string, readonly Chapter[]>> {
  const plans = size === 'brief' ? BRIEF : WHOLE;
  return Object.fromEntries(Object.entries(plans).map(([code, plan]) => [code, chaptersOf(plan)]));
}

/** A company in one go, with some of everything. */
export function wholeCompany(whole: Scale): readonly Chapter[] {
  return chaptersOf({ whole, following: 1 }).map((chapter) => ({
    ...chapter,
    isOpening: true,
    lanes: OPENING_LANES,
  }));
}

/** So many at the same time: whoever waits for the opening has the machine alone, afterwards people work on it too. */
const OPENING_LANES = 5;
const FOLLOWING_LANES = 2;

/** Divides a company. */
export function chaptersOf({ whole, opening, following }: Plan): readonly Chapter[] {
  const { partnerMobiles } = whole;
  const before = opening ?? NOTHING;
  const rest = combine(whole, before, (all, made) => all - made);
  const upTo = (place: number): Counts =>
    combine(before, rest, (made, left) => made + Math.round((left * place) / following));
  const chapters = Array.from({ length: following }, (_entry, place): Chapter => {
    const first = upTo(place);
    const scale = { ...combine(upTo(place + 1), first, (end, start) => end - start), partnerMobiles };
    return { first, scale, whole, hasStrays: place === 0, isOpening: false, lanes: FOLLOWING_LANES };
  });
  if (opening === undefined) return chapters;
  const scale = { ...opening, partnerMobiles };
  return [
    { first: NOTHING, scale, whole, hasStrays: false, isOpening: true, lanes: OPENING_LANES },
    ...chapters,
  ];
}

function combine(a: Counts, b: Counts, how: (a: number, b: number) => number): Counts {
  return {
    partners: how(a.partners, b.partners),
    buyers: how(a.buyers, b.buyers),
    suppliers: how(a.suppliers, b.suppliers),
    goods: how(a.goods, b.goods),
    contracts: how(a.contracts, b.contracts),
    shipments: how(a.shipments, b.shipments),
  };
}
