import { expect, it } from 'vitest';
import { templateInWords } from '#engine/values/template-words.ts';

const WORDS = [{ value: 'no', label: '单据编号' }];

it.each([
  ['待审核：{no}', '待审核：〔单据编号〕'],
  ['{no}-{seq:5}', '〔单据编号〕-〔流水号5位〕'],
  ['{gone}', '〔gone〕'],
  ['没有插入', '没有插入'],
])('%j reads %j', (template, text) => expect(templateInWords(template, WORDS)).toBe(text));
