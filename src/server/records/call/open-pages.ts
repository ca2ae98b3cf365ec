import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import { recordPages } from '#engine/schema/record-pages.ts';
import type { Resource } from '#engine/schema/resource.ts';
import type { Caller } from '../services.ts';

/** The pages of a resource that are made for people like the caller. */
export function openPages(
  resource: Resource,
  { subject }: Pick<Caller, 'subject'>,
): readonly PageDefinition[] {
  return recordPages(resource).filter(
    ({ audience = 'both' }) => audience === 'both' || audience === subject.kind,
  );
}
