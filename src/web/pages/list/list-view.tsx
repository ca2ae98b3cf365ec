import { Alert, Button } from 'antd';
import { useContext, useMemo, useState } from 'react';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import type { OfferedDocument } from '#contract/shape.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { useFilterPlace } from '#web/data/filter-place.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import { DictionaryContext } from '#web/fields/dictionary-context.ts';
import { movedColumn, orderByImportance, shownColumns } from '../table/list-column.ts';
import { NewsBar } from '../table/news-bar.tsx';
import { PlainTable } from '../table/plain-table.tsx';
import { BatchBar, hasBatch } from './batch-bar.tsx';
import { withCompany } from './company-column.ts';
import { DefaultsDrawer } from './defaults-drawer.tsx';
import { FilterForm, withComparison } from './filter-form.tsx';
import { HeadFilter } from './head-filter.tsx';
import { addressFilter, linkedRecord, type ListAddress, NO_CONDITIONS } from './list-address.ts';
import { groupedSorters, rowGroups } from './list-groups.ts';
import { ListDrawer, type DrawerTarget } from './list-drawer.tsx';
import { ListChart } from './list-chart.tsx';
import { ListOverview } from './list-overview.tsx';
import { ListParts } from './list-parts.tsx';
import { ListPager } from './list-pager.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { actionsPx, RowActions } from './row-actions.tsx';
import { treeField } from './list-tree.tsx';
import { totalsOf, totalTexts } from './total-text.ts';
import { useListAddress } from './use-list-address.ts';
import { useListContent } from './use-list-content.ts';
import { useListRows } from './use-list-rows.ts';
import { useSavedViews } from './use-saved-views.ts';

export interface ListViewProps {
  readonly resource: Resource;
  readonly operations: ReadonlySet<string>;
  readonly page: PageDefinition;
  readonly route: string;
  readonly makes: readonly OfferedDocument[];
}

