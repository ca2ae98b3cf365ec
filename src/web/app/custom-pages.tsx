import { ADDRESS } from '#web/data/addresses.ts';
import type { ComponentType } from 'react';
import { lazyPart } from '#web/faults/lazy-part.tsx';
import { hasLightHome } from './show-signed-in.ts';

const HomePage = lazyPart(async () => (await import('#web/features/home/home-page.tsx')).HomePage);
const FacePage = lazyPart(async () => (await import('#web/features/face/face-page.tsx')).FacePage);

/** Hand-written pages by the component name that setup/pages.json gives them. */
export const CUSTOM_PAGES: Readonly<Record<string, ComponentType>> = {
  home: () => (hasLightHome() ? <FacePage /> : <HomePage />),
  warnings: lazyPart(async () => (await import('#web/features/home/warnings-page.tsx')).WarningsPage),
  inbox: lazyPart(async () => (await import('#web/pages/approval/inbox-page.tsx')).InboxPage),
  messages: lazyPart(async () => (await import('#web/features/home/messages-page.tsx')).MessagesPage),
  help: lazyPart(async () => (await import('#web/features/articles/help-page.tsx')).HelpPage),
  articles: lazyPart(async () => (await import('#web/features/articles/articles-page.tsx')).ArticlesPage),
  article: lazyPart(async () => (await import('#web/features/articles/article-page.tsx')).ArticlePage),
  self: lazyPart(async () => (await import('#web/features/self/self-page.tsx')).SelfPage),
  print: lazyPart(async () => (await import('#web/pages/print/print-page.tsx')).AnyPrintPage),
  print_templates: lazyPart(async () => (await import('#web/pages/print/templates-page.tsx')).TemplatesPage),
  recompute: lazyPart(async () => (await import('#web/features/recompute/recompute-page.tsx')).RecomputePage),
  resource_help: lazyPart(
    async () => (await import('#web/features/resource-help/resource-help-page.tsx')).ResourceHelpPage,
  ),
  person_preview: lazyPart(
    async () => (await import('#web/features/person-preview/person-preview-page.tsx')).PersonPreviewPage,
  ),
  own_reports: lazyPart(async () => (await import('#web/pages/report/own-reports-page.tsx')).OwnReportsPage),
  permissions: lazyPart(
    async () => (await import('#web/features/permissions/permissions-page.tsx')).PermissionsPage,
  ),
};

/** The pages that stand whatever the definitions say. */
export const CUSTOM_ROUTES: Readonly<Record<string, string>> = {
  [ADDRESS.home]: 'home',
  [ADDRESS.warnings]: 'warnings',
  [ADDRESS.inbox]: 'inbox',
  [ADDRESS.pending]: 'inbox',
  [ADDRESS.messages]: 'messages',
  [ADDRESS.help]: 'help',
  [ADDRESS.self]: 'self',
};
