import { Alert } from 'antd';
import type { PrintData } from '#contract/prints.ts';
import { PrintSheet } from './print-sheet.tsx';

/** The pages of a document, below each other. */
export function PrintSheets({ data }: { readonly data: PrintData }) {
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
            pictures={data.pictures}
            width={data.width}
            height={data.height}
            label={`${data.print.title} 第 ${place + 1} 页，共 ${data.pages.length} 页`}
          />
        ))}
      </div>
    </>
  );
}
