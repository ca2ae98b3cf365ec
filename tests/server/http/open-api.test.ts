import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CALL_GROUPS } from '#contract/call-groups.ts';
import { CALLS } from '#contract/calls.ts';
import { type OpenApiDocument, openApiPath } from '#server/http/open-api.ts';
import { type Example, startExample } from '../support/running-example.ts';

let example: Example;
beforeAll(async () => {
  example = await startExample();
});
afterAll(() => example.close());

const describeTo = async (personid: string, roleId?: string): Promise<OpenApiDocument> => {
  const token = await example.signIn(personid, roleId);
  const { status, body } = await example.call('GET', '/erp/api/docs/json', { token });
  expect(status).toBe(200);
  return body as unknown as OpenApiDocument;
};
const callsOf = ({ paths }: OpenApiDocument): readonly string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );

it('the description tells of every registered call and of nothing else', async () => {
  const document = await describeTo('ad.aa');
  const { routes } = example.server;
  expect(callsOf(document).toSorted()).toEqual(
    routes.map(({ method, path }) => `${method.toLowerCase()} ${openApiPath(path)}`).toSorted(),
  );
  expect(routes.length).toBe(Object.keys(CALLS).length);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(new Set(operations.map((call) => call['operationId'])).size).toBe(operations.length);
  expect(operations.filter(({ tags }) => tags[0] === '其他')).toEqual([]);
  expect(Object.values(CALL_GROUPS).flat().flatMap(Object.keys).toSorted()).toEqual(Object.keys(CALLS).toSorted());
}); // prettier-ignore

it('its bodies are the schemas that validate, and every reference leads somewhere', async () => {
  const document = await describeTo('ad.aa');
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'api', components: document.components });
  const bodies = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((call) => JSON.stringify(call)),
  );
  for (const [, name] of bodies.join('').matchAll(/#\/components\/schemas\/(\w+)/g))
    expect([name, typeof ajv.getSchema(`api#/components/schemas/${name ?? ''}`)]).toEqual([name, 'function']);
  expect(document.paths['/erp/api/approval/{taskId}/delegate']?.['post']?.['requestBody']).toMatchObject({
    content: { 'application/json': { schema: { properties: { to: {} } } } },
  });
});

it('only the logged in read it, and of the records only what their role may see', async () => {
  expect((await example.call('GET', '/erp/api/docs/json')).status).toBe(401);
  expect((await example.call('GET', '/erp/api/docs')).status).toBe(401);
  const [all, few] = [await describeTo('ad.aa'), await describeTo('sp.aa', 'SP')].map(
    ({ components }) => components['schemas'] as Readonly<Record<string, object>>,
  );
  expect(Object.keys(all ?? {}).length).toBeGreaterThan(Object.keys(few ?? {}).length);
  expect(few).toHaveProperty('note');
});
