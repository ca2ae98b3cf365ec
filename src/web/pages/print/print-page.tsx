import { Alert, App, Button, Empty, Segmented, Skeleton } from 'antd';
import { useState, useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import { PRINT_TEMPLATES } from '#contract/kept-rows.ts';
import type { PrintData } from '#contract/prints.ts';
import { download } from '#web/data/http.ts';
import { useResourceList } from '#web/data/resource-list.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { usePrintTitle } from '#web/data/record-title.ts';
import { storedPerson, subscribePerson } from '#web/data/stored-person.ts';
import { saveFile } from '#web/data/save-file.ts';
import { useRead } from '#web/data/use-read.ts';
import { faultText } from '#web/data/show-fault.ts';
import { DaySpan } from '#web/fields/day-span.tsx';
import { MailDialog } from './mail-dialog.tsx';
import { sheetWidth } from './print-sheet.tsx';
import { PrintSheets } from './print-sheets.tsx';
import { useRecord } from '../details/use-record.ts';
import { openPrints } from './open-prints.ts';
import { TemplateEditor } from './template-editor.tsx';
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
  const isStaff = useSyncExternalStore(subscribePerson, storedPerson)?.kind === 'staff';
  const [isMailing, setIsMailing] = useState(false);
  const [isEditing, setIsEditing] = useState(false);
  const mayEdit = useMayEditTemplates();
  const { record } = useRecord(key, id ?? '');
  const prints = definition.resource === null ? [] : openPrints(definition.resource, record);
  const printId = params.get('print') ?? (record === null ? undefined : prints[0]?.id);
  const period = periodOf(params);
  const { data, error, isLoading, reload } = useRead(
    'GET /data/:resource/:id/print/:printId',
    { params: { resource: key, id: id ?? '', printId: printId ?? '' }, query: period },
    {
      key: ['print', key, id, printId, period.from, period.to],
      isEnabled: id !== null && printId !== undefined,
    },
  );
  usePrintTitle(definition.resource, record, data?.print.title);
  if (id === null) return <Empty description="请从单据的「打印」进入" />;
  if (definition.resource !== null && record !== null && printId === undefined)
    return <Empty description="没有可以打印的文件，或没有打印的权限" />;
  if (isEditing && printId !== undefined)
    return (
      <TemplateEditor
        print={{ resource: key, id, printId, title: data?.print.title ?? '' }}
        onDone={() => {
          setIsEditing(false);
          reload();
        }}
      />
    );
  const show = (changed: Readonly<Record<string, string>>): void => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(changed)) next.set(name, value);
    setParams(next, { replace: true });
  };
  return (
    <div className="print-page">
      <div className="print-bar" style={data === undefined ? {} : { maxWidth: sheetWidth(data.width) }}>
        {prints.length > 1 && (
          <Segmented
            value={printId ?? ''}
            options={prints.map((print) => ({ value: print.id, label: print.title }))}
            onChange={(print) => show({ print })}
          />
        )}
        {data !== undefined && data.period !== null && (
          <DaySpan
            title="期间"
            days={[data.period.from, data.period.to]}
            isRequired
            onChange={([from, to]) => {
              if (from !== null && to !== null) show({ from, to });
            }}
          />
        )}
        <Button type="primary" disabled={data === undefined} onClick={() => window.print()}>
          打印
        </Button>
        {data !== undefined && <PdfButton resource={key} id={id} data={data} />}
        {data !== undefined && mayEdit && <Button onClick={() => setIsEditing(true)}>编辑模板</Button>}
        {data !== undefined && isStaff && <Button onClick={() => setIsMailing(true)}>发邮件</Button>}
      </div>
      {isLoading || definition.isLoading ? (
        <Skeleton active />
      ) : data === undefined ? (
        <Alert
          type="error"
          showIcon
          message={faultText(error, definition.fault ?? '打印数据没有取到')}
          action={<Button onClick={reload}>重试</Button>}
        />
      ) : (
        <PrintSheets data={data} />
      )}
      {isMailing && data !== undefined && (
        <MailDialog
          print={{ resource: key, id, printId: data.print.id, period: data.period ?? undefined }}
          onClose={() => setIsMailing(false)}
        />
      )}
    </div>
  );
}

/** Whether this person may write templates; the server judges it again. */
function useMayEditTemplates(): boolean {
  const templates = useResourceList().find(({ resource }) => resource === PRINT_TEMPLATES);
  return templates?.operations.includes('update') === true;
}

/** The days that the address asks for. */
function periodOf(params: URLSearchParams): { readonly from?: string; readonly to?: string } {
  const [from, to] = [params.get('from'), params.get('to')];
  return { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) };
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
        query: data.period ?? {},
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
