// @vitest-environment jsdom
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import type { FileView } from '#contract/files.ts';
import { HttpFault } from '#web/data/http.ts';
import { type FieldServices, FieldServicesContext } from '#web/fields/field-services.ts';
import { FileList } from '#web/fields/file-list.tsx';

const NEVER = (): Promise<never> => new Promise(() => undefined);

/** The world of a list of files, in which only what is known of a file matters. */
function worldWith(fileInfo: FieldServices['fileInfo']): FieldServices {
  return {
    ...{ lookup: NEVER, upload: NEVER, capture: NEVER, fileContent: NEVER, thumbnail: NEVER },
    ...{ resource: NEVER, recall: NEVER, mayRead: () => true, openRecord: () => undefined },
    fileInfo,
  };
}

/** Shows a file until its name is known, and gives what stands there. */
async function shownName(world: FieldServices, id: string): Promise<string> {
  const box = document.createElement('div');
  const root = createRoot(box);
  const list = createElement(FileList, { ids: [id] });
  flushSync(() => root.render(createElement(FieldServicesContext, { value: world }, list)));
  const name = () => box.querySelector('.attachment-name')?.textContent ?? '';
  await vi.waitFor(() => expect(name()).not.toBe('…'));
  const shown = name();
  root.unmount();
  return shown;
}

/** Answers once after the other. */
function answering(...answers: readonly (FileView | HttpFault)[]) {
  const left = [...answers];
  return vi.fn<FieldServices['fileInfo']>(() => {
    const next = left.shift();
    return next instanceof HttpFault ? Promise.reject(next) : Promise.resolve(next ?? null);
  });
}

function fileNamed(id: string, name: string): FileView {
  return { id, name, size: 1, type: 'application/pdf', url: '', uploadedBy: '', uploadedAt: '' };
}

test('a name that the network kept back is asked for again where the file is shown next, then known', async () => {
  const info = answering(
    new HttpFault('连不上服务器，请稍后重试', {}),
    new HttpFault('服务器出错', { statusCode: 500 }),
    fileNamed('a', '合同.pdf'),
  );
  const world = worldWith(info);
  expect(await shownName(world, 'a')).toBe('附件');
  expect(await shownName(world, 'a')).toBe('附件');
  expect(await shownName(world, 'a')).toBe('合同.pdf');
  expect(await shownName(world, 'a')).toBe('合同.pdf');
  expect(info).toHaveBeenCalledTimes(3);
});

test('a file that is gone is said to be so, and not asked for again', async () => {
  const info = answering(new HttpFault('404,找不到地址!', { statusCode: 404 }));
  const world = worldWith(info);
  expect(await shownName(world, 'b')).toBe('附件已不存在');
  expect(await shownName(world, 'b')).toBe('附件已不存在');
  expect(info).toHaveBeenCalledTimes(1);
});
