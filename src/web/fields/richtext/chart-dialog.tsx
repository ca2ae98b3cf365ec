import type { IDomEditor } from '@wangeditor/editor';
import { Button, Form, Input, Radio } from 'antd';
import { useDeferredValue, useMemo, useState } from 'react';
import {
  type ChartSettings,
  formatChart,
  MAX_CHART_TEXT,
  newChart,
  parseChart,
} from '#engine/fields/chart-settings.ts';
import { captionOf, readChartData } from '../charts/chart-data.ts';
import { ChartFrame } from '../charts/chart-frame.tsx';
import { ChartGallery } from '../charts/chart-gallery.tsx';
import { TableInputs } from '../charts/table-inputs.tsx';
import { exampleTable, findChartTable, insertChart, setChart } from './chart-table.ts';
import { FullScreenDialog } from './full-screen-dialog.tsx';

interface ChartDialogProps {
  readonly editor: IDomEditor;
  readonly onClose: () => void;
}

/** How the table at the caret is drawn, over the whole screen. Without a table an example comes with the chart. */
export function ChartDialog({ editor, onClose }: ChartDialogProps) {
  const [found] = useState(() => findChartTable(editor));
  const [table, setTable] = useState(() => found?.table ?? exampleTable());
  const [settings, setSettings] = useState<ChartSettings>(() =>
    found === null || found.chart === null
      ? newChart(table.rows.length, columnsOf(table))
      : parseChart(found.chart),
  );
  const apply = () => {
    const chart = formatChart(settings);
    if (found === null) insertChart(editor, chart, table);
    else setChart(editor, found.path, chart, table === found.table ? undefined : table);
    onClose();
  };
  const remove = () => {
    if (found !== null) setChart(editor, found.path, null);
    onClose();
  };
  return (
    <FullScreenDialog
      title="图表"
      onClose={onClose}
      footer={[
        found !== null && found.chart !== null && (
          <Button key="remove" danger onClick={remove}>
            删除图表
          </Button>
        ),
        <Button key="cancel" onClick={onClose}>
          取消
        </Button>,
        <Button key="ok" type="primary" onClick={apply}>
          确定
        </Button>,
      ]}
    >
      <div className="chart-dialog">
        <ChartForm settings={settings} onChange={setSettings} />
        <ChartPreview table={table} settings={useDeferredValue(settings)} onEdit={setTable} />
      </div>
    </FullScreenDialog>
  );
}

function columnsOf(table: HTMLTableElement): number {
  return table.rows[0]?.cells.length ?? 0;
}

interface ChartFormProps {
  readonly settings: ChartSettings;
  readonly onChange: (settings: ChartSettings) => void;
}

type TextKey = 'title' | 'subTitle' | 'xTitle' | 'yTitle' | 'suffix' | 'tip';

function ChartForm({ settings, onChange }: ChartFormProps) {
  const isPie = settings.chartType === 'pie';
  const text = (
    key: TextKey,
    label: string,
    extra?: { readonly isOff?: boolean; readonly help?: string },
  ) => (
    <Form.Item label={label} extra={extra?.help}>
      <Input
        aria-label={label}
        value={settings[key]}
        maxLength={MAX_CHART_TEXT}
        disabled={extra?.isOff ?? false}
        onChange={(event) => onChange({ ...settings, [key]: event.target.value })}
      />
    </Form.Item>
  );
  return (
    <Form layout="vertical" className="chart-form">
      <Form.Item label="图表类型">
        <ChartGallery
          value={settings.chartType}
          onChange={(chartType) => onChange({ ...settings, chartType })}
        />
      </Form.Item>
      <Form.Item label="数据对齐方式">
        <Radio.Group
          value={settings.dataFormat}
          options={[
            { value: 'column', label: '每列一组数据' },
            { value: 'row', label: '每行一组数据' },
          ]}
          onChange={(event) => onChange({ ...settings, dataFormat: event.target.value })}
        />
      </Form.Item>
      {text('title', '主标题')}
      {text('subTitle', '子标题')}
      <div className="chart-form-pair">
        {text('xTitle', 'X轴标题', { isOff: isPie })}
        {text('yTitle', 'Y轴标题', { isOff: isPie })}
      </div>
      <div className="chart-form-pair">
        {text('suffix', '数据单位', { help: '写在数字后面，如：万元' })}
        {text('tip', '提示文字', { isOff: !isPie, help: '仅饼图，提示框里的名称' })}
      </div>
    </Form>
  );
}

interface ChartPreviewProps {
  readonly table: HTMLTableElement;
  readonly settings: ChartSettings;
  readonly onEdit: (table: HTMLTableElement) => void;
}

/** The chart as a reader will see it, and the numbers it is drawn of. */
function ChartPreview({ table, settings, onEdit }: ChartPreviewProps) {
  const [isBroken, setBroken] = useState(false);
  const data = useMemo(() => readChartData(table, settings), [table, settings]);
  const shown = { ...settings, title: settings.title || captionOf(table) };
  const hints = isBroken ? ['图表没有加载出来，请检查网络后重试'] : data.hints;
  return (
    <section className="chart-preview" aria-label="图表预览">
      {data.series.length > 0 && !isBroken && (
        <ChartFrame settings={shown} data={data} onBroken={() => setBroken(true)} />
      )}
      <p role="status">{hints.join('；')}</p>
      <h4>数据</h4>
      <TableInputs table={table} onEdit={onEdit} />
    </section>
  );
}
