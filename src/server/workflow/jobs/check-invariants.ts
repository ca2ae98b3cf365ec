import type { EvaluationContext, Resource } from '#engine/schema/resource.ts';
import { emitSystemEvent } from '#server/workflow/events/emit-event.ts';
import { labelExpression } from '#server/records/read/label-expression.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { companiesOf } from '#server/records/call/record-companies.ts';
import { quoteName } from '#server/records/call/statement.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import type { Services } from '#server/records/services.ts';
import type { JobTask } from '#server/kernel/worker.ts';
import { figureInvariants } from './figure-invariants.ts';
import { ledgerInvariants } from './ledger-invariants.ts';
import { limitInvariants } from './limit-invariants.ts';

const TASK = 'check_invariants';
const EVENT = 'DATA_INVARIANT';
/** So many records are named in a notice; of the others it says how many they are. */
const MAX_NAMED = 5;

/** What always holds of stored documents (flows section 4): asserted by the rules of every write, and looked for every night. */
export interface Invariant {
  readonly code: string;
  /** What should hold, as administrators read it. */
  readonly title: string;
  /** The resource it speaks of, or the fields that make it speak of a resource. */
  readonly of: string | { readonly withFields: readonly string[] };
  /** SQL on the row `t` of a record that breaks it. `$1` is the company, `$2`… are `params`. */
  readonly broken: string | BrokenSql;
  /** Parameters of the company, percents as fractions. */
  readonly params?: readonly string[];
}

/** Such SQL written for a company: what it binds is pushed behind the values that are there. */
export type BrokenSql = (at: { readonly context: EvaluationContext; readonly values: unknown[] }) => string;

/** Every night what must always hold is looked for in what is stored. */
export function invariantTasks(
  services: Services,
  invariants: readonly Invariant[],
): Readonly<Record<string, JobTask>> {
  return {
    [TASK]: async () => {
      await checkInvariants(services, invariants);
      await checkAll(services, figureInvariants(currentCatalog(services)));
    },
  };
}

/** In UTC: 03:20 in Shanghai, when the clock actions are done. */
export const INVARIANT_SCHEDULE = [{ task: TASK, pattern: '20 19 * * *', isAlone: true }] as const;

/** Tells the administrators of a company of every invariant that its records break, those of its ledgers too, naming the first of them. */
export async function checkInvariants(services: Services, invariants: readonly Invariant[]): Promise<void> {
  const catalog = currentCatalog(services);
  await checkAll(services, [...invariants, ...ledgerInvariants(catalog), ...limitInvariants(catalog)]);
}

/** The same for these alone. */
export async function checkAll(services: Services, invariants: readonly Invariant[]): Promise<void> {
  for (const invariant of invariants)
    for (const resource of resourcesOf(services, invariant))
      for (const company of await companiesOf(services, resource))
        try {
          await checkOne(services, { invariant, resource, company });
        } catch (error) {
          services.log.error(
            { err: error, invariant: invariant.code, resource: resource.resource },
            'invariant could not be checked',
          );
        }
}

function resourcesOf(services: Services, { of }: Invariant): readonly Resource[] {
  const stored = Object.values(currentCatalog(services).resources).filter(({ kind }) => kind !== 'view');
  return typeof of === 'string'
    ? stored.filter(({ resource }) => resource === of)
    : stored.filter(({ fields }) => of.withFields.every((name) => fields[name] !== undefined));
}

interface Check {
  readonly invariant: Invariant;
  readonly resource: Resource;
  readonly company: string;
}

async function checkOne(services: Services, check: Check): Promise<void> {
  const { invariant, resource, company } = check;
  const found = await brokenRecords(services, check);
  const [first] = found;
  if (first === undefined) return;
  services.log.error(
    { invariant: invariant.code, resource: resource.resource, company, total: first.total },
    'stored data break an invariant',
  );
  const named = found.map(({ label }) => label).join('、');
  const rest = first.total > found.length ? `等${first.total}份` : '';
  const words = { opinion: `${invariant.code} ${invariant.title}：${resource.title}${named}${rest}` };
  const about = { resource: resource.resource, recordId: first.id };
  await services.db.transaction((tx) =>
    emitSystemEvent(tx, services, { event: EVENT, companies: [company], words, about }),
  );
}

interface Broken extends Record<string, unknown> {
  readonly id: string;
  readonly label: string;
  readonly total: number;
}

function brokenRecords(
  services: Services,
  { invariant, resource, company }: Check,
): Promise<readonly Broken[]> {
  const { context } = systemCaller(services, company);
  const values: unknown[] = [company, ...(invariant.params ?? []).map((name) => context.params[name] ?? '0')];
  const broken =
    typeof invariant.broken === 'string' ? invariant.broken : invariant.broken({ context, values });
  const label = labelExpression(currentCatalog(services), resource.resource, 't');
  return services.reader.query<Broken>(
    `select t.id, coalesce(${label}, t.id::text) as label, (count(*) over ())::int as total
     from ${quoteName(resource.resource)} t
     where t.co_code = $1 and not t.is_deleted and (${broken}) order by t.id limit ${MAX_NAMED}`,
    values,
  );
}
