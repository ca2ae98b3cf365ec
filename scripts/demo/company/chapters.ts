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

/** How much the full company and the small one have. */
const PLANS: Readonly<Record<string, Plan>> = {
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
    // What a first user finds: a dozen documents.
    opening: { partners: 3, buyers: 4, suppliers: 4, goods: 6, contracts: 6, shipments: 4 },
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

/** The chapters of the demo companies by their codes. */
export function demoChapters(): Readonly<Record<string, readonly Chapter[]>> {
  return Object.fromEntries(Object.entries(PLANS).map(([code, plan]) => [code, chaptersOf(plan)]));
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
