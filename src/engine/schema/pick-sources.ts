import type { MakeDefinition } from './effects-definition.ts';
import type { Catalog, Resource } from './resource.ts';

/** Where the lines of a list may be picked: a make of another resource that gives such lines. */
export interface PickSource {
  /** `export_contract.shipment`, as the list names it. */
  readonly name: string;
  readonly resource: Resource;
  readonly key: string;
  readonly make: MakeDefinition;
  /** The source's lines that are picked; null: each of its records gives one. */
  readonly of: string | null;
}

/** The sources that a list of a resource names; those that are not there, or give no such lines, are left out. */
export function pickSources(
  catalog: Pick<Catalog, 'resources'>,
  target: Resource,
  lines: string,
): readonly PickSource[] {
  return (target.fields[lines]?.from ?? []).flatMap((name) => {
    const [resourceKey = '', key = ''] = name.split('.');
    const resource = Object.hasOwn(catalog.resources, resourceKey)
      ? catalog.resources[resourceKey]
      : undefined;
    const make =
      resource !== undefined && Object.hasOwn(resource.makes, key) ? resource.makes[key] : undefined;
    if (resource === undefined || make === undefined) return [];
    if (make.to === `${target.resource}.${lines}`)
      return [{ name, resource, key, make, of: make.each ?? null }];
    const entry = make.to === target.resource ? make.lines?.[lines] : undefined;
    return entry === undefined ? [] : [{ name, resource, key, make, of: entry.of ?? lines }];
  });
}
