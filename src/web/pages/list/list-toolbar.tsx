import { CanAccess } from '@refinedev/core';
import { Button, Tooltip } from 'antd';
import { useState } from 'react';
import { describeFilter } from '#engine/filter/describe-filter.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { ColumnDefinition, PageDefinition } from '#engine/schema/layout-definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { useFilterPlace } from '#web/data/filter-place.ts';
import { SearchInput } from '#web/fields/search-input.tsx';
import type { ColumnLayout, ListColumn } from '../table/list-column.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { ConditionBuilder } from './condition-builder.tsx';
import { ExportButton } from './export-button.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { linkedRecord, type ListAddress } from './list-address.ts';
import type { SavedView, ViewContent } from './saved-view.ts';
import type { SavedViews } from './use-saved-views.ts';
import { ViewMenu } from './view-menu.tsx';

export interface ListToolbarProps {
  readonly resource: Resource;
  readonly page: PageDefinition;
  readonly address: ListAddress;
  readonly onAddress: (change: Partial<ListAddress>) => void;
  readonly filter: Filter | null;
  readonly columns: readonly ListColumn[];
  readonly defined: readonly ColumnDefinition[];
  readonly layout: ColumnLayout;
  readonly density: 'compact' | 'middle';
  readonly saved: SavedViews;
  readonly onContent: (change: ViewContent) => void;
  readonly onView: (view: SavedView) => void;
  readonly onCreate: () => void;
  readonly onDefaults: () => void;
  readonly onReload: () => void;
  readonly isFetching: boolean;
}

/** Create, keyword, conditions, views, columns, density, import and export of a list. */
export function ListToolbar(props: ListToolbarProps) {
  const { resource, page, address, onAddress } = props;
  const [isBuilding, setBuilding] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const [keyword, setKeyword] = useState(address.keyword);
  const [searched, setSearched] = useState(address.keyword);
  if (searched !== address.keyword) {
    setSearched(address.keyword);
    setKeyword(address.keyword);
  }
  const title = page.title ?? resource.title;
  return (
    <div className="list-toolbar">
      {page.create !== false && (
        <CanAccess resource={resource.resource} action="create">
          <Button type="primary" aria-keyshortcuts="Alt+N" title="Alt+N" onClick={props.onCreate}>
            新增
          </Button>
        </CanAccess>
      )}
      <SearchInput
        className="list-keyword"
        allowClear
        placeholder="编号、名称、拼音"
        aria-label="关键字"
        value={keyword}
        maxLength={60}
        onChange={({ target }) => setKeyword(target.value)}
        onSearch={(text) => onAddress({ keyword: text.trim() })}
      />
      <Button onClick={() => setBuilding(true)}>组合条件</Button>
      {address.isWide && page.where !== undefined && (
        <Chip text="不限于本页的范围" onClear={() => onAddress({ isWide: false })} />
      )}
      {address.condition !== null && (
        <ConditionChip
          resource={resource}
          condition={address.condition}
          onClear={() => onAddress({ condition: null })}
        />
      )}
      {Object.entries(address.fields).map(([name, comparison]) => (
        <ConditionChip
          key={name}
          resource={resource}
          condition={{ [name]: comparison }}
          onClear={() => onAddress({ fields: without(address.fields, name) })}
        />
      ))}
      {resource.defaults !== undefined && <Button onClick={props.onDefaults}>系统自带值</Button>}
      <span className="list-toolbar-space" />
      <ViewMenu
        saved={props.saved}
        current={{ address: { ...address, page: 1 }, layout: props.layout, density: props.density }}
        onOpen={props.onView}
      />
      <ColumnChooser
        resource={resource}
        defined={props.defined}
        layout={props.layout}
        group={address.group}
        onGroup={(group) => onAddress({ group })}
        density={props.density}
        onDensity={(density) => props.onContent({ density })}
        onChange={(layout) => props.onContent({ layout })}
      />
      <CanAccess resource={resource.resource} action="import">
        <Button onClick={() => setImporting(true)}>导入</Button>
      </CanAccess>
      <CanAccess resource={resource.resource} action="export">
        <ExportButton
          resource={resource.resource}
          title={title}
          filter={props.filter}
          keyword={address.keyword}
          sorters={address.sorters}
          columns={props.columns.map((column) => column.name)}
        />
      </CanAccess>
      <Button onClick={props.onReload} loading={props.isFetching}>
        刷新
      </Button>
      {isBuilding && (
        <ConditionBuilder
          resource={resource}
          value={address.condition}
          onClose={() => setBuilding(false)}
          onApply={(condition) => {
            setBuilding(false);
            onAddress({ condition });
          }}
        />
      )}
      {isImporting && (
        <ImportDialog
          resource={resource.resource}
          title={resource.title}
          onClose={() => setImporting(false)}
        />
      )}
    </div>
  );
}

function without<T>(values: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  const { [name]: _, ...rest } = values;
  return rest;
}

function ConditionChip(props: {
  readonly resource: Resource;
  readonly condition: Filter;
  readonly onClear: () => void;
}) {
  const place = useFilterPlace(props.resource);
  // A link to one record names it by its id.
  const isOne = linkedRecord({ condition: props.condition }) !== null;
  const text = isOne ? '只看链接所指的一条' : describeFilter(props.condition, place);
  return <Chip text={text} onClear={props.onClear} />;
}

function Chip({ text, onClear }: { readonly text: string; readonly onClear: () => void }) {
  return (
    <Tooltip title={text}>
      <span className="condition-chip">
        {text}
        <button type="button" aria-label={`清除条件：${text}`} onClick={onClear}>
          ×
        </button>
      </span>
    </Tooltip>
  );
}
