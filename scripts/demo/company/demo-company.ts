import { addDays } from '#engine/values/dates.ts';
import { regionOfCompany } from '#server/records/definitions/regions.ts';
import type { Services } from '#server/records/services.ts';
import type { OnStep } from './demo-progress.ts';
import { makeContracts } from './make-contracts.ts';
import { makeExtras } from './make-extras.ts';
import { makeGoods, makeRelations } from './make-goods.ts';
import { makeOwnRecords } from './make-own-records.ts';
import { makeBuyers, makeSuppliers } from './make-parties.ts';
import { makeInvoices } from './make-invoices.ts';
import { makeCreditLines } from './make-credit-lines.ts';
import { makeMoney } from './make-money.ts';
import { makePartners } from './make-partners.ts';
import { makeProject } from './make-projects.ts';
import { makeShipments } from './make-shipments.ts';
import { openStage } from './stage.ts';
import { referenceIds, type Scale, type World } from './world.ts';

/** One partner of the first number and two of the second, in the whole demo. */
const PARTNER_MOBILES = ['13900000001', '13900000002', '13900000002'] as const;

/** How much the full company and the small one have. */
export const SCALES: Readonly<Record<string, Scale>> = {
  AA: {
    partners: 30,
    buyers: 45,
    suppliers: 60,
    goods: 160,
    contracts: 150,
    shipments: 180,
    partnerMobiles: PARTNER_MOBILES,
  },
  AE: { partners: 8, buyers: 12, suppliers: 15, goods: 40, contracts: 30, shipments: 30, partnerMobiles: [] },
};

const DEMO_DAYS = 730;

/** Plays two years of business of a company up to yesterday. */
export async function makeDemoCompany(
  services: Services,
  company: { readonly code: string; readonly scale: Scale },
  onStep: OnStep,
): Promise<void> {
  const stage = await openStage(services, company.code);
  const world: World = {
    stage,
    scale: company.scale,
    refs: await referenceIds(services.db),
    start: addDays(stage.today, -DEMO_DAYS),
    onStep: (title, done, of) => onStep(company.code, title, done, of),
  };
  const sellerEn = englishName(services, company.code);
  const own = await makeOwnRecords(world, sellerEn);
  const partners = await makePartners(world);
  await makeCreditLines(world, partners);
  const [buyers, suppliers] = await Promise.all([
    makeBuyers(world, partners),
    makeSuppliers(world, partners),
  ]);
  await makeGoods(world, suppliers);
  const relations = await makeRelations(world, { buyers, suppliers });
  const project = await makeProject(world, relations);
  const contracts = await makeContracts(world, { relations, own, sellerEn, project });
  const shipments = await makeShipments(world, { contracts, own, project });
  await makeMoney(world, { shipments, own });
  await makeExtras(world, { contracts, shipments, sellerEn });
  await makeInvoices(world, { shipments, taxNo: regionOfCompany(services, company.code)?.taxNo ?? '' });
}

/** The company's name on foreign documents (setup/regions.json). */
function englishName(services: Services, code: string): string {
  const regions: unknown = services.definitions.setup().files['regions'];
  const list: readonly unknown[] = Array.isArray(regions) ? regions : [];
  for (const region of list)
    if (typeof region === 'object' && region !== null && Reflect.get(region, 'coCode') === code)
      return String(Reflect.get(region, 'coNameEn') ?? code);
  return code;
}
