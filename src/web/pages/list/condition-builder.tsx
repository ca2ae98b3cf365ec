import { DeleteOutlined } from '@ant-design/icons';
import { Button, Modal, Segmented, Select } from 'antd';
import { useState } from 'react';
import type { Filter, FilterOperator } from '#engine/schema/definition.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { useLeaveQuestion } from '#web/app/use-unsaved.ts';
import {
  type ConditionGroup,
  type ConditionRow,
  EMPTY_GROUP,
  OPERATOR_TITLES,
  filterGroup,
  groupFilter,
  operatorsOf,
} from './condition-model.ts';
import { ConditionValue } from './condition-value.tsx';

export interface ConditionBuilderProps {
  readonly resource: Resource;
  readonly value: Filter | null;
  readonly onApply: (filter: Filter | null) => void;
  readonly onClose: () => void;
}

/** A dialog that builds a condition of rows and groups joined by 并且 and 或者. */
export function ConditionBuilder({ resource, value, onApply, onClose }: ConditionBuilderProps) {
  const [start] = useState(() => (value === null ? withRow(EMPTY_GROUP) : filterGroup(value)));
  const [group, setGroup] = useState(start);
  const leave = useLeaveQuestion(() => JSON.stringify(group) !== JSON.stringify(start));
  return (
    <Modal
      open
      title="组合条件"
      width={820}
      okText="应用"
      cancelText="取消"
      onCancel={() => leave(onClose)}
      maskClosable={false}
      onOk={() => onApply(groupFilter(group))}
      footer={(_, { OkBtn, CancelBtn }) => (
        <>
          <Button onClick={() => onApply(null)} style={{ float: 'left' }}>
            清除条件
          </Button>
          <CancelBtn />
          <OkBtn />
        </>
      )}
    >
      <GroupEditor resource={resource} group={group} depth={0} onChange={setGroup} />
    </Modal>
  );
}

interface GroupEditorProps {
  readonly resource: Resource;
  readonly group: ConditionGroup;
  readonly depth: number;
  readonly onChange: (group: ConditionGroup) => void;
}

function GroupEditor({ resource, group, depth, onChange }: GroupEditorProps) {
  const replace = (place: number, member: ConditionRow | ConditionGroup | null) =>
    onChange({
      ...group,
      members: group.members.flatMap((old, index) => (index === place ? (member ?? []) : old)),
    });
  return (
    <div className="condition-group">
      <Segmented
        size="small"
        value={group.join}
        options={[
          { label: '全部满足（并且）', value: 'and' },
          { label: '任一满足（或者）', value: 'or' },
        ]}
        onChange={(join) => onChange({ ...group, join: join === 'or' ? 'or' : 'and' })}
      />
      {group.members.map((member, place) =>
        member.kind === 'group' ? (
          <div className="condition-nested" key={place}>
            <GroupEditor
              resource={resource}
              group={member}
              depth={depth + 1}
              onChange={(next) => replace(place, next)}
            />
            <RemoveButton onRemove={() => replace(place, null)} />
          </div>
        ) : (
          <RowEditor key={place} resource={resource} row={member} onChange={(next) => replace(place, next)} />
        ),
      )}
      <div className="condition-add">
        <Button size="small" onClick={() => onChange(withRow(group))}>
          加条件
        </Button>
        {depth < 3 && (
          <Button
            size="small"
            onClick={() =>
              onChange({ ...group, members: [...group.members, withRow({ ...EMPTY_GROUP, join: 'or' })] })
            }
          >
            加一组
          </Button>
        )}
      </div>
    </div>
  );
}

interface RowEditorProps {
  readonly resource: Resource;
  readonly row: ConditionRow;
  readonly onChange: (row: ConditionRow | null) => void;
}

function RowEditor({ resource, row, onChange }: RowEditorProps) {
  const fields = Object.values(resource.fields).filter(isSearchable);
  const field = resource.fields[row.field];
  const choose = (name: string) => {
    const operator = operatorsOf(fields.find((item) => item.name === name) ?? fieldless)[0] ?? 'eq';
    onChange({ kind: 'row', field: name, operator, value: undefined });
  };
  return (
    <div className="condition-row">
      <Select
        showSearch
        aria-label="字段"
        placeholder="选择字段"
        value={row.field || null}
        options={fields.map((item) => ({ value: item.name, label: item.title }))}
        filterOption={(input, option) => String(option?.label).includes(input.trim())}
        onChange={choose}
        style={{ width: 190 }}
      />
      <Select
        aria-label="比较方式"
        value={field === undefined ? null : row.operator}
        placeholder="比较"
        disabled={field === undefined}
        options={(field === undefined ? [] : operatorsOf(field)).map((value) => ({
          value,
          label: OPERATOR_TITLES[value],
        }))}
        onChange={(operator: FilterOperator) => onChange({ ...row, operator, value: undefined })}
        style={{ width: 110 }}
      />
      <div className="condition-value">
        {field !== undefined && (
          <ConditionValue
            resource={resource}
            field={field}
            row={row}
            onChange={(value) => onChange({ ...row, value })}
          />
        )}
      </div>
      <RemoveButton onRemove={() => onChange(null)} />
    </div>
  );
}

function RemoveButton({ onRemove }: { readonly onRemove: () => void }) {
  return <Button type="text" icon={<DeleteOutlined />} aria-label="删除条件" onClick={onRemove} />;
}

const fieldless: Field = {
  name: '',
  title: '',
  type: 'text',
  required: false,
  standard: false,
  computed: false,
};

function isSearchable(field: Field): boolean {
  return field.internal !== true && !['lines', 'secret', 'json', 'attachment'].includes(field.type);
}

function withRow(group: ConditionGroup): ConditionGroup {
  return {
    ...group,
    members: [...group.members, { kind: 'row', field: '', operator: 'eq', value: undefined }],
  };
}
