// @vitest-environment jsdom
import { createElement, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import type { FileView } from '#contract/files.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { expandField } from '#engine/schema/expand-resource.ts';
import { HttpFault } from '#web/data/http.ts';
import { type FieldServices, FieldServicesContext } from '#web/fields/field-services.ts';
import { FileList } from '#web/fields/file-list.tsx';
import { ActionInputs } from '#web/pages/actions/action-inputs.tsx';

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

test('what is typed beside a file while it uploads stands when the file has arrived', async () => {
  const sent: ((file: FileView) => void)[] = [];
  const world: FieldServices = {
    ...worldWith((id) => Promise.resolve(fileNamed(id, '调查报告.pdf'))),
    upload: () => new Promise((resolve) => sent.push(resolve)),
  };
  const fields = [
    expandField('conclusion', { type: 'textarea', title: '结论' }),
    expandField('report_file', { type: 'attachment', title: '报告' }),
  ];
  const answer = vi.fn<(values: ErpRecord) => void>();
  function Asked() {
    const [values, setValues] = useState<ErpRecord>({});
    const onChange = (next: ErpRecord): void => {
      answer(next);
      setValues(next);
    };
    const asked = { resource: 'credit_investigation', action: 'report', fields, values, onChange };
    return createElement(ActionInputs, { ...asked, faults: {} });
  }
  const box = document.body.appendChild(document.createElement('div'));
  const root = createRoot(box);
  flushSync(() => root.render(createElement(FieldServicesContext, { value: world }, createElement(Asked))));
  const chosen = box.querySelector<HTMLInputElement>('input[type=file]');
  if (chosen === null) throw new Error('no file is asked for');
  Object.defineProperty(chosen, 'files', { value: [new File(['a'], '调查报告.pdf')] });
  chosen.dispatchEvent(new Event('change', { bubbles: true }));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  type(box.querySelector('textarea'), '付款及时');
  await vi.waitFor(() => expect(answer).toHaveBeenLastCalledWith({ conclusion: '付款及时' }));
  sent[0]?.(fileNamed('f', '调查报告.pdf'));
  const both = { conclusion: '付款及时', report_file: ['f'] };
  await vi.waitFor(() => expect(answer).toHaveBeenCalledTimes(2));
  expect(answer).toHaveBeenLastCalledWith(both);
  expect(box.querySelector('textarea')?.value).toBe('付款及时');
  root.unmount();
});

/** Types a text as a person would: React hears of it. */
function type(field: HTMLTextAreaElement | null, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text);
  field?.dispatchEvent(new Event('input', { bubbles: true }));
}
