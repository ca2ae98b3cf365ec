import type { Resource } from '#engine/schema/resource.ts';

/** How people call an operation or action of a resource. */
export function operationTitle(resource: Resource, operation: string): string {
  return OPERATION_TITLES[operation] ?? resource.lifecycle?.actions[operation]?.title ?? operation;
}

const OPERATION_TITLES: Readonly<Record<string, string>> = {
  list: '列表',
  read: '查看',
  create: '新增',
  update: '修改',
  delete: '删除',
  import: '导入',
  export: '导出',
  print: '打印',
  name: '显示名称',
  withdraw: '撤回',
  approve: '审核',
};
