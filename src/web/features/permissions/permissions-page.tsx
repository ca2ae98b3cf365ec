import { CLEARABLE } from '#web/fields/clearable.tsx';
import { useTab } from '#web/app/tab-context.ts';
import { ADDRESS } from '#web/data/addresses.ts';
import { Button, Input, Segmented, Select, Skeleton, Switch, Table } from 'antd';
import { useMemo, useState } from 'react';
import { matchesTyped } from '#engine/search/typed-pinyin.ts';
import { findPage, useResourceList } from '#web/data/resource-list.ts';
import { ListPage } from '#web/pages/list/list-page.tsx';
import { faultText } from '#web/data/show-fault.ts';
import { PageFault } from '#web/pages/page-fault.tsx';
import { PermissionDrawer } from './permission-drawer.tsx';
import {
  type MatrixResource,
  type MatrixRole,
  type PermissionRule,
  placeKey,
  type RulePlace,
  usePermissions,
} from './permission-data.ts';
import './permissions.css';

const ROUTE = ADDRESS.permissions;

/** 权限配置: roles by resources, or the plain list of what was changed. */
export function PermissionsPage() {
  const [view, setView] = useState<'matrix' | 'list'>('matrix');
  const { openTab } = useTab();
  const found = findPage(useResourceList(), ROUTE);
  return (
    <div className="permissions-page">
      <div className="permissions-view">
        <Segmented
          value={view}
          options={[
            { label: '权限矩阵', value: 'matrix' as const },
            { label: '改动列表', value: 'list' as const },
          ]}
          onChange={setView}
        />
        <Button type="link" onClick={() => openTab(ADDRESS.recompute)}>
          重新计算
        </Button>
      </div>
      {view === 'matrix' ? (
        <PermissionMatrix />
      ) : (
        found !== null && <ListPage resource={found.entry.resource} page={found.page} route={ROUTE} />
      )}
    </div>
  );
}

function PermissionMatrix() {
  const { data, error, isLoading, reload, save, reset } = usePermissions();
  const [text, setText] = useState('');
  const [roleCodes, setRoleCodes] = useState<readonly string[]>([]);
  const [isChangedOnly, setChangedOnly] = useState(false);
  const [place, setPlace] = useState<RulePlace | null>(null);
  const rows = useMemo(() => {
    if (data === null) return [];
    const changed = new Set([...data.rules.values()].map((rule) => rule.resource));
    return data.resources.filter(
      ({ resource, title }) =>
        matchesTyped(`${title} ${resource}`, text) && (!isChangedOnly || changed.has(resource)),
    );
  }, [data, text, isChangedOnly]);
  if (isLoading) return <Skeleton active paragraph={{ rows: 10 }} className="page-skeleton" />;
  if (data === null)
    return (
      <PageFault error={error} message={faultText(error, '没有读到权限')} onRetry={() => void reload()} />
    );
  const roles = data.roles.filter(({ code }) => roleCodes.length === 0 || roleCodes.includes(code));
  return (
    <>
      <div className="permissions-tools">
        <Input
          allowClear={CLEARABLE}
          placeholder="单据或资料的名称、拼音首字母"
          aria-label="单据或资料"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Select
          mode="multiple"
          allowClear
          placeholder="全部角色"
          aria-label="角色"
          maxTagCount="responsive"
          value={[...roleCodes]}
          options={data.roles.map((role) => ({ value: role.code, label: role.name }))}
          onChange={setRoleCodes}
        />
        <label>
          <Switch size="small" checked={isChangedOnly} onChange={setChangedOnly} /> 只看有改动的
        </label>
        <span className="permissions-legend">
          看：列表与查看，增、改、删，入：导入，出：导出，印：打印，提：提交，审：审核，名：只显示名称，+n：其他动作，停留在格上可见全部；
          <b className="is-changed">蓝底</b>
          为改动过的，其余为系统自带。点击格子查看与修改，保存后由另一人复核，同意后生效。
        </span>
      </div>
      <Table<MatrixResource>
        className="permissions-table"
        size="small"
        bordered
        rowKey="resource"
        pagination={false}
        dataSource={rows}
        locale={{ emptyText: '没有符合条件的单据或资料' }}
        sticky
        scroll={{ x: 'max-content' }}
        columns={[
          {
            title: '单据或资料',
            fixed: 'left',
            width: 190,
            dataIndex: 'title',
          },
          ...roles.map((role) => ({
            title: role.name,
            width: 116,
            align: 'center' as const,
            render: (_: unknown, resource: MatrixResource) => {
              const rule = data.rules.get(placeKey(role.id, resource.resource)) ?? null;
              return (
                <MatrixCell
                  role={role}
                  resource={resource}
                  rule={rule}
                  onOpen={() => setPlace({ role, resource, rule })}
                />
              );
            },
          })),
        ]}
      />
      {place !== null && (
        <PermissionDrawer
          key={placeKey(place.role.id, place.resource.resource)}
          place={place}
          onSave={(values) => save(place, values)}
          onReset={reset}
          onClose={() => setPlace(null)}
        />
      )}
    </>
  );
}

function MatrixCell(props: {
  readonly role: MatrixRole;
  readonly resource: MatrixResource;
  readonly rule: PermissionRule | null;
  readonly onOpen: () => void;
}) {
  const { role, resource, rule } = props;
  const isChanged = rule?.status === 'active';
  const actions = isChanged ? rule.actions : (resource.shipped[role.code]?.actions ?? []);
  return (
    <button
      type="button"
      className={`permission-cell${isChanged ? ' is-changed' : ''}${actions.length === 0 ? ' is-none' : ''}`}
      aria-label={`${role.name}对${resource.title}的权限：${summary(actions)}`}
      title={titlesOf(resource, actions)}
      onClick={props.onOpen}
    >
      {summary(actions)}
    </button>
  );
}

/** The operations as one sign each, what has no sign of its own counted: 看增改 +3. */
function summary(actions: readonly string[]): string {
  if (actions.length === 0) return '无';
  const signs = [...new Set(actions.flatMap((name) => SIGNS[name] ?? []))].join('');
  const others = actions.filter((name) => SIGNS[name] === undefined).length;
  return others === 0 ? signs : `${signs} +${others}`;
}

function titlesOf(resource: MatrixResource, actions: readonly string[]): string {
  const titles = resource.operations.filter(({ name }) => actions.includes(name)).map(({ title }) => title);
  return titles.length === 0 ? '没有权限' : titles.join('、');
}

/** Signs of the operations that most resources have; having a name only is no more than being looked up. */
const SIGNS: Readonly<Record<string, string>> = {
  list: '看',
  read: '看',
  name: '名',
  create: '增',
  update: '改',
  delete: '删',
  import: '入',
  export: '出',
  print: '印',
  submit: '提',
  withdraw: '提',
  approve: '审',
};
