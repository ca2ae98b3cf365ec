import { expect, test } from 'vitest';
import { REVERSE_TYPE } from '#server/records/ledger/reverse-entries.ts';
import { shippedDefinitions } from './shipped-definitions.ts';

test('every ledger has a word for entries that take others back', () => {
  const { resources = {}, dictionaries = {} } = shippedDefinitions().catalog ?? {};
  const speechless = Object.values(resources).flatMap(({ resource, ledger, fields }) => {
    const dictionary = ledger?.type === undefined ? undefined : fields[ledger.type]?.dictionary;
    if (dictionary === undefined) return [];
    const isKnown = dictionaries[dictionary]?.items.some(({ value }) => value === REVERSE_TYPE) === true;
    return isKnown ? [] : [resource];
  });
  expect(speechless).toEqual([]);
});
