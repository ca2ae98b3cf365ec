import { usePrefetchQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { type ReactNode, Suspense } from 'react';
import { definitionQuery } from '#web/data/page-resource.ts';
import { lazyPart } from '#web/faults/lazy-part.tsx';
import { findPage, useResourceList } from '#web/data/resource-list.ts';
import { CUSTOM_PAGES, CUSTOM_ROUTES } from './custom-pages.tsx';
import { GenericPage, type GenericPageProps } from './generic-pages.tsx';
import { NotFound, useMissing } from './not-found.tsx';
import { useRoutes } from './routes.ts';

const ReportPage = lazyPart(async () => (await import('#web/pages/report/report-page.tsx')).ReportPage);

/** The page of an address: hand-written, or generic by the kind that the resource's file gives it. */
export function PageView({ address }: { readonly address: string }) {
  const [path = ''] = address.split('?');
  const entries = useResourceList();
  const routes = useRoutes();
  const known = routes?.find((route) => route.path === path);
  const component = CUSTOM_ROUTES[path] ?? known?.component ?? '';
  const Custom = CUSTOM_PAGES[component];
  const found = findPage(entries, address);
  const isLoading = routes === null || entries.length === 0;
  const isNamed = Custom !== undefined || known !== undefined || found !== null;
  useMissing(!isNamed && !isLoading);
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
  if (found !== null)
    return <Generic resource={found.entry.resource} page={found.page} route={found.page.route} />;
  if (isLoading) return <Skeleton active className="page-skeleton" />;
  return <NotFound isKnown={isNamed} />;
}

function Lazy({ children }: { readonly children: ReactNode }) {
  return (
    <Suspense fallback={<Skeleton active paragraph={{ rows: 10 }} className="page-skeleton" />}>
      {children}
    </Suspense>
  );
}

/** A page of a resource: its program and its definition are fetched side by side. */
function Generic(props: GenericPageProps) {
  usePrefetchQuery(definitionQuery(props.resource));
  return (
    <Lazy>
      <GenericPage {...props} />
    </Lazy>
  );
}
