import type { FastifyRequest } from 'fastify';
import type { AppServices } from '#server/auth/app-services.ts';
import { AppError } from '#server/kernel/errors.ts';
import { publicAddress, regionOfHost } from '#server/records/definitions/regions.ts';

/** Where this site stands for the browser: below ERP_PUBLIC_URL, else where the browser is. */
export function siteOrigin(services: AppServices, { protocol, host, hostname }: FastifyRequest): string {
  const { publicUrl } = services.config;
  const company = publicUrl === null ? undefined : regionOfHost(services, hostname)?.coCode;
  const isPublic = publicUrl !== null && (company !== undefined || !publicUrl.includes('{company}'));
  const origin = isPublic ? publicAddress(services, company ?? '') : `${protocol}://${host}`;
  if (!URL.canParse(origin)) throw new AppError('BAD_REQUEST');
  return new URL(origin).origin;
}
