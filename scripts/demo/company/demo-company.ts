import { addDays } from '#engine/values/dates.ts';
import { regionOfCompany } from '#server/records/definitions/regions.ts';
import type { Services } from '#server/records/services.ts';
import type { OnStep } from './demo-progress.ts';
import { closeMonths } from './close-months.ts';
import { playEnds } from './ends.ts';
import { importHsCodes, uploadHsCodes } from './make-hs-import.ts';
import { makeCollections } from './make-collections.ts';
import { isLast, makeClosing } from './make-closing.ts';
import { makeCommissions, settleEarly } from './make-commissions.ts';
import { makeContracts } from './make-contracts.ts';
import { makeExtras } from './make-extras.ts';
import { makeFees } from './make-fees.ts';
import { makeGoods, makeRelations } from './make-goods.ts';
import { makeOwnInvoices } from './make-own-invoices.ts';
import { makeOwnRecords, type OwnRecords } from './make-own-records.ts';
import { makeBuyers, makeSuppliers } from './make-parties.ts';
import { makeInvoices } from './make-invoices.ts';
import { makeCreditLines } from './make-credit-lines.ts';
import { makeClaims } from './make-claims.ts';
import { makeLoans } from './make-loans.ts';
import { makeMoney } from './make-money.ts';
import { makeMoneyStates } from './make-money-states.ts';
import { makeMovements } from './make-movements.ts';
import { makePaperEnds } from './make-paper-ends.ts';
import { makeOpenTrades } from './make-open-trades.ts';
import { makePapers } from './make-papers.ts';
import { makePartners } from './make-partners.ts';
import { makeEndedProjects, makeEndingProject, makeProject, makeWaitingEstimates } from './make-projects.ts';
import { makeRefunds } from './make-refunds.ts';
import { makeShipments } from './make-shipments.ts';
import { OFFICE_ENDS } from './office-ends.ts';
import { PARTY_ENDS } from './party-ends.ts';
import { answerWaiting } from './answer-waiting.ts';
import { openStage } from './stage.ts';
import { makeService } from './make-service.ts';
import { makeMissingStates } from './make-missing-states.ts';
import { makeRareStates } from './make-rare-states.ts';
import { makeSupplyChain } from './make-supply-chain.ts';
import { makeVariety } from './make-variety.ts';
import { unlessRefused } from './unless-refused.ts';
import { type Chapter, type DemoPartner, referenceIds, type World } from './world.ts';

const DEMO_DAYS = 730;
const REGULARS = 3;

/** What every chapter of a company uses and one of them makes. */
export interface Common {
  readonly own?: OwnRecords;
  /** The project of the company's own business. */
  readonly project?: string;
  /** Partners of the first chapter, who trade in all others too: a few large ones, as in life. */
  readonly regulars?: readonly DemoPartner[];
}

/** A chapter that is to be made, and who hears of it. */
export interface Making {
  readonly company: string;
  /** Its number: 0 is the first. */
  readonly chapter: number;
  readonly of: Chapter;
  readonly common: Common;
  /** Told as soon as something common has been made. */
  readonly keep: (common: Common) => Promise<void>;
  readonly onStep: OnStep;
  readonly signal: AbortSignal;
}

/**
 * Plays a part of two years of business of a company, up to yesterday.
 * @throws what the signal is given with, between two steps: what was made so far stays as it is
 */
export async function makeChapter(services: Services, making: Making): Promise<void> {
  const { company, onStep } = making;
  const stage = await openStage(services, making);
  const world: World = {
    ...making.of,
    stage,
    refs: await referenceIds(services.db),
    start: addDays(stage.today, -DEMO_DAYS),
    onStep: (title, done, of) => onStep({ company, chapter: making.chapter, title }, done, of),
  };
  const sellerEn = englishName(services, company);
  const own = making.common.own ?? (await makeOwnRecords(world, sellerEn));
  await making.keep({ ...making.common, own });
  const joined = await makePartners(world);
  await makeCreditLines(world, joined);
  const regulars = making.common.regulars ?? joined.slice(0, REGULARS);
  const partners = making.common.regulars === undefined ? joined : [...regulars, ...joined];
  const [buyers, suppliers] = await Promise.all([
    makeBuyers(world, partners),
    makeSuppliers(world, partners),
  ]);
  await makeGoods(world, suppliers);
  const relations = await makeRelations(world, { buyers, suppliers });
  const project = making.common.project ?? (await makeProject(world, relations));
  await making.keep({ own, project, regulars });
  if (world.hasStrays) await makeWaitingEstimates(world, relations);
  const contracts = await makeContracts(world, { relations, own, sellerEn, project });
  const shipments = await makeShipments(world, { contracts, own, project });
  await makePapers(world, shipments);
  const unpaid = await makeMoney(world, { shipments, own });
  await makeCollections(world, { unpaid, own, holder: regulars[0]?.id ?? '' });
  await makeExtras(world, { contracts, shipments, sellerEn, project });
  await makeInvoices(world, { shipments, taxNo: regionOfCompany(services, company)?.taxNo ?? '' });
  await makeRefunds(world, own);
  await makeOwnInvoices(world, shipments);
  if (world.hasStrays) await makeMovements(world, own);
  if (world.hasStrays) {
    await unlessRefused(() => uploadHsCodes(world));
    await makeFees(world, own);
    for (const partner of regulars.slice(0, 1)) await makeSupplyChain(world, { own, partner });
  }
  if (world.isOpening || world.hasStrays) await makeService(world, joined.slice(0, world.hasStrays ? 5 : 1));
  if (isLast(world)) {
    await makeLoans(world, own);
    await makeClaims(world, own);
    await unlessRefused(() => makeEndingProject(world, relations));
    await makeEndedProjects(world, relations);
    await makeVariety(world, { own, project });
    await makePaperEnds(world);
    await makeOpenTrades(world, { relations, own, sellerEn, project });
    await playEnds(world, '往来单位与公司事务的例外', [...PARTY_ENDS, ...OFFICE_ENDS]);
    await unlessRefused(() => importHsCodes(world));
    await makeMoneyStates(world, own);
    await makeRareStates(world);
    await makeMissingStates(world);
    await settleEarly(world);
    await closeMonths(world, { accounts: own.accounts, then: (month) => makeCommissions(world, month) });
  }
  await makeClosing(world, { regulars, own });
  if (isLast(world)) await answerWaiting(world);
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
