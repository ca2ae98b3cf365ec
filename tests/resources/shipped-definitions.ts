import { readFileSync } from 'node:fs';
import { type LoadedDefinitions, loadDefinitions } from '#engine/schema/lint-resource.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { lintExtras } from '#server/business/lint-extras.ts';
import { registerTradeFunctions } from '#trade/formula-functions.ts';
import { readDefinitionFiles } from '../../scripts/definition-files.ts';

/** The definitions of `resources/` as the server loads them. */
export function shippedDefinitions(): LoadedDefinitions {
  registerTradeFunctions();
  loaded ??= loadDefinitions(
    [...readDefinitionFiles('resources'), ...readDefinitionFiles('reports')],
    () => '',
    lintExtras(),
  );
  return loaded;
}

/** A shipped resource by its key. */
export function shipped(key: string): Resource {
  const resource = shippedDefinitions().catalog?.resources[key];
  if (resource === undefined) throw new Error(`resources/ has no ${key}`);
  return resource;
}

/** A JSON file beside the tests, or shipped with the resources. */
export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

let loaded: LoadedDefinitions | undefined;
