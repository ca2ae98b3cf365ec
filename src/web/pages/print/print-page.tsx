import { Alert, App, Button, Empty, Segmented, Skeleton } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { PageDefinition } from '#engine/schema/definition.ts';
import type { PrintData } from '#contract/prints.ts';
import { download } from '#web/data/http.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { saveFile } from '#web/data/save-file.ts';
import { useRead } from '#web/data/use-read.ts';
import { PrintSheet } from './print-sheet.tsx';
import './print.css';

export interface PrintPageProps {
  readonly resource: string;
  readonly page: PageDefinition;
  readonly route: string;
}

/** The prints of resources that have no page for them. */
export function AnyPrintPage() {
  const [params] = useSearchParams();
  const resource = params.get('resource');
  return resource === null ? <Empty description="请从单据的「打印」进入" /> : <Prints resource={resource} />;
}

/** The documents of a record as their templates say, page by page as the PDF has them. */
export function PrintPage({ resource }: PrintPageProps) {
  return <Prints resource={resource} />;
}

function Prints({ resource: key }: { readonly resource: string }) {
  const [params, setParams] = useSearchParams();
  const id = params.get('id');
  const definition = usePageResource(key);
  const prints = definition.resource?.print ?? [];
  const printId = params.get('print') ?? prints[0]?.id;
  const { data, error, isLoading, reload } = useRead(
    'GET /data/:resource/:id/print/:printId',
    { params: { resource: key, id: id ?? '', printId: printId ?? '' } },
    { key: ['print', key, id, printId], isEnabled: id !== null && printId !== undefined },
  );
  if (id === null) return <Empty description="请从单据的「打印」进入" />;
  if (definition.resource !== null && printId === undefined)
    return <Empty description="没有可以打印的文件，或没有打印的权限" />;
  const show = (print: string): void => {
    const next = new URLSearchParams(params);
    next.set('print', print);
    setParams(next, { replace: true });
  };
  return (
    <div className="print-page">
      <div className="print-bar">
        {prints.length > 1 && (
          <Segmented
            value={printId ?? ''}
            options={prints.map((print) => ({ value: print.id, label: print.title }))}
            onChange={show}
          />
        )}
        <Button type="primary" disabled={data === undefined} onClick={() => window.print()}>
          打印
        </Button>
        {data !== undefined && <PdfButton resource={key} id={id} data={data} />}
      </div>
      {isLoading || definition.isLoading ? (
        <Skeleton active />
      ) : data === undefined ? (
        <Alert
          type="error"
          showIcon
          message={error?.message ?? definition.fault ?? '打印数据没有取到'}
          action={<Button onClick={reload}>重试</Button>}
        />
      ) : (
        <PrintSheets data={data} />
      )}
    </div>
  );
}

function PrintSheets({ data }: { readonly data: PrintData }) {
  return (
    <>
      {data.missing.length > 0 && (
        <Alert
          className="print-missing"
          type="warning"
          showIcon
          message={`打印字体没有这些字，以 □ 代替：${data.missing.join(' ')}`}
        />
      )}
      <div className="print-sheets">
        {data.pages.map((marks, place) => (
          <PrintSheet
            key={place}
            marks={marks}
            width={data.width}
            height={data.height}
            label={`${data.print.title} 第 ${place + 1} 页，共 ${data.pages.length} 页`}
          />
        ))}
      </div>
    </>
  );
}

function PdfButton({
  resource,
  id,
  data,
}: {
  readonly resource: string;
  readonly id: string;
  readonly data: PrintData;
}) {
  const { message } = App.useApp();
  const [isBusy, setIsBusy] = useState(false);
  const save = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const file = await download('GET /data/:resource/:id/print/:printId/pdf', {
        params: { resource, id, printId: data.print.id },
      });
      saveFile(file, `${data.name}.pdf`);
    } catch (error) {
      message.error(error instanceof Error ? error.message : 'PDF 没有生成');
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Button loading={isBusy} onClick={() => void save()}>
      下载 PDF
    </Button>
  );
}
