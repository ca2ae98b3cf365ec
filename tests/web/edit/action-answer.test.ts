import { expect, test } from 'vitest';
import type { Field } from '#engine/schema/resource.ts';
import {
  type ActionAnswer,
  isAnswered,
  openProblems,
  unsentInputs,
} from '#web/pages/actions/record-action.ts';

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

test('what is typed on while an answer is sent stays, what was sent goes', () => {
  const sent = { text: '已联系', files: ['f1'] };
  expect(unsentInputs({ ...sent }, sent)).toEqual({});
  expect(unsentInputs({ ...sent, text: '已联系，明天回复' }, sent)).toEqual({ text: '已联系，明天回复' });
  expect(unsentInputs({ ...sent, text: '' }, sent)).toEqual({ text: '' });
});

test('after a refusal only what is missing still stands there', () => {
  const problems = [
    { path: 'inputs.bank', code: 'required', message: '请填写开户行' },
    { path: 'inputs.currency', code: 'rule', message: '币种不符' },
    { path: 'claims', code: 'rule', message: '请选择委托方或项目' },
    { path: 'opinion', code: 'required', message: '请填写原因' },
  ];
  const open = (answer: ActionAnswer) => openProblems(FIELDS, problems, answer).map(({ path }) => path);
  expect(open({ opinion: ' ', inputs: { currency: 'EUR' } })).toEqual(['inputs.bank', 'opinion']);
  expect(open({ opinion: '改期', inputs: { bank: 'BOC' } })).toEqual([]);
});
