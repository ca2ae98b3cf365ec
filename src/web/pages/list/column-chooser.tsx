import { Button, Checkbox, InputNumber, Popover, Segmented, Select } from 'antd';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { moveOfKey, steppedName } from '#web/app/step-of-key.ts';
import type { ColumnDefinition } from '#engine/schema/layout-definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { groupFields } from './list-groups.ts';
import { type ColumnLayout, movedColumn, orderByImportance, possibleColumns } from '../table/list-column.ts';

export interface ColumnChooserProps {
  readonly resource: Resource;
  readonly defined: readonly ColumnDefinition[];
  readonly layout: ColumnLayout;
  readonly group: string | null;
  readonly onGroup: (group: string | null) => void;
  readonly density: Density;
  readonly onDensity: (density: Density) => void;
  readonly onChange: (layout: ColumnLayout) => void;
}

type Density = 'compact' | 'middle';

/** Which columns are shown, in which order, and how many stay at the left. */
export function ColumnChooser(props: ColumnChooserProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={isOpen}
      onOpenChange={setOpen}
      title="显示的列（拖动或 Alt+Shift+↑↓ 排序）"
      content={isOpen ? <ChooserList {...props} /> : null}
    >
      <Button>列设置</Button>
    </Popover>
  );
}

function ChooserList(props: ColumnChooserProps) {
  const { resource, defined, layout, density, onDensity, onChange } = props;
  const possible = possibleColumns(resource, defined);
  const order = layout.order ?? orderByImportance(resource, defined);
  const hidden = new Set(layout.hidden);
  const listed = [...order, ...possible.map((field) => field.name).filter((name) => !order.includes(name))];
  const isShown = (name: string) => order.includes(name) && !hidden.has(name);
  const toggle = (name: string) =>
    onChange({
      ...layout,
      order: order.includes(name) ? order : [...order, name],
      hidden: isShown(name) ? [...hidden, name] : [...hidden].filter((item) => item !== name),
    });
  const drop = (event: DragEvent, before: string) => {
    const moved = event.dataTransfer.getData('text/column');
    if (moved !== '') onChange({ ...layout, order: movedColumn(order, moved, before) });
  };
  const step = (event: KeyboardEvent, name: string) => {
    const by = moveOfKey(event);
    if (by === null) return;
    event.preventDefault();
    const stepped = steppedName(
      listed.filter((one) => order.includes(one)),
      name,
      by,
    );
    if (stepped !== null) onChange({ ...layout, order: movedColumn(order, stepped.moved, stepped.before) });
  };
  return (
    <div className="column-chooser">
      <ul>
        {listed.map((name) => {
          const field = resource.fields[name];
          if (field === undefined || !possible.includes(field)) return null;
          return (
            <li
              key={name}
              draggable
              onDragStart={(event) => event.dataTransfer.setData('text/column', name)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={(event) => drop(event, name)}
              onKeyDown={(event) => step(event, name)}
            >
              <Checkbox checked={isShown(name)} onChange={() => toggle(name)}>
                {field.title}
              </Checkbox>
            </li>
          );
        })}
      </ul>
      <div className="column-chooser-foot">
        <Select
          size="small"
          aria-label="分组"
          placeholder="按…分组"
          allowClear
          style={{ flex: 1 }}
          value={props.group}
          options={groupFields(resource).map(({ name, title }) => ({ value: name, label: `按${title}分组` }))}
          onChange={(group?: string) => props.onGroup(group ?? null)}
        />
      </div>
      <div className="column-chooser-foot">
        <Segmented
          size="small"
          aria-label="行高"
          value={density}
          options={[
            { label: '紧凑', value: 'compact' as const },
            { label: '宽松', value: 'middle' as const },
          ]}
          onChange={onDensity}
        />
      </div>
      <div className="column-chooser-foot">
        <label>
          冻结左侧{' '}
          <InputNumber
            size="small"
            min={0}
            max={5}
            value={layout.frozen ?? 1}
            onChange={(frozen) => onChange({ ...layout, frozen: frozen ?? 1 })}
          />{' '}
          列
        </label>
        <Button size="small" onClick={() => onChange({})}>
          恢复默认
        </Button>
      </div>
    </div>
  );
}
