import { expect, test } from 'vitest';
import { lintDefinitions } from '#engine/schema/lint-resource.ts';
import { APIARIES } from './apiary.ts';

/** The messages over the example, one thing in it changed. */
function faults(resource: string, change: (definition: never) => void): string[] {
  return lintDefinitions(
    APIARIES.map((definition) => {
      const copy = structuredClone(definition);
      // A test writes what no definition may say.
      if (definition.resource === resource) change(copy as never);
      return { path: `${definition.resource}.json`, text: JSON.stringify(copy) };
    }),
  )
    .filter(({ path }) => path === `${resource}.json`)
    .map(({ message }) => message);
}

interface Definition {
  readonly fields: Record<string, Record<string, unknown>>;
  readonly makes: Record<string, Record<string, unknown>>;
  readonly lifecycle: { readonly actions: Record<string, Record<string, unknown>> };
}

test.each<[string, string, (definition: Definition) => void, string]>([
  [
    'an unknown make',
    'jarring',
    ({ fields }) => (fields['jars'] = { ...fields['jars'], from: ['gathering.jaring'] }),
    '是否想写 "gathering.jarring"',
  ],
  [
    'a make of something else',
    'jarring',
    ({ fields }) => (fields['jars'] = { ...fields['jars'], from: ['gathering.tag'] }),
    '不是生成装罐单的 jars',
  ],
  [
    'picking into what is no list',
    'levy',
    ({ fields }) => (fields['keeper'] = { ...fields['keeper'], from: ['gathering.share'] }),
    '只有明细可以写 "from"',
  ],
  [
    'a form of lines',
    'gathering',
    ({ makes }) => (makes['share'] = { ...makes['share'], as: 'form', title: '分摊' }),
    '不能是明细',
  ],
  [
    'a form that is added to',
    'gathering',
    ({ makes }) => (makes['tag'] = { ...makes['tag'], into: {} }),
    '不能与 "into" 同用',
  ],
  ['a button without a name', 'gathering', ({ makes }) => delete makes['tag']?.['title'], '须有 "title"'],
  [
    'taking into an unknown list',
    'levy',
    ({ lifecycle }) =>
      (lifecycle.actions['reckon'] = { ...lifecycle.actions['reckon'], pull: { lines: {} } }),
    '不能带入',
  ],
  [
    'taking what the source lacks',
    'levy',
    ({ lifecycle }) =>
      (lifecycle.actions['reckon'] = {
        ...lifecycle.actions['reckon'],
        pull: { rows: { keepr: { eq: 'a' } } },
      }),
    '是否想写 "keeper"',
  ],
])('names %s', (_, resource, change, message) => {
  expect(faults(resource, () => undefined)).toEqual([]);
  expect(faults(resource, change).join('\n')).toContain(message);
});
