import { expect, it } from 'vitest';
import { followingTask } from '#web/pages/approval/following-task.ts';

const task = (record_id: string) => ({ resource: 'contract', record_id });
const [a, b, c, d] = [task('a'), task('b'), task('c'), task('d')];

it('after a decision the task that stood below comes next', () => {
  expect(followingTask([a, c, d], b, [a, b, c])).toBe(c);
});

it('one that others decided meanwhile is passed over', () => {
  expect(followingTask([a, d], b, [a, b, c, d])).toBe(d);
});

it('after the last one, or one that was not in the list, the first that waits comes', () => {
  expect(followingTask([a, b], c, [a, b, c])).toBe(a);
  expect(followingTask([a, b], d, [a, b])).toBe(a);
});

it('the document itself is never next', () => {
  expect(followingTask([b], b, [b])).toBeNull();
  expect(followingTask([], b, [])).toBeNull();
});
