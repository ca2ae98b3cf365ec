import { Alert, Button, Empty, Skeleton } from 'antd';
import { useSearchParams } from 'react-router-dom';
import type { PageDefinition } from '#engine/schema/definition.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { companyTime } from '#engine/values/dates.ts';
import { currencyOf, fieldText, isNumberField, labelsOf } from '#web/fields/field-text.ts';
import { currentSite } from '#web/data/site.ts';
import type { PrintData } from '#contract/records.ts';
import { useRead } from '#web/data/use-read.ts';
import { usePageResource } from '#web/data/page-resource.ts';

export interface PrintPageProps {
  readonly resource: string;
  readonly page: PageDefinition;
  readonly route: string;
}

/** A record laid out on A4 as its schema says: title, sections, lines with totals, signatures. The browser prints it or saves it as PDF. */
export function PrintPage({ resource: key }: PrintPageProps) {
  const [params] = useSearchParams();
  const id = params.get('id');
  const definition = usePageResource(key);
  const printId = params.get('print') ?? definition.resource?.print[0]?.id;
  const { data, error, isLoading, reload } = useRead(
    'GET /data/:resource/:id/print/:printId',
    { params: { resource: key, id: id ?? '', printId: printId ?? '' } },
    { key: ['print', key, id, printId], isEnabled: id !== null && printId !== undefined },
  );
  if (id === null) return <Empty description="请从单据的「打印」进入" />;
  if (isLoading || definition.isLoading) return <Skeleton active />;
  if (data === undefined || definition.resource === null)
    return (
      <Alert
        type="error"
        showIcon
        message={error?.message ?? definition.fault ?? '打印数据没有取到'}
        action={<Button onClick={reload}>重试</Button>}
      />
    );
  return (
    <div className="print-page">
      <div className="print-bar">
        <Button type="primary" onClick={() => window.print()}>
          打印 / 存为 PDF
        </Button>
      </div>
      <PrintSheet resource={definition.resource} data={data} />
    </div>
  );
}

function PrintSheet({ resource, data }: { readonly resource: Resource; readonly data: PrintData }) {
  const { record } = data;
  const labels = labelsOf(record);
  return (
    <article className="print-sheet">
      <header>
        <p>{currentSite().coName}</p>
        <h1>{data.print.title}</h1>
        <p className="print-number">
          {resource.fields[resource.label]?.title}：{String(record[resource.label] ?? '')}
        </p>
      </header>
      {resource.edit.map((section) =>
        'lines' in section ? (
          <PrintLines key={section.title} resource={resource} record={record} name={section.lines} />
        ) : (
          <dl key={section.title} className="print-fields">
            {section.fields.map((name) => {
              const field = resource.fields[name];
              const text = field === undefined ? '' : fieldText(field, record[name], labels[name]);
              if (field === undefined || text === '' || field.type === 'attachment') return null;
              const currency = currencyOf(field, record);
              return (
                <div key={name} className={field.type === 'textarea' ? 'wide' : undefined}>
                  <dt>{field.title}</dt>
                  <dd>
                    {text}
                    {currency === undefined ? '' : ` ${currency}`}
                  </dd>
                </div>
              );
            })}
          </dl>
        ),
      )}
      <footer>
        <span>
          打印：{data.printedBy} {companyTime(data.printedAt)}
        </span>
        <span>经办：____________</span>
        <span>审核：____________</span>
        <span>日期：____________</span>
      </footer>
    </article>
  );
}

function PrintLines({
  resource,
  record,
  name,
}: {
  readonly resource: Resource;
  readonly record: ErpRecord;
  readonly name: string;
}) {
  const lines = record[name];
  const field = resource.fields[name];
  if (field?.fields === undefined || !Array.isArray(lines) || lines.length === 0) return null;
  const rows: readonly ErpRecord[] = lines;
  const columns = Object.values(field.fields).filter((column) =>
    rows.some(
      (row) => row[column.name] !== null && row[column.name] !== undefined && row[column.name] !== '',
    ),
  );
  return (
    <table className="print-lines">
      <caption>{field.title}</caption>
      <thead>
        <tr>
          <th>序号</th>
          {columns.map((column) => (
            <th key={column.name}>{column.title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          <tr key={String(row['id'])}>
            <td>{place + 1}</td>
            {columns.map((column) => (
              <td key={column.name} className={isNumberField(column) ? 'number' : undefined}>
                {fieldText(column, row[column.name], labelsOf(row)[column.name])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
