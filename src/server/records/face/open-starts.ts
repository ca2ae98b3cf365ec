import type { FaceStart } from '#engine/schema/face-definition.ts';
import { startAddress } from '#engine/schema/record-address.ts';
import { openAnyCall } from '#server/records/call/open-call.ts';
import { openPages } from '#server/records/call/open-pages.ts';
import type { Caller, Services } from '#server/records/services.ts';

/** The starts of what a person may do, each with where it leads him. */
export function openStarts(
  services: Services,
  caller: Caller,
  starts: readonly FaceStart[],
): readonly { readonly title: string; readonly address: string }[] {
  return starts.flatMap((start) => {
    const { access, resource } = openAnyCall(services, caller, start.resource);
    if (!access.operations.has(start.do)) return [];
    return [{ title: start.title, address: startAddress(openPages(resource, caller), start) }];
  });
}
