import type { PermissionMatrix } from '#contract/meta.ts';
import { grantableOperations, shippedGrant } from '#engine/access/shipped-grant.ts';
import { roleWithDuty } from '#engine/access/role-duties.ts';
import type { Services } from '#server/records/services.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { operationTitle } from './operation-titles.ts';

/** Roles by resources with the rights that the files give; the rows that override them are records of their own. */
export async function permissionMatrix(services: Services): Promise<PermissionMatrix> {
  const rows = await services.db.query(
    `select id, code, name from role where is_deleted = false and status = 'active' order by code`,
    [],
  );
  const roles = rows.map((row) => ({
    id: String(row['id']),
    code: String(row['code']),
    name: String(row['name']),
  }));
  const catalog = currentCatalog(services);
  // Partners are no staff: what is open to everybody is not open to them.
  const partner = roleWithDuty(catalog.roles, 'partner');
  const resources = Object.values(catalog.resources);
  return {
    roles,
    resources: resources.map((resource) => ({
      resource: resource.resource,
      title: resource.title,
      operations: grantableOperations(resource).map((name) => ({
        name,
        title: operationTitle(resource, name),
      })),
      fields: Object.values(resource.fields)
        .filter((field) => field.name !== 'id')
        .map(({ name, title }) => ({ name, title })),
      shipped: Object.fromEntries(
        roles.map(({ code }) => [code, shippedGrant(resource, code, code !== partner)]),
      ),
    })),
  };
}
