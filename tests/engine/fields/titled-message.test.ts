import { expect, it } from 'vitest';
import { titledMessage } from '#engine/fields/titled-message.ts';

it.each([
  ['数量', '应为数字', '数量：应为数字'],
  ['海关编号', '海关编号应为18位数字', '海关编号应为18位数字'],
  ['应收', '金额最多两位小数', '应收：金额最多两位小数'],
])('a message about %s names it once: %s', (title, message, said) => {
  expect(titledMessage(title, message)).toBe(said);
});
