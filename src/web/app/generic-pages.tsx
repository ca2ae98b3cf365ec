import type { ComponentType } from 'react';
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

/** The component for the kind that the resource's file gives a page. */
export function genericPage(page: PageDefinition): ComponentType<GenericPageProps> {
  switch (page.kind) {
    case 'edit':
      return EditPage;
    case 'details':
      return DetailsPage;
    case 'approval':
      return ApprovalPage;
    case 'print':
      return PrintPage;
    case 'settings':
      return SettingsPage;
    default:
      return page.tabs === undefined ? ListPage : SettingsPage;
  }
}
