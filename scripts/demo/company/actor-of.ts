import type { Resource } from '#engine/schema/resource.ts';
import type { Actor } from './staff.ts';
import type { World } from './world.ts';

/** Somebody of the company whose role may do it, to every record if possible. */
export function actorOf({ stage }: World, { access }: Resource, action: string): Actor | null {
  const roles = access
    .filter((entry) => entry.do.includes(action))
    .flatMap(({ role }) => (typeof role === 'string' ? [role] : role))
    .map((role) => role.toLowerCase())
    .filter((role) => stage.has(role));
  return roles.find((role) => role !== 'sp') ?? roles[0] ?? null;
}
