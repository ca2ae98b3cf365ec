import type { FastifyRequest } from 'fastify';
import { type Call, openAnyCall, openCall } from '#server/records/call/open-call.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { callerOf } from './app-types.ts';

/** The caller's way to the resource in the path; refused without the operation that the contract asks for. */
export function resourceCall(
  services: AppServices,
  request: FastifyRequest<{ Params: { readonly resource: string } }>,
): Call {
  const operation = request.routeOptions.config.contract?.operation;
  const { resource } = request.params;
  return operation === undefined
    ? openAnyCall(services, callerOf(request), resource)
    : openCall(services, callerOf(request), resource, operation);
}
