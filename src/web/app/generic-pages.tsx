import type { ReactNode } from 'react';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import { lazyPart } from '#web/faults/lazy-part.tsx';

const ListPage = lazyPart(async () => (await import('#web/pages/list/list-page.tsx')).ListPage);
const DetailsPage = lazyPart(async () => (await import('#web/pages/details/details-page.tsx')).DetailsPage);
const EditPage = lazyPart(async () => (await import('#web/pages/edit/edit-page.tsx')).EditPage);
const ApprovalPage = lazyPart(
  async () => (await import('#web/pages/approval/approval-page.tsx')).ApprovalPage,
);
const PrintPage = lazyPart(async () => (await import('#web/pages/print/print-page.tsx')).PrintPage);
const SettingsPage = lazyPart(
  async () => (await import('#web/features/settings/settings-page.tsx')).SettingsPage,
);

/** What most clicks open, the likeliest first: loaded while nobody waits. */
export const LIKELY_PAGES = [ListPage, DetailsPage, EditPage] as const;

export interface GenericPageProps {
  readonly resource: string;
  readonly page: PageDefinition;
  readonly route: string;
}

/** The page of the kind that the resource's file says. */
export function GenericPage(props: GenericPageProps): ReactNode {
  switch (props.page.kind) {
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
      return props.page.tabs === undefined ? <ListPage {...props} /> : <SettingsPage {...props} />;
  }
}
