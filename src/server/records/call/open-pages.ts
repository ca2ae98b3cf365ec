import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import type { Caller } from '../services.ts';

/** The pages of a resource that are made for people like the caller. */
export function openPages(
  { pages }: Pick<Resource, 'pages'>,
  { subject }: Pick<Caller, 'subject'>,
): readonly PageDefinition[] {
  return pages.filter(({ audience = 'both' }) => audience === 'both' || audience === subject.kind);
}
