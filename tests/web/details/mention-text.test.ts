import { expect, test } from 'vitest';
import { mentionParts } from '#web/pages/details/mention-text.tsx';

const marked = (text: string, ...names: readonly string[]) =>
  mentionParts(text, names).map((part) => (part.isMention ? `[${part.text}]` : part.text));

test('the names of those mentioned are marked, the longest that fits, and nothing else', () => {
  expect(marked('@张三丰 与 @张三 请看 @李四', '张三', '张三丰')).toEqual([
    '[@张三丰]',
    ' 与 ',
    '[@张三]',
    ' 请看 @李四',
  ]);
  expect(marked('写给 a@b.c', '')).toEqual(['写给 a@b.c']);
  expect(marked('@A.B (甲) @AxB', 'A.B (甲)')).toEqual(['[@A.B (甲)]', ' @AxB']);
});
