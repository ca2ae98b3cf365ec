import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseBlock } from '#web/app/live-stream.ts';

describe('a block of the live stream', () => {
  const warn = vi.fn<(...given: unknown[]) => void>();
  beforeEach(() => {
    vi.spyOn(console, 'warn').mockImplementation(warn);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    warn.mockClear();
  });

  it('is a notice with its document', () => {
    const data = { id: 'a', title: '标题', content: '内容', resource: 'partner', record_id: 'b' };
    expect(parseBlock(`id: a\nevent: notice\ndata: ${JSON.stringify(data)}`)).toEqual({
      event: 'notice',
      data,
    });
  });

  it.each([
    '{"id":',
    'null',
    '[]',
    '"text"',
    '{"id":"a","title":1,"content":"内容"}',
    '{"title":"无编号"}',
    '',
  ])('is only logged when its data is malformed: %s', (data) => {
    expect(parseBlock(`event: notice\ndata: ${data}`)).toBeNull();
    expect(warn).toHaveBeenCalledOnce();
  });

  it('says nothing when it is a heartbeat or an event of another kind', () => {
    expect([parseBlock(': heartbeat'), parseBlock('retry: 3000'), parseBlock('event: other\ndata: {}')]).toEqual([
      null, null, null,
    ]); // prettier-ignore
    expect(warn).not.toHaveBeenCalled();
  });
});
