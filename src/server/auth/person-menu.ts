import { roleWithDuty } from '#engine/access/role-duties.ts';
import { rowsFor } from '#engine/access/resource-access.ts';
import { neverBoth } from '#engine/filter/never-both.ts';
import type { Subject } from '#engine/schema/resource.ts';
import { accessTo } from '#server/records/call/open-call.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { mayOpen } from '#server/records/report/report-sources.ts';
import { reportsOf } from '#server/records/report/served-reports.ts';
import type { Services } from '#server/records/services.ts';
import type { MenuEntry } from '#contract/shape.ts';
import { faceOf } from '#server/records/face/read-face.ts';
import { buildMenu, type PageGate, partnersTitleOf, routePages } from './menu.ts';

/** The side menu of a person: pages whose resource the role may list, hand-written ones by their audience. */
export function menuOf(
  services: Services,
  subject: Subject,
  hiddenPaths: readonly string[],
): readonly MenuEntry[] {
  const catalog = currentCatalog(services);
  const routes = routePages(catalog.resources, services.definitions.setup().pages);
  const face = faceOf(services, subject);
  return buildMenu(face?.menu ?? catalog.menu, routes, {
    open: pageGate(services, subject),
    hiddenPaths,
    ...(subject.kind === 'partner' ? { titleOf: partnersTitleOf } : {}),
  });
}

/** The reports among the pages of a menu. */
export function reportPages(
  services: Services,
  menu: readonly MenuEntry[],
): readonly { readonly report: string; readonly title: string; readonly route: string }[] {
  const routes = routePages(currentCatalog(services).resources, services.definitions.setup().pages);
  return menu.flatMap(({ url, name, list }) => {
    const report = routes.get(url)?.page.report;
    const own = report === undefined ? [] : [{ report: String(report), title: name, route: url }];
    return [...own, ...reportPages(services, list)];
  });
}

/** Menus follow from rights: a page opens when its resource does. */
export function pageGate(services: Services, subject: Subject): PageGate {
  const administration = roleWithDuty(services.definitions.catalog().roles, 'administration');
  return ({ page, resource }) => {
    const audience = page.audience ?? (subject.kind === 'partner' && resource === null ? 'staff' : 'both');
    if (audience === 'administration') return subject.role_code === administration;
    if (audience !== 'both' && audience !== subject.kind) return false;
    if (page.report !== undefined) return mayOpenReport(services, subject, page.report);
    if (resource === null) return true;
    const access = accessTo(services, subject, resource);
    if (page.kind === 'approval') return access.operations.has('approve');
    // A list that nothing of what one may see can ever stand in is none of one's own.
    const { rows } = rowsFor(access, 'list');
    return access.operations.has('list') && !neverBoth(page.where ?? {}, rows ?? {});
  };
}

function mayOpenReport(services: Services, subject: Subject, id: number): boolean {
  const report = reportsOf(services, subject.co_code)[String(id)];
  return report !== undefined && mayOpen(services, { subject }, report);
}
