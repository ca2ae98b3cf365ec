import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Story } from './story.ts';
import type { World } from './world.ts';

/** A document of the company that something is made for. */
interface Known {
  readonly [column: string]: string;
  readonly id: string;
  readonly partner: string;
  readonly owner: string;
}

/** For a partner, or of the company's own business. */
type Kind = 'agency' | 'self';

/** Rows of a statement on this company; `$1` is its code. */
export function rowsOf(
  world: World,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Known[]> {
  return world.stage.services.db.query<Known>(sql, [world.stage.company, ...values]);
}

/** A story of the last months. */
export function beginLate({ stage }: World, seed: string, daysAgo: number): Story {
  return stage.begin(seed, addDays(stage.today, -daysAgo));
}

/** Whose business a document is. */
export function ofKind(kind: Kind, partner: string, project: string | null): OpenRecord {
  if (kind === 'agency') return { business_type: 'agency', partner_id: partner };
  return { business_type: 'self', ...(project === null ? {} : { project_id: project }) };
}

/** Shipments of a kind of business that have left, the latest first. */
export const SHIPPED = `select s.id, coalesce(s.partner_id::text, '') as partner, split_part(o.personid, '.', 1) as owner
  from shipment s join person o on o.id = s.sales_id where s.co_code = $1 and s.business_type = $2 and s.status = 'shipped' and not s.is_deleted
  order by s.shipment_no desc limit 8`;
