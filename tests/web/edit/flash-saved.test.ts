import { expect, test } from 'vitest';
import { savedFields } from '#web/pages/edit/flash-saved.ts';
import { shipped } from '../../resources/shipped-definitions.ts';

test('of a save flash the fields that it changed: none for other writing of the same, none for what is computed', () => {
  const before = { name_en: 'A', city: 'Lagos', website: null, open_losses: '0', status: 'draft' };
  const sent = { ...before, city: 'Kumasi', website: '', open_losses: '1', banks: [{ account: '1' }] };
  expect(savedFields(shipped('buyer'), before, sent)).toEqual(['city']);
});
