import type { Resource } from '#engine/schema/resource.ts';
import type { Services } from '#server/records/services.ts';
import { quoteName } from './statement.ts';

/** Codes of the companies that have records of a resource; one empty text for a resource that no company owns. */
export async function companiesOf(
  { db }: Pick<Services, 'db'>,
  resource: Resource,
): Promise<readonly string[]> {
  if (resource.scope !== 'company') return [''];
  const rows = await db.query<{ co_code: string }>(
    `select distinct co_code from ${quoteName(resource.resource)} where co_code is not null order by co_code`,
  );
  return rows.map(({ co_code: company }) => company);
}
