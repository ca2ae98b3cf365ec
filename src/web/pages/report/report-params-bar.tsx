import { Button, Dropdown, Input, InputNumber, Select } from 'antd';
import { useState } from 'react';
import type { ReportParamAnswer } from '#contract/reports.ts';
import { addDays, addMonths, companyToday } from '#engine/values/dates.ts';
import { plainField } from '#engine/report/report-names.ts';
import { DATE_VIEW } from '#web/fields/date-view.tsx';
import { ReferencePicker } from '#web/fields/reference-picker.tsx';
import '#web/fields/fields.css';
import type { ChosenParams } from './report-address.ts';

export interface ReportParamsBarProps {
  readonly params: readonly ReportParamAnswer[];
  readonly value: ChosenParams;
  readonly onRun: (value: ChosenParams) => void;
}

/** The parameters of a report in one row that wraps; Enter or 查询 runs it. */
export function ReportParamsBar({ params, value, onRun }: ReportParamsBarProps) {
  const [draft, setDraft] = useState(value);
  const [shown, setShown] = useState(value);
  const [isWhole, setWhole] = useState(false);
  if (JSON.stringify(shown) !== JSON.stringify(value)) {
    setShown(value);
    setDraft(value);
  }
  const isPeriod = params.some(({ name }) => name === 'from') && params.some(({ name }) => name === 'to');
  const put = (name: string, next: unknown) => setDraft((before) => ({ ...before, [name]: next ?? null }));
  const valueOf = (param: ReportParamAnswer): unknown =>
    param.name in draft ? draft[param.name] : param.value;
  return (
    <form
      className="report-params"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onRun(draft);
      }}
    >
      {params.map((param) => (
        <label key={param.name} className={classOf(param, valueOf(param), isWhole)}>
          <span>{param.title}</span>
          <ParamControl param={param} value={valueOf(param)} onChange={(next) => put(param.name, next)} />
        </label>
      ))}
      {params.some((param) => isSpare(param, valueOf(param))) && (
        <Button className="report-more" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? '收起条件' : '更多条件'}
        </Button>
      )}
      <div className="report-run">
        {isPeriod && <PeriodChoice onChoose={(from, to) => onRun({ ...draft, from, to })} />}
        <Button type="primary" htmlType="submit">
          查询
        </Button>
        <Button onClick={() => onRun({})}>重置</Button>
      </div>
    </form>
  );
}

/** On a phone what need not be said and is not said waits behind 更多条件. */
function isSpare({ required }: ReportParamAnswer, value: unknown): boolean {
  return !required && (value === null || value === undefined || value === '');
}

function classOf(param: ReportParamAnswer, value: unknown, isWhole: boolean): string {
  if (param.required) return 'report-param is-required';
  return isSpare(param, value) && !isWhole ? 'report-param is-spare' : 'report-param';
}

function PeriodChoice({ onChoose }: { readonly onChoose: (from: string, to: string) => void }) {
  const today = companyToday(new Date());
  const month = `${today.slice(0, 8)}01`;
  const year = `${today.slice(0, 4)}-01-01`;
  const choices: readonly (readonly [string, string, string])[] = [
    ['本月', month, addDays(addMonths(month, 1), -1)],
    ['上月', addMonths(month, -1), addDays(month, -1)],
    ['本年', year, addDays(addMonths(year, 12), -1)],
    ['上年', addMonths(year, -12), addDays(year, -1)],
    ['近12个月', addMonths(month, -11), addDays(addMonths(month, 1), -1)],
    ...[2, 3, 5].map(
      (years) =>
        [`近${years}年`, addMonths(month, 1 - 12 * years), addDays(addMonths(month, 1), -1)] as const,
    ),
  ];
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: choices.map(([label]) => ({ key: label, label })),
        onClick: ({ key }) => {
          const found = choices.find(([label]) => label === key);
          if (found !== undefined) onChoose(found[1], found[2]);
        },
      }}
    >
      <Button>期间</Button>
    </Dropdown>
  );
}

interface ControlProps {
  readonly param: ReportParamAnswer;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function ParamControl({ param, value, onChange }: ControlProps) {
  if (param.options !== undefined)
    return (
      <Select
        aria-label={param.title}
        allowClear={!param.required}
        {...(param.multiple ? { mode: 'multiple' as const, maxTagCount: 1 } : {})}
        value={param.multiple ? listOf(value) : (value ?? null)}
        options={param.options.map((option) => ({ ...option }))}
        onChange={(next: unknown) => onChange(next)}
        popupMatchSelectWidth={false}
        optionFilterProp="label"
        showSearch
      />
    );
  switch (param.type) {
    case 'date':
      return (
        <div className="report-date">
          <DATE_VIEW.Control
            field={plainField(param.name, 'date', param.title)}
            value={value}
            onChange={(next) => onChange(next)}
          />
        </div>
      );
    case 'integer':
    case 'decimal':
      return (
        <InputNumber
          aria-label={param.title}
          stringMode
          value={typeof value === 'string' ? value : null}
          onChange={onChange}
        />
      );
    case 'boolean':
      return (
        <Select
          aria-label={param.title}
          allowClear
          value={
            value === true || value === 'true'
              ? 'true'
              : value === false || value === 'false'
                ? 'false'
                : null
          }
          options={[
            { value: 'true', label: '是' },
            { value: 'false', label: '否' },
          ]}
          onChange={(next: unknown) => onChange(next)}
        />
      );
    case 'reference':
      return (
        <ReferencePicker
          field={{
            ...plainField(param.name, 'reference', param.title),
            ...(param.to === undefined ? {} : { to: param.to }),
            ...(param.multiple ? { multiple: true } : {}),
          }}
          value={param.multiple ? listOf(value) : value}
          onChange={(next) => onChange(next)}
          {...(param.lookup === undefined ? {} : { place: { ...param.lookup, readRecord: () => ({}) } })}
        />
      );
    default:
      return (
        <Input
          aria-label={param.title}
          allowClear
          value={[value ?? ''].flat().join(' ')}
          onChange={({ target }) => onChange(textsOf(target.value, param.multiple))}
        />
      );
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(text: string, isMultiple: boolean): unknown {
  if (text.trim() === '') return null;
  return isMultiple ? text.split(/[\s,，]+/).filter((part) => part !== '') : text;
}
