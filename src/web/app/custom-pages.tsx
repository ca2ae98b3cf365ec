import { type ComponentType, lazy } from 'react';

/** Hand-written pages by the component name that setup/pages.json gives them. */
export const CUSTOM_PAGES: Readonly<Record<string, ComponentType>> = {
  home: lazy(() =>
    import('#web/features/home/home-page.tsx').then((module) => ({ default: module.HomePage })),
  ),
  warnings: lazy(() =>
    import('#web/features/home/warnings-page.tsx').then((module) => ({ default: module.WarningsPage })),
  ),
  inbox: lazy(() =>
    import('#web/pages/approval/inbox-page.tsx').then((module) => ({ default: module.InboxPage })),
  ),
  messages: lazy(() =>
    import('#web/features/home/messages-page.tsx').then((module) => ({ default: module.MessagesPage })),
  ),
  help: lazy(() =>
    import('#web/features/articles/help-page.tsx').then((module) => ({ default: module.HelpPage })),
  ),
  articles: lazy(() =>
    import('#web/features/articles/articles-page.tsx').then((module) => ({ default: module.ArticlesPage })),
  ),
  article: lazy(() =>
    import('#web/features/articles/article-page.tsx').then((module) => ({ default: module.ArticlePage })),
  ),
  self: lazy(() =>
    import('#web/features/self/self-page.tsx').then((module) => ({ default: module.SelfPage })),
  ),
  permissions: lazy(() =>
    import('#web/features/permissions/permissions-page.tsx').then((module) => ({
      default: module.PermissionsPage,
    })),
  ),
};

/** The pages that stand whatever the definitions say. */
export const CUSTOM_ROUTES: Readonly<Record<string, string>> = {
  '/index/index': 'home',
  '/index/yj': 'warnings',
  '/index/sh': 'inbox',
  '/check/dshList': 'inbox',
  '/index/message': 'messages',
  '/index/help': 'help',
  '/user/self': 'self',
};
