import { checkFilter } from '../filter/check-filter.ts';
import type { FaceRecords, FaceStart } from './face-definition.ts';
import type { SetupLint } from './lint-setup.ts';
import { setupName } from './setup-files.ts';
import { faultAt, type JsonPath, type LintFault, type SourceFile } from './source-file.ts';
import { suggestion } from './suggest-name.ts';

/** What faces.json names: routes, resources, fields, conditions, prints and actions. */
export function lintFaces({
  setup,
  sources,
  catalog,
  known,
  areRoutesComplete,
}: SetupLint): readonly LintFault[] {
  const file = sources.find(({ path }) => setupName(path) === 'faces');
  if (file === undefined) return [];
  const routes = areRoutesComplete ? known.routes : null;
  const route = (name: string, path: JsonPath): readonly LintFault[] =>
    routes === null || routes.has(name)
      ? []
      : [faultAt(file, path, `未知路由 "${name}"${suggestion(name, routes)}`)];
  return Object.entries(setup.faces).flatMap(([duty, face]) => [
    ...(face?.menu ?? []).flatMap(({ items }, group) =>
      items.flatMap((item, index) =>
        typeof item === 'string' ? route(item, [duty, 'menu', group, 'items', index]) : [],
      ),
    ),
    ...(face?.home ?? []).flatMap(({ records = [], starts = [] }, block) => [
      ...records.flatMap((shown, index) =>
        recordFaults(shown, { file, catalog, path: [duty, 'home', block, 'records', index] }),
      ),
      ...starts.flatMap((start, index) =>
        startFaults(start, { file, catalog, path: [duty, 'home', block, 'starts', index] }, routes),
      ),
    ]),
  ]);
}

/** The route and what is done there. `routes`: null where they are not all known. */
export function startFaults(
  start: FaceStart,
  place: Place,
  routes: ReadonlySet<string> | null,
): readonly LintFault[] {
  const { file, path } = place;
  const strange =
    routes === null || routes.has(start.route)
      ? []
      : [faultAt(file, [...path, 'route'], `未知路由 "${start.route}"${suggestion(start.route, routes)}`)];
  return [...strange, ...resourceFaults(start, place)];
}

interface Place {
  readonly file: SourceFile;
  readonly catalog: SetupLint['catalog'];
  readonly path: JsonPath;
}

/** The resource, and an action of it or one of the base operations. */
function resourceFaults(
  { resource: key, do: operation }: Pick<FaceRecords, 'resource' | 'do'>,
  { file, catalog, path }: Place,
): readonly LintFault[] {
  const resource = Object.hasOwn(catalog.resources, key) ? catalog.resources[key] : undefined;
  if (resource === undefined)
    return [
      faultAt(
        file,
        [...path, 'resource'],
        `未知资源 "${key}"${suggestion(key, Object.keys(catalog.resources))}`,
      ),
    ];
  const actions = ['create', 'update', 'print', ...Object.keys(resource.lifecycle?.actions ?? {})];
  return operation === undefined || actions.includes(operation)
    ? []
    : [faultAt(file, [...path, 'do'], `未知操作 "${operation}"${suggestion(operation, actions)}`)];
}

function recordFaults(shown: FaceRecords, place: Place): readonly LintFault[] {
  const { file, catalog, path } = place;
  const wrong = resourceFaults(shown, place);
  const resource = catalog.resources[shown.resource];
  if (wrong.length > 0 || resource === undefined) return wrong;
  const { entries } = shown;
  const named: readonly (readonly [string, string])[] = [
    ...(shown.name === undefined ? [] : [['name', shown.name] as const]),
    ...(shown.state === undefined ? [] : [['state', shown.state] as const]),
    ...(['fields', 'amounts', 'sort'] as const).flatMap((key) =>
      (shown[key] ?? []).map((name): [string, string] => [key, name.replace(/^-/, '')]),
    ),
    ...(shown.steps ?? []).map(({ field }): [string, string] => ['steps', field]),
  ];
  const prints = resource.print.map(({ id }) => id);
  const by = entries === undefined ? undefined : catalog.resources[entries.resource]?.fields[entries.by];
  return [
    ...named.flatMap(([key, name]) =>
      resource.fields[name] === undefined
        ? [
            faultAt(
              file,
              [...path, key],
              `未知字段 "${name}"${suggestion(name, Object.keys(resource.fields))}`,
            ),
          ]
        : [],
    ),
    ...(shown.where === undefined
      ? []
      : checkFilter(shown.where, { resource, catalog }).map(({ message }) =>
          faultAt(file, [...path, 'where'], message),
        )),
    ...(shown.prints ?? []).flatMap((id) =>
      prints.includes(id)
        ? []
        : [faultAt(file, [...path, 'prints'], `未知打印 "${id}"${suggestion(id, prints)}`)],
    ),
    ...(entries === undefined
      ? []
      : [
          ...recordFaults(entries, { ...place, path: [...path, 'entries'] }),
          ...(by?.to === shown.resource
            ? []
            : [
                faultAt(
                  file,
                  [...path, 'entries', 'by'],
                  `"${entries.by}" 不是指向 ${shown.resource} 的引用`,
                ),
              ]),
        ]),
  ];
}
