import type { StreamHub } from '#server/workflow/notices/stream-hub.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import type { App } from './app-types.ts';
import { registerApprovalRoutes } from './approval-routes.ts';
import { registerAuditRoutes } from './audit-routes.ts';
import { registerAuthRoutes } from './auth-routes.ts';
import { registerCommentRoutes } from './comment-routes.ts';
import { registerDataRoutes } from './data-routes.ts';
import { registerDocsRoutes } from './docs-routes.ts';
import { registerFileRoutes } from './file-routes.ts';
import { registerForgottenRoutes } from './forgotten-routes.ts';
import { type Readiness, registerHealthRoutes } from './health-routes.ts';
import { registerInvoiceRoutes } from './invoice-routes.ts';
import { registerLookupRoutes } from './lookup-routes.ts';
import { registerMetaRoutes } from './meta-routes.ts';
import type { Metrics } from './metrics.ts';
import { registerMetricsRoutes } from './metrics-routes.ts';
import { registerNoticeRoutes } from './notice-routes.ts';
import { registerLedgerRoutes } from './ledger-routes.ts';
import { registerLogoutRoutes } from './logout-routes.ts';
import { registerOidcRoutes } from './oidc-routes.ts';
import { registerPersonPreviewRoutes } from './person-preview-routes.ts';
import { registerMailRoutes } from './mail-routes.ts';
import { registerPrintRoutes } from './print-routes.ts';
import { registerRecomputeRoutes } from './recompute-routes.ts';
import { registerRegistrationRoutes } from './registration-routes.ts';
import { registerRelationRoutes } from './relation-routes.ts';
import { registerFaceRoutes } from './face-routes.ts';
import { registerReportRoutes } from './report-routes.ts';
import { registerReviewRoutes } from './review-routes.ts';
import { registerSelfRoutes } from './self-routes.ts';
import { serveSite } from './static-site.ts';
import { registerStreamRoutes } from './stream-routes.ts';
import type { RegisteredRoute } from './route-table.ts';
import { registerTransferRoutes } from './transfer-routes.ts';
import { registerUploadLinkRoutes } from './upload-link-routes.ts';
import { registerViewRoutes } from './view-routes.ts';

/** Registers a group of calls. */
export type RegisterRoutes = (app: App, services: AppServices) => void;

/** Every group of calls. A new group is one more line. */
const API_ROUTES: readonly RegisterRoutes[] = [
  registerAuthRoutes,
  registerLogoutRoutes,
  registerOidcRoutes,
  registerRegistrationRoutes,
  registerForgottenRoutes,
  registerMetaRoutes,
  registerDataRoutes,
  registerLedgerRoutes,
  registerPersonPreviewRoutes,
  registerPrintRoutes,
  registerMailRoutes,
  registerTransferRoutes,
  registerLookupRoutes,
  registerApprovalRoutes,
  registerReviewRoutes,
  registerFileRoutes,
  registerUploadLinkRoutes,
  registerNoticeRoutes,
  registerAuditRoutes,
  registerRelationRoutes,
  registerInvoiceRoutes,
  registerSelfRoutes,
  registerViewRoutes,
  registerCommentRoutes,
  registerRecomputeRoutes,
  registerFaceRoutes,
  registerReportRoutes,
];

/** Every route of the server, in one place. */
export async function registerRoutes(
  app: App,
  services: AppServices,
  parts: {
    readonly hub: StreamHub;
    readonly readiness: Readiness;
    /** Filled as they register. */
    readonly routes: readonly RegisteredRoute[];
    readonly metrics: Metrics;
  },
): Promise<void> {
  registerHealthRoutes(app, services, parts.readiness);
  registerMetricsRoutes(app, services.config, parts.metrics);
  for (const register of API_ROUTES) register(app, services);
  registerDocsRoutes(app, services, parts.routes);
  registerStreamRoutes(app, services, parts.hub);
  await serveSite(app, services, parts.routes);
}
