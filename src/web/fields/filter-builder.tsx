import { DeleteOutlined } from '@ant-design/icons';
import { AutoComplete, Button, Input, Segmented, Select } from 'antd';
import { operatorsOf } from '#engine/fields/field-types.ts';
import type { Filter, FilterOperator, FilterValue } from '#engine/schema/definition.ts';
import { FILTER_OPERATORS } from '#engine/schema/definition.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { FIELD_VIEWS } from './field-views.ts';
import type { FieldPlace } from './field-view.ts';
import {
  type FilterGroup,
  filterParts,
  type FilterPart,
  OPERATOR_TITLES,
  partsFilter,
} from './filter-parts.ts';
import { useState } from 'react';

interface FilterBuilderProps {
  readonly value: Filter;
  readonly onChange: (filter: Filter) => void;
  /** The resource the filter speaks of; null: field names are typed. */
  readonly resource: Resource | null;
  readonly isDisabled?: boolean;
}

/** And/or conditions as nested lines. Lists use it for their advanced filter, settings for stored conditions. */
export function FilterBuilder({ value, onChange, resource, isDisabled }: FilterBuilderProps) {
  const [group, setGroup] = useState<FilterGroup>(() => filterParts(value));
  // A line without a field is no filter yet: the edited tree is kept for as long as it says the same as the value.
  const isSame = JSON.stringify(partsFilter(group)) === JSON.stringify(value);
  const change = (next: FilterGroup): void => {
    setGroup(next);
    onChange(partsFilter(next));
  };
  return (
    <fieldset className="filter-builder" disabled={isDisabled === true}>
      <GroupEditor
        group={isSame ? group : filterParts(value)}
        onChange={change}
        resource={resource}
        depth={0}
      />
    </fieldset>
  );
}

interface GroupEditorProps {
  readonly group: FilterGroup;
  readonly onChange: (group: FilterGroup) => void;
  readonly resource: Resource | null;
  readonly depth: number;
  readonly onRemove?: () => void;
}

const NEW_PART: FilterPart = { kind: 'comparison', field: '', operator: 'eq', value: null };

function GroupEditor({ group, onChange, resource, depth, onRemove }: GroupEditorProps) {
  const replace = (index: number, part: FilterPart | null): void =>
    onChange({
      ...group,
      parts: group.parts.flatMap((old, at) => (at === index ? (part === null ? [] : [part]) : [old])),
    });
  return (
    <div className={depth === 0 ? 'filter-group' : 'filter-group is-nested'}>
      <div className="filter-group-head">
        <Segmented<'and' | 'or'>
          size="small"
          value={group.join}
          options={[
            { value: 'and', label: '全部满足' },
            { value: 'or', label: '任一满足' },
          ]}
          onChange={(join) => onChange({ ...group, join })}
        />
        <Button size="small" onClick={() => onChange({ ...group, parts: [...group.parts, NEW_PART] })}>
          加条件
        </Button>
        {depth < 4 && (
          <Button
            size="small"
            onClick={() =>
              onChange({
                ...group,
                parts: [
                  ...group.parts,
                  { kind: 'group', join: group.join === 'and' ? 'or' : 'and', parts: [NEW_PART] },
                ],
              })
            }
          >
            加条件组
          </Button>
        )}
        {onRemove !== undefined && (
          <Button
            size="small"
            type="text"
            icon={<DeleteOutlined />}
            aria-label="移除条件组"
            onClick={onRemove}
          />
        )}
      </div>
      {group.parts.map((part, index) =>
        part.kind === 'group' ? (
          <GroupEditor
            key={index}
            group={part}
            onChange={(next) => replace(index, next)}
            resource={resource}
            depth={depth + 1}
            onRemove={() => replace(index, null)}
          />
        ) : (
          <ComparisonEditor
            key={index}
            part={part}
            onChange={(next) => replace(index, next)}
            resource={resource}
            onRemove={() => replace(index, null)}
          />
        ),
      )}
    </div>
  );
}

type ComparisonPart = Extract<FilterPart, { kind: 'comparison' }>;

/** The comparisons of a field, those of trees included. */
function offered(field: Field): readonly FilterOperator[] {
  return field.inTree === true ? [...operatorsOf(field), 'under'] : operatorsOf(field);
}

interface ComparisonEditorProps {
  readonly part: ComparisonPart;
  readonly onChange: (part: FilterPart) => void;
  readonly resource: Resource | null;
  readonly onRemove: () => void;
}

