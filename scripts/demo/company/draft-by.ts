import type { Story } from './story.ts';

/** The draft that an action makes. */
export async function draftBy(
  story: Story,
  actor: Parameters<Story['act']>[0],
  { resource, ...step }: { readonly resource: string; readonly id: string; readonly action: string },
): Promise<string> {
  const after = await story.act(actor, resource, step);
  const [made] = after['_created'] as readonly { readonly id: string }[];
  if (made === undefined) throw new RangeError(`${step.action} of ${resource} ${step.id} made nothing`);
  return made.id;
}
