import { expect, test } from 'vitest';
import type { Field } from '#engine/schema/resource.ts';
import { type ActionAnswer, isAnswered } from '#web/pages/actions/record-action.ts';

const field = (name: string, given: Partial<Field> = {}): Field => ({
  name,
  title: name,
  type: 'text',
  required: false,
  standard: false,
  computed: false,
  ...given,
});
const FIELDS = [field('bank'), field('currency', { default: 'USD' })];

test.each<[what: string, answer: ActionAnswer, isTyped: boolean]>([
  ['nothing', { opinion: '', inputs: { currency: 'USD' } }, false],
  ['what was typed and taken back', { opinion: '  ', inputs: { currency: 'USD', bank: '' } }, false],
  ['a reason', { opinion: '改期', inputs: { currency: 'USD' } }, true],
  ['an input', { opinion: '', inputs: { currency: 'USD', bank: 'BOC' } }, true],
  ['a default that was changed', { opinion: '', inputs: { currency: 'EUR' } }, true],
  ['a default that was emptied', { opinion: '', inputs: { currency: null } }, true],
])('before the dialog of an action is closed it asks for: %s', (_, answer, isTyped) => {
  expect(isAnswered(FIELDS, answer)).toBe(isTyped);
});