/** Filters, toolbar, table and pager of one list page. */
export function ListView({ resource, operations, page, route, makes }: ListViewProps) {
  const [address, setAddress] = useListAddress();
  const saved = useSavedViews(resource.resource, route);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [asked, setDrawer] = useState<DrawerTarget | null>(null);
  // Whoever follows a link to a record wants to read it: the list has it alone, beside it stands the record.
  const linked = page.details === undefined ? linkedRecord(address) : null;
  const [shut, setShut] = useState<string | null>(null);
  const drawer =
    asked ?? (linked === null || linked === shut ? null : ({ kind: 'details', id: linked } as const));
  const closeDrawer = () => {
    setDrawer(null);
    setShut(linked);
  };
  const [isDefaultsOpen, setDefaultsOpen] = useState(false);
  const openRecord = useOpenRecord();

  const { layout, density, change: setContent, open: openView } = useListContent(saved);
  const isOfAll = storedPerson()?.superPermission === 1;
  const defined = useMemo(() => {
    const own = page.columns ?? resource.list.columns;
    return isOfAll ? withCompany(resource, own) : own;
  }, [resource, page.columns, isOfAll]);
  const columns = useMemo(() => shownColumns(resource, defined, layout), [resource, defined, layout]);
  const ownWidths = useMemo(() => new Set(Object.keys(layout.widths ?? {})), [layout.widths]);
  const tree = treeField(resource, page);
  const filter = useMemo(() => addressFilter(address, page.where, tree), [address, page.where, tree]);
  const isFiltered = address.keyword !== '' || (filter !== null && filter !== page.where);
  const order = columns.map((column) => column.name);
  const totalColumns = columns.filter((column) => column.hasTotal).map((column) => column.name);
  const { group } = address;
  const parts = resource.list.parts === undefined ? undefined : resource.fields[resource.list.parts];
  const groupField = group === null ? undefined : resource.fields[group];
  const sorters = group === null ? address.sorters : groupedSorters(group, sortersOf(address, resource));
  const list = useListRows(resource.resource, {
    address,
    filter,
    columns: queriedColumns(resource, group === null ? order : [...order, group]),
    sorters,
  });
  const dictionaries = useContext(DictionaryContext);
  const place = useFilterPlace(resource);
  const chosen = list.rows.filter((row) => selected.has(String(row['id'])));

  const open = (row: ErpRecord, kind: 'details' | 'edit') => {
    const target = kind === 'edit' ? page.edit : page.details;
    if (target === undefined) setDrawer({ kind, id: String(row['id']) });
    else openRecord.byRoute(target, row, { resource, filter, keyword: address.keyword, sorters });
  };
  const addressOf = (row: ErpRecord) =>
    page.details === undefined ? null : openRecord.addressOf(page.details, row);
  const create = () =>
    page.edit === undefined ? setDrawer({ kind: 'edit', id: null }) : openRecord.create(page.edit);

  const selection = {
    selected,
    onSelect: (id: string, isSelected: boolean) => setSelected(toggled(selected, id, isSelected)),
    onSelectAll: (isAll: boolean) => setSelected(new Set(isAll ? list.rows.map(({ id }) => String(id)) : [])),
  };

  return (
    <div className="list-page">
      {parts !== undefined && (
        <ListParts field={parts} value={address.fields} onChange={(fields) => setAddress({ fields })} />
      )}
      <FilterForm
        resource={resource}
        names={page.filters ?? resource.list.filters}
        value={address.fields}
        onSearch={(fields) => setAddress({ fields })}
      />
      {page.chart !== undefined && (
        <ListChart resource={resource} chart={page.chart} filter={filter} keyword={address.keyword} />
      )}
      {page.overview !== undefined && (
        <ListOverview
          resource={resource}
          overview={page.overview}
          filter={filter}
          keyword={address.keyword}
          onFilter={(fields) => setAddress({ fields: { ...address.fields, ...fields } })}
        />
      )}
      <ListToolbar
        resource={resource}
        page={page}
        address={address}
        onAddress={setAddress}
        filter={filter}
        columns={columns}
        defined={defined}
        layout={layout}
        density={density}
        saved={saved}
        onContent={setContent}
        onView={(view) => {
          openView(view.content);
          setAddress({ ...NO_CONDITIONS, ...view.content.address });
        }}
        onCreate={create}
        onDefaults={() => setDefaultsOpen(true)}
        onReload={list.reload}
        isFetching={list.isFetching}
      />
      <BatchBar
        resource={resource}
        operations={operations}
        rows={chosen}
        makes={makes}
        onClear={() => setSelected(new Set())}
      />
      {list.hasNews && <NewsBar text="列表有更新" onReload={list.reload} />}
      {list.fault !== null && (
        <Alert
          type="error"
          showIcon
          message={list.fault}
          action={<Button onClick={list.reload}>重试</Button>}
        />
      )}
      <PlainTable
        resource={resource}
        columns={columns}
        rows={list.rows}
        sorters={sortersOf(address, resource)}
        groups={groupField && rowGroups(groupField, list.groups, { resource, dictionaries })}
        headExtra={(column) => (
          <HeadFilter
            resource={resource.resource}
            field={column.field}
            value={address.fields[column.name]}
            onChange={(comparison) =>
              setAddress({ fields: withComparison(address.fields, column.name, comparison) })
            }
          />
        )}
        onSort={(sorters) => setAddress({ sorters })}
        ownWidths={ownWidths}
        onResize={(name, width) =>
          setContent({ layout: { ...layout, widths: { ...layout.widths, [name]: width } } })
        }
        onMove={(name, before) =>
          setContent({
            layout: {
              ...layout,
              order: movedColumn(layout.order ?? orderByImportance(resource, defined), name, before),
            },
          })
        }
        {...(hasBatch({ resource, operations, makes }) ? selection : {})}
        onOpen={(row) => open(row, 'details')}
        onOpenReference={openRecord.byResource}
        actionsPx={actionsPx(resource, page)}
        rowActions={(row) => (
          <RowActions
            resource={resource}
            operations={operations}
            row={row}
            first={page.rowAction}
            address={addressOf(row)}
            onEdit={() => open(row, 'edit')}
            onDetails={() => open(row, 'details')}
          />
        )}
        {...(totalColumns.length > 0
          ? {
              totals: totalTexts(list.totals, place),
              totalsOf: totalsOf(list, isFiltered, resource),
            }
          : {})}
        addressOf={addressOf}
        addressOfReference={openRecord.addressOfRecord}
        density={density}
        isLoading={list.isLoading}
        // What was not read is not missing.
        empty={
          list.fault !== null ? (
            ' '
          ) : (
            <EmptyList
              isFiltered={isFiltered}
              title={resource.title}
              isPart={page.where !== undefined}
              mayCreate={page.create !== false && operations.has('create')}
              {...(resource.list.empty === undefined ? {} : { text: resource.list.empty })}
              onReset={() => setAddress({ ...NO_CONDITIONS, branch: null })}
            />
          )
        }
        key={order.length === 0 ? 'none' : 'table'}
      />
      <ListPager
        address={address}
        total={list.total}
        isCapped={list.isTotalCapped}
        isFetching={list.isFetching}
        isUnknown={list.isLoading || (list.fault !== null && list.rows.length === 0)}
        onAddress={setAddress}
      />
      {isDefaultsOpen && (
        <DefaultsDrawer
          resource={resource}
          mayOverride={operations.has('create')}
          onOverride={(initial) => setDrawer({ kind: 'edit', id: null, initial })}
          onOpen={(id) => setDrawer({ kind: operations.has('update') ? 'edit' : 'details', id })}
          onClose={() => setDefaultsOpen(false)}
        />
      )}
      <ListDrawer
        target={drawer}
        resource={resource}
        page={page}
        onClose={closeDrawer}
        onSubmitted={(id) => setDrawer({ kind: 'details', id })}
      />
    </div>
  );
}

function sortersOf(address: ListAddress, resource: Resource): readonly string[] {
  return address.sorters.length > 0 ? address.sorters : resource.list.sort;
}

function EmptyList(props: {
  readonly isFiltered: boolean;
  readonly title: string;
  /** The page shows only those of its own condition: what waits, what is due. */
  readonly isPart: boolean;
  readonly mayCreate: boolean;
  readonly text?: string;
  readonly onReset: () => void;
}) {
  return props.isFiltered ? (
    <>
      <p>没有符合条件的{props.title}</p>
      <Button onClick={props.onReset}>清除条件</Button>
    </>
  ) : (
    <p>
      {props.text ??
        `${props.isPart ? '这里现在没有' : '还没有'}${props.title}${props.mayCreate ? '，可用「新增」开始' : ''}`}
    </p>
  );
}

/** What a row needs beside its columns: state, version and number for its actions. */
function queriedColumns(resource: Resource, shown: readonly string[]): readonly string[] {
  const always = ['status', resource.label].filter((name) => resource.fields[name] !== undefined);
  return [...new Set([...shown, ...always])];
}

function toggled(selected: ReadonlySet<string>, id: string, isSelected: boolean): ReadonlySet<string> {
  const next = new Set(selected);
  if (isSelected) next.add(id);
  else next.delete(id);
  return next;
}
