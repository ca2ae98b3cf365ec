import { Skeleton } from 'antd';
import { type ReactNode, Suspense } from 'react';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import { lazyPart } from '#web/faults/lazy-part.tsx';
import { findPage, useResourceList } from '#web/data/resource-list.ts';
import { CUSTOM_PAGES, CUSTOM_ROUTES } from './custom-pages.tsx';
import { NotFound } from './not-found.tsx';
import { useRoutes } from './routes.ts';

const ListPage = lazyPart(async () => (await import('#web/pages/list/list-page.tsx')).ListPage);
const DetailsPage = lazyPart(async () => (await import('#web/pages/details/details-page.tsx')).DetailsPage);
const EditPage = lazyPart(async () => (await import('#web/pages/edit/edit-page.tsx')).EditPage);
const ApprovalPage = lazyPart(
  async () => (await import('#web/pages/approval/approval-page.tsx')).ApprovalPage,
);
const PrintPage = lazyPart(async () => (await import('#web/pages/print/print-page.tsx')).PrintPage);

const ReportPage = lazyPart(async () => (await import('#web/pages/report/report-page.tsx')).ReportPage);
const SettingsPage = lazyPart(
  async () => (await import('#web/features/settings/settings-page.tsx')).SettingsPage,
);

/** The page of a path: hand-written, or generic by the kind that the resource's file gives it. */
export function PageView({ path }: { readonly path: string }) {
  const entries = useResourceList();
  const routes = useRoutes();
  const known = routes?.find((route) => route.path === path);
  const component = CUSTOM_ROUTES[path] ?? known?.component ?? '';
  const Custom = CUSTOM_PAGES[component];
  if (Custom !== undefined)
    return (
      <Lazy>
        <Custom />
      </Lazy>
    );
  if (known?.report !== undefined)
    return (
      <Lazy>
        <ReportPage report={String(known.report)} />
      </Lazy>
    );
  const found = findPage(entries, path);
  if (found !== null) return <Lazy>{genericPage(found.entry.resource, found.page, path)}</Lazy>;
  if (routes === null || entries.length === 0) return <Skeleton active className="page-skeleton" />;
  return <NotFound isKnown={routes.some((route) => route.path === path)} />;
}

function Lazy({ children }: { readonly children: ReactNode }) {
  return (
    <Suspense fallback={<Skeleton active paragraph={{ rows: 10 }} className="page-skeleton" />}>
      {children}
    </Suspense>
  );
}

function genericPage(resource: string, page: PageDefinition, route: string) {
  const props = { resource, page, route };
  switch (page.kind) {
    case 'edit':
      return <EditPage {...props} />;
    case 'details':
      return <DetailsPage {...props} />;
    case 'approval':
      return <ApprovalPage {...props} />;
    case 'print':
      return <PrintPage {...props} />;
    case 'settings':
      return <SettingsPage {...props} />;
    default:
      return page.tabs === undefined ? <ListPage {...props} /> : <SettingsPage {...props} />;
  }
}
