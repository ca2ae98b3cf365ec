import { Alert, App, Button, Input, Skeleton, Space } from 'antd';
import { useDeferredValue, useEffect, useState } from 'react';
import { PRINT_TEMPLATES } from '#contract/kept-rows.ts';
import type { PrintData } from '#contract/prints.ts';
import { useLeaveQuestion, useUnsaved } from '#web/app/use-unsaved.ts';
import { callApi } from '#web/data/http.ts';
import { faultText, showFault } from '#web/data/show-fault.ts';
import { useRead } from '#web/data/use-read.ts';
import { useWrite } from '#web/data/use-write.ts';
import { PrintSheets } from './print-sheets.tsx';

const PREVIEW_MS = 600;

export interface EditedPrint {
  readonly resource: string;
  /** The record whose pages are shown; null: a specimen with example values. */
  readonly id: string | null;
  readonly printId: string;
  readonly title: string;
}

/** The text of a print's template with the record's pages beside it as they would be, or those of a specimen. */
export function TemplateEditor({
  print,
  onDone,
}: {
  readonly print: EditedPrint;
  readonly onDone: () => void;
}) {
  const { resource, id, printId } = print;
  const ofRecord = useRead(
    'GET /data/:resource/:id/print/:printId/template',
    { params: { resource, id: id ?? '', printId } },
    { key: ['template', resource, printId], staleTimeMs: 0, isEnabled: id !== null },
  );
  const ofSpecimen = useRead(
    'GET /prints/:resource/:printId/template',
    { params: { resource, printId } },
    { key: ['template', resource, printId, 'specimen'], staleTimeMs: 0, isEnabled: id === null },
  );
  const { data, error } = id === null ? ofSpecimen : ofRecord;
  if (error !== null)
    return (
      <Alert
        className="page-alert"
        type="error"
        showIcon
        message={faultText(error, '模板没有读到')}
        action={<Button onClick={onDone}>返回</Button>}
      />
    );
  return data === undefined ? <Skeleton active /> : <Editor print={print} given={data} onDone={onDone} />;
}

interface Given {
  readonly template: string;
  readonly text: string;
  readonly own: { readonly id: string; readonly version: number } | null;
}

function Editor({
  print,
  given,
  onDone,
}: {
  readonly print: EditedPrint;
  readonly given: Given;
  readonly onDone: () => void;
}) {
  const { message, modal } = App.useApp();
  const { write, isWriting } = useWrite();
  const [text, setText] = useState(given.text);
  const isChanged = text !== given.text;
  useUnsaved(isChanged);
  const leave = useLeaveQuestion(() => isChanged);
  const preview = usePreview(print, useDeferredValue(text));
  const { own, template } = given;
  const save = async (): Promise<void> => {
    try {
      const body = { template, title: print.title, definition: text };
      if (own === null) await write('POST /data/:resource', { params: { resource: PRINT_TEMPLATES }, body });
      else
        await write('PATCH /data/:resource/:id', {
          params: { resource: PRINT_TEMPLATES, id: own.id },
          body: { definition: text, version: own.version },
        });
      message.success('模板已保存');
      onDone();
    } catch (error) {
      showFault(message, error, '模板没有保存');
    }
  };
  const restore = async (): Promise<void> => {
    if (own === null) return;
    try {
      await write('POST /data/:resource/:id/actions/:action', {
        params: { resource: PRINT_TEMPLATES, id: own.id, action: 'disable' },
        body: { version: own.version },
      });
      onDone();
    } catch (error) {
      showFault(message, error, '没有恢复');
    }
  };
  const askRestore = (): void => {
    void modal.confirm({
      title: '恢复系统模板？',
      content: '本公司自定义的模板停用，可在文件模板的「打印模板」中再启用',
      onOk: restore,
    });
  };
  return (
    <div className="template-editor">
      <div className="template-text">
        <Space>
          <Button
            type="primary"
            loading={isWriting}
            disabled={preview.faults.length > 0 || !isChanged}
            onClick={() => void save()}
          >
            保存模板
          </Button>
          {own !== null && <Button onClick={askRestore}>恢复系统模板</Button>}
          <Button onClick={() => leave(onDone)}>返回</Button>
        </Space>
        <Input.TextArea
          aria-label="模板"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {preview.faults.length > 0 && (
          <Alert
            type="error"
            message={preview.faults.map((fault) => (
              <div key={fault}>{fault}</div>
            ))}
          />
        )}
      </div>
      <div className="template-preview">
        {preview.print === null ? <Skeleton active /> : <PrintSheets data={preview.print} />}
      </div>
    </div>
  );
}

interface Preview {
  readonly print: PrintData | null;
  readonly faults: readonly string[];
}

/** The pages of the text a moment after it was typed; while it is at fault the last good ones stay. */
function usePreview({ resource, id, printId }: EditedPrint, text: string): Preview {
  const [preview, setPreview] = useState<Preview>({ print: null, faults: [] });
  useEffect(() => {
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      try {
        const body = { text };
        const next =
          id === null
            ? await callApi('POST /prints/:resource/:printId/preview', {
                params: { resource, printId },
                body,
              })
            : await callApi('POST /data/:resource/:id/print/:printId/preview', {
                params: { resource, id, printId },
                body,
              });
        if (isCurrent) setPreview((last) => ({ print: next.print ?? last.print, faults: next.faults }));
      } catch (error) {
        const fault = faultText(error, '没有预览');
        if (isCurrent) setPreview((last) => ({ ...last, faults: [fault] }));
      }
    };
    const timer = setTimeout(() => void ask(), PREVIEW_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [resource, id, printId, text]);
  return preview;
}
