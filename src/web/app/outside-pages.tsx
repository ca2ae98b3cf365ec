import { type ComponentType, type ReactNode, Suspense } from 'react';
import { LoginPage } from '#web/features/login/login-page.tsx';
import { FaultBoundary } from '#web/faults/fault-boundary.tsx';
import { lazyPart } from '#web/faults/lazy-part.tsx';
import { callApi } from '#web/data/http.ts';
import { storedAuthorization } from '#web/data/stored-person.ts';
import { ADDRESS, PUBLIC_PATHS } from '#web/data/addresses.ts';
import { MissingPage } from './missing-page.tsx';

/** Pages that stand outside the layout and need no login, by path; one without an entry is missing. The login page comes with the first load, so that it costs no further round trip. */
const OUTSIDE_PAGES: Readonly<Record<string, ComponentType>> = {
  [ADDRESS.login]: LoginPage,
  [ADDRESS.register]: lazyPart(
    async () => (await import('#web/features/register/register-page.tsx')).RegisterPage,
  ),
  [ADDRESS.invoiceCheck]: lazyPart(
    async () => (await import('#web/features/invoice-check/invoice-check-page.tsx')).InvoiceCheckPage,
  ),
  [ADDRESS.invoiceImages]: lazyPart(
    async () => (await import('#web/features/invoice-images/invoice-images-page.tsx')).InvoiceImagesPage,
  ),
  [ADDRESS.supplierSwitch]: lazyPart(
    async () => (await import('#web/features/supplier-switch/supplier-switch-page.tsx')).SupplierSwitchPage,
  ),
  [ADDRESS.review]: lazyPart(async () => (await import('#web/features/review/review-page.tsx')).ReviewPage),
};

/** True for addresses that never stand in a tab. */
export function isOutside(path: string): boolean {
  // Stands in the layout for who is signed in and comes without the link's token.
  if (path === ADDRESS.review && storedAuthorization() !== null)
    return new URLSearchParams(location.search).has('token');
  return path === '/' || path === ADDRESS.login || path === ADDRESS.register || PUBLIC_PATHS.has(path);
}

/** The page of an outside address. */
export function outsidePage(path: string): ReactNode {
  const Page = OUTSIDE_PAGES[path] ?? MissingPage;
  return (
    <FaultBoundary what="页面">
      <Suspense fallback={null}>
        <Page />
      </Suspense>
    </FaultBoundary>
  );
}

/** Whether an address leads nowhere; asked only for whoever is not signed in, who would be sent to the login page otherwise. */
export async function leadsNowhere(path: string): Promise<boolean> {
  const routes = await callApi('GET /meta/routes').catch(() => null);
  return routes !== null && !routes.some((route) => route.path === path);
}
