import { accessTo } from '#server/records/call/open-call.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import type { Reader } from '#server/records/call/statement.ts';
import type { Services } from '#server/records/services.ts';

/** The kinds of documents that a person may approve in one of the roles held now, as the catalog orders them. */
export async function approvedKinds(
  db: Reader,
  services: Services,
  personId: string,
): Promise<readonly string[]> {
  const subjects = await services.following.subjectsOf(db, personId);
  return Object.values(currentCatalog(services).resources).flatMap((resource) => {
    const isApproved = Object.values(resource.lifecycle?.actions ?? {}).some(
      ({ approval }) => approval !== undefined,
    );
    const mayApprove = subjects.some((subject) =>
      accessTo(services, subject, resource).operations.has('approve'),
    );
    return isApproved && mayApprove ? [resource.resource] : [];
  });
}
