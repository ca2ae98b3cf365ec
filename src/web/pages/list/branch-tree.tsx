import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CanAccess } from '@refinedev/core';
import { Alert, Button, Empty, Skeleton, Tree } from 'antd';
import { useMemo, useState } from 'react';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { callApi } from '#web/data/http.ts';
import { faultText } from '#web/data/show-fault.ts';
import { type Branch, branchesOf } from './branches.ts';
import { ListDrawer, type DrawerTarget } from './list-drawer.tsx';

export interface BranchTreeProps {
  /** The resource whose records stand in the tree. */
  readonly tree: Resource;
  readonly parent: string;
  /** The chosen record; the list shows what stands in its branch. */
  readonly chosen: string | null;
  readonly onChoose: (id: string | null) => void;
}

/** So many records are drawn as a tree; a tree with more is searched through its list. */
const MOST = 1_000;

/** A tree beside a list: choosing a branch narrows the list to it; who may keeps the tree itself here too. */
export function BranchTree({ tree, parent, chosen, onChoose }: BranchTreeProps) {
  const [drawer, setDrawer] = useState<DrawerTarget | null>(null);
  const client = useQueryClient();
  const key = ['branches', tree.resource];
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: key,
    queryFn: async () => {
      const { records, total } = await callApi('POST /data/:resource/query', {
        params: { resource: tree.resource },
        body: {
          pageSize: MOST,
          sorters: [...tree.list.sort],
          columns: [tree.label, parent, 'status'].filter((name) => tree.fields[name] !== undefined),
        },
      });
      return { records, total };
    },
  });
  const branches = useMemo(
    () => branchesOf(data?.records ?? [], { parent, label: tree.label }),
    [data, parent, tree],
  );
  const page: PageDefinition = { route: '', kind: 'list', title: tree.title };
  return (
    <nav className="branch-tree" aria-label={`${tree.title}树`}>
      <div className="branch-tree-tools">
        <Button size="small" type={chosen === null ? 'primary' : 'default'} onClick={() => onChoose(null)}>
          全部
        </Button>
        <CanAccess resource={tree.resource} action="create">
          <Button
            size="small"
            onClick={() =>
              setDrawer({
                kind: 'edit',
                id: null,
                ...(chosen === null ? {} : { initial: { [parent]: chosen } }),
              })
            }
          >
            {chosen === null ? '新增' : '新增下级'}
          </Button>
        </CanAccess>
        {chosen !== null && (
          <Button size="small" onClick={() => setDrawer({ kind: 'details', id: chosen })}>
            查看
          </Button>
        )}
        <CanAccess resource={tree.resource} action="update">
          {chosen !== null && (
            <Button size="small" onClick={() => setDrawer({ kind: 'edit', id: chosen })}>
              编辑
            </Button>
          )}
        </CanAccess>
      </div>
      {error !== null && (
        <Alert
          type="error"
          message={faultText(error, '没有读到')}
          action={<Button onClick={() => void refetch()}>重试</Button>}
        />
      )}
      {isLoading && <Skeleton active paragraph={{ rows: 6 }} />}
      {data !== undefined && branches.length === 0 && <Empty description={`还没有${tree.title}`} />}
      {branches.length > 0 && (
        <Tree<Branch>
          blockNode
          defaultExpandAll
          treeData={[...branches]}
          selectedKeys={chosen === null ? [] : [chosen]}
          onSelect={(_, { node }) => onChoose(node.key === chosen ? null : node.key)}
        />
      )}
      {data !== undefined && data.total > MOST && <p className="field-hint">只显示前{MOST}个</p>}
      <ListDrawer
        target={drawer}
        resource={tree}
        page={page}
        onClose={() => {
          setDrawer(null);
          void client.invalidateQueries({ queryKey: key });
        }}
        onSubmitted={(id) => setDrawer({ kind: 'details', id })}
      />
    </nav>
  );
}
