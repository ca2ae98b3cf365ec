/**
 * Addresses of hand-written pages, as setup/pages.json and the resources give them: the one place in code that spells
 * any. The router must know these before the server has answered; a test holds them against the definitions.
 */
export const ADDRESS = {
  login: '/login',
  register: '/Register',
  home: '/index/index',
  /** As older links have it. */
  oldHome: '/index/home',
  warnings: '/index/yj',
  inbox: '/index/sh',
  pending: '/check/dshList',
  messages: '/index/message',
  help: '/index/help',
  resourceHelp: '/index/djsm',
  self: '/user/self',
  permissions: '/user/qxpz',
  recompute: '/user/cxjs',
  print: '/index/dy',
  articleEdit: '/gggl/xwbj',
  article: '/gggl/xwxq',
  invoiceCheck: '/cyfp',
  invoiceImages: '/fapiao',
  supplierSwitch: '/gysqh',
  review: '/wzkf/sxsqsh',
} as const;

/** Open without a login (spec section 4). */
export const PUBLIC_PATHS: ReadonlySet<string> = new Set([
  ADDRESS.invoiceImages,
  ADDRESS.invoiceCheck,
  ADDRESS.supplierSwitch,
  ADDRESS.review,
]);

/** Shown only to whoever has them in the menu (spec section 4). */
export const MENU_GUARDED: ReadonlySet<string> = new Set([
  '/user/bbpz',
  '/user/role',
  '/user/xxly',
  '/gggl/xwlb',
  '/baseinfo/currency',
  '/customer/seller',
  '/customer/goods',
  '/system/banks',
  '/system/cnaps',
  '/system/skyh',
]);