function ComparisonEditor({ part, onChange, resource, onRemove }: ComparisonEditorProps) {
  const field = resource === null ? undefined : fieldAt(resource, part.field);
  const operators = field === undefined ? FILTER_OPERATORS : offered(field);
  return (
    <div className="filter-line">
      {resource === null ? (
        <Input
          aria-label="字段"
          placeholder="字段名"
          value={part.field}
          onChange={(event) => onChange({ ...part, field: event.target.value })}
          style={{ width: 200 }}
        />
      ) : (
        <AutoComplete
          aria-label="字段"
          placeholder="字段"
          value={part.field}
          options={fieldChoices(resource)}
          filterOption={(input, option) =>
            `${String(option?.value)} ${String(option?.label)}`.toLowerCase().includes(input.toLowerCase())
          }
          onChange={(name: string) => {
            const next = fieldAt(resource, name);
            const operator = next === undefined ? part.operator : (operatorsOf(next)[0] ?? 'eq');
            onChange({ ...part, field: name, operator, value: null });
          }}
          style={{ width: 200 }}
        />
      )}
      {field !== undefined && <span className="field-hint">{field.title}</span>}
      <Select
        aria-label="比较"
        value={part.operator}
        options={operators.map((operator) => ({ value: operator, label: OPERATOR_TITLES[operator] }))}
        onChange={(operator: FilterOperator) =>
          onChange({ ...part, operator, value: operator === 'null' ? true : adapted(part.value, operator) })
        }
        style={{ width: 110 }}
      />
      <ValueEditor part={part} field={field} resource={resource} onChange={onChange} />
      <Button size="small" type="text" icon={<DeleteOutlined />} aria-label="移除条件" onClick={onRemove} />
    </div>
  );
}

interface ValueEditorProps {
  readonly part: ComparisonPart;
  readonly field: Field | undefined;
  readonly resource: Resource | null;
  readonly onChange: (part: FilterPart) => void;
}

/** The value by the field's own control; anything the control cannot show (`{ "$": ... }`) as text. */
function ValueEditor({ part, field, resource, onChange }: ValueEditorProps) {
  const { operator, value } = part;
  if (operator === 'null')
    return (
      <Select
        aria-label="值"
        value={value === false ? 'no' : 'yes'}
        options={[
          { value: 'yes', label: '是' },
          { value: 'no', label: '否' },
        ]}
        onChange={(next) => onChange({ ...part, value: next === 'yes' })}
        style={{ width: 90 }}
      />
    );
  const isReference = typeof value === 'object' && value !== null && !Array.isArray(value);
  const isPlain = operator === 'contains' || operator === 'startswith' || operator === 'between';
  if (field === undefined || resource === null || isReference || isPlain)
    return (
      <Input
        aria-label="值"
        value={valueText(value)}
        placeholder={operator === 'between' ? '起，止' : '值'}
        onChange={(event) => onChange({ ...part, value: typedValue(event.target.value, operator, field) })}
        style={{ width: 260 }}
      />
    );
  const isList = LISTED.has(operator);
  const shape: Field = { ...field, multiple: isList, required: false };
  const place: FieldPlace = { resource: resource.resource, path: part.field, readRecord: () => ({}) };
  const { Control } = FIELD_VIEWS[isList && !hasChoices(field) ? 'text' : field.type];
  return (
    <div style={{ width: 260 }}>
      <Control
        field={shape}
        value={value}
        place={place}
        onChange={(next) => onChange({ ...part, value: isFilterValue(next) ? next : null })}
      />
    </div>
  );
}

/** Operators that take several values. */
const LISTED: ReadonlySet<FilterOperator> = new Set(['in', 'nin', 'hasAny', 'under']);

function hasChoices(field: Field): boolean {
  return field.type === 'dictionary' || field.type === 'reference' || field.options !== undefined;
}

/** A field of the resource, or of its lines (`items.quantity`). Paths over references are typed and not resolved here. */
function fieldAt(resource: Resource, path: string): Field | undefined {
  const [first = '', second] = path.split('.');
  const field = resource.fields[first];
  return second === undefined ? field : field?.fields?.[second];
}

function fieldChoices(resource: Resource) {
  return Object.values(resource.fields).flatMap((field) =>
    field.type === 'lines'
      ? Object.values(field.fields ?? {}).map((column) => ({
          value: `${field.name}.${column.name}`,
          label: `${field.title} / ${column.title}`,
        }))
      : [{ value: field.name, label: `${field.title}（${field.name}）` }],
  );
}

function adapted(value: FilterValue, operator: FilterOperator): FilterValue {
  const isList = LISTED.has(operator) || operator === 'between';
  if (isList) return Array.isArray(value) ? value : value === null ? [] : [value];
  return Array.isArray(value) ? (value[0] ?? null) : value;
}

function valueText(value: FilterValue): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map((item) => valueText(item)).join('，');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function typedValue(text: string, operator: FilterOperator, field: Field | undefined): FilterValue {
  if (text.trim().startsWith('{')) {
    const parsed = parsedReference(text);
    if (parsed !== null) return parsed;
  }
  if (operator === 'between' || LISTED.has(operator)) return text.split(/[,，]/).map((part) => part.trim());
  if (field?.type === 'boolean') return text === 'true' || text === '是';
  return text === '' ? null : text;
}

function parsedReference(text: string): FilterValue {
  try {
    const value: unknown = JSON.parse(text);
    return isFilterValue(value) ? value : null;
  } catch {
    return null;
  }
}

function isFilterValue(value: unknown): value is FilterValue {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every(isFilterValue);
  return typeof value === 'object' && ('$' in value || '=' in value);
}
