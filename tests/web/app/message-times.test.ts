import { expect, test } from 'vitest';
import { withSuccessTime } from '#web/app/message-times.tsx';

type Messages = Parameters<typeof withSuccessTime>[0];

/** What the messages below are asked to show. */
function recorded() {
  const shown: unknown[][] = [];
  const note = (...asked: unknown[]) => {
    shown.push(asked);
    return Object.assign(() => undefined, { then: undefined });
  };
  const message = withSuccessTime({ success: note, error: note } as unknown as Messages);
  return { message, shown };
}

test('a success stands three seconds, however it is said, unless it says how long', () => {
  const { message, shown } = recorded();
  const onClose = () => undefined;
  void message.success('已保存');
  void message.success('已保存', onClose);
  void message.success({ content: '已保存', key: 'a' });
  void message.success({ content: '已保存', duration: 8 });
  void message.success('已保存', 0);
  expect(shown).toEqual([
    ['已保存', 3, undefined],
    ['已保存', 3, onClose],
    [{ content: '已保存', key: 'a', duration: 3 }],
    [{ content: '已保存', duration: 8 }],
    ['已保存', 0, undefined],
  ]);
});

test('an error stands as long as the surroundings say', () => {
  const { message, shown } = recorded();
  void message.error('没有保存');
  expect(shown).toEqual([['没有保存']]);
});
