import { FIELD_TYPE_BEHAVIOUR } from '#engine/fields/field-types.ts';
import type { Catalog, Field, Resource } from '#engine/schema/resource.ts';

type Json = Readonly<Record<string, unknown>>;

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Json;
  readonly components: Json;
}

const made = new WeakMap<Catalog, OpenApiDocument>();

/** The OpenAPI description of what serves now: the fixed calls, and the calls of every resource with its fields. */
export function openApiDocument(catalog: Catalog): OpenApiDocument {
  const known = made.get(catalog);
  if (known !== undefined) return known;
  const resources = Object.values(catalog.resources);
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: {
      title: '外贸综合服务 ERP 接口',
      version: '1',
      description:
        '所有回答为 { code, msg, data }，成功的 code 为 200。登录后的 authorization 放在 Authorization 头中。',
    },
    paths: {
      ...fixedPaths(),
      ...Object.fromEntries(
        resources.flatMap(resourcePaths).map(([path, calls]) => [path, withParameters(path, calls)]),
      ),
    },
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'header', name: 'Authorization' } },
      schemas: {
        Refusal: REFUSAL,
        ...Object.fromEntries(resources.map((resource) => [resource.resource, recordSchema(resource)])),
      },
    },
  };
  made.set(catalog, document);
  return document;
}

/** The calls that no definition names; several methods of one path stand together. */
function fixedPaths(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [path, method, summary] of FIXED_CALLS)
    (paths[path] ??= {})[method] = operation('系统', summary);
  return Object.fromEntries(
    Object.entries(paths).map(([path, calls]) => [path, withParameters(path, calls)]),
  );
}

/** Every name in braces is a parameter of the path. */
function withParameters(path: string, calls: Json): Json {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  if (names.length === 0) return calls;
  const parameters = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return Object.fromEntries(
    Object.entries(calls).map(([method, call]) => [method, Object.assign({ parameters }, call)]),
  );
}

function resourcePaths(resource: Resource): readonly (readonly [string, Json])[] {
  const base = `/erp/api/data/${resource.resource}`;
  const tag = resource.title;
  const record = { $ref: `#/components/schemas/${resource.resource}` };
  const isWritable = ['master', 'document', 'config'].includes(resource.kind);
  const body = { content: { 'application/json': { schema: record } } };
  const actions = Object.values(resource.lifecycle?.actions ?? {}).filter((action) => action.system !== true);
  return [
    [`${base}/query`, { post: operation(tag, `查询${tag}`, { data: { type: 'array', items: record } }) }],
    [`${base}/export`, { post: operation(tag, `导出${tag}（5,000 行以内为 xlsx，以上为 jobId）`) }],
    ...(isWritable ? writingPaths(base, tag) : []),
    [`${base}/{id}/history`, { get: operation(tag, `${tag}的修改历史`) }],
    [`${base}/{id}/neighbours`, { get: operation(tag, `上一条与下一条${tag}`) }],
    ...(isWritable ? [[base, { post: operation(tag, `新增${tag}`, { body, data: record }) }] as const] : []),
    [
      `${base}/{id}`,
      {
        get: operation(tag, `查看${tag}`, { data: record }),
        ...(isWritable
          ? {
              patch: operation(tag, `修改${tag}`, { body, data: record }),
              delete: operation(tag, `删除${tag}`),
            }
          : {}),
      },
    ],
    ...actions.map(
      (action) =>
        [
          `${base}/{id}/actions/${action.key}`,
          { post: operation(tag, action.title, { data: record }) },
        ] as const,
    ),
  ];
}

function writingPaths(base: string, tag: string): readonly (readonly [string, Json])[] {
  return [
    [`${base}/preview`, { post: operation(tag, `试算${tag}，不保存`) }],
    [`${base}/import/template`, { get: operation(tag, `${tag}导入模板`) }],
    [`${base}/import`, { post: operation(tag, `检查要导入的${tag}（xlsx 或 csv）`) }],
    [`${base}/import/{importId}/commit`, { post: operation(tag, `写入检查过的${tag}`) }],
    [`${base}/import/{importId}/errors`, { get: operation(tag, `${tag}导入的错误行`) }],
  ];
}

function operation(
  tag: string,
  summary: string,
  shape: { readonly body?: Json; readonly data?: Json } = {},
): Json {
  const envelope = {
    type: 'object',
    properties: { code: { const: 200 }, msg: { type: 'string' }, data: shape.data ?? {} },
  };
  return {
    tags: [tag],
    summary,
    security: [{ session: [] }],
    ...(shape.body === undefined ? {} : { requestBody: shape.body }),
    responses: {
      '200': { description: '成功', content: { 'application/json': { schema: envelope } } },
      default: {
        description: '拒绝',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
      },
    },
  };
}

function recordSchema(resource: Resource): Json {
  return { type: 'object', title: resource.title, properties: propertiesOf(resource.fields) };
}

function propertiesOf(fields: Readonly<Record<string, Field>>): Json {
  return Object.fromEntries(
    Object.values(fields)
      .filter((field) => field.type !== 'secret')
      .map((field) => [field.name, fieldSchema(field)]),
  );
}

function fieldSchema(field: Field): Json {
  const about = { title: field.title, ...(field.computed ? { readOnly: true } : {}) };
  if (field.fields === undefined) return { ...FIELD_TYPE_BEHAVIOUR[field.type].jsonSchema(field), ...about };
  const properties = { id: { type: 'string', format: 'uuid' }, ...propertiesOf(field.fields) };
  return { ...about, type: 'array', items: { type: 'object', properties } };
}

const REFUSAL = {
  type: 'object',
  properties: {
    code: { type: 'integer' },
    msg: { type: 'string' },
    data: { type: 'null' },
    requestId: { type: 'string' },
    problems: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
} as const;

const FIXED_CALLS: readonly (readonly [path: string, method: string, summary: string])[] = [
  ['/erp/api/sys/login', 'post', '管理登录'],
  ['/erp/api/sys/loginByMobile', 'post', '手机登录'],
  ['/erp/api/sys/loginByAgcustMobileNo', 'post', '客户登录'],
  ['/erp/api/sys/setPosition', 'post', '选择角色、部门与服务对象'],
  ['/erp/api/sys/logout', 'post', '退出登录'],
  ['/erp/api/sys/session', 'get', '当前登录人'],
  ['/erp/api/sys/erpServiceRegion', 'post', '服务公司'],
  ['/erp/api/meta/site', 'get', '站点'],
  ['/erp/api/meta/routes', 'get', '全部路由'],
  ['/erp/api/meta/resources', 'get', '可见的资源'],
  ['/erp/api/meta/resources/{resource}', 'get', '资源定义'],
  ['/erp/api/lookup/{resource}/{fieldPath}', 'post', '选择引用或字典的值'],
  ['/erp/api/jobs/{id}', 'get', '后台任务的进度'],
  ['/erp/api/jobs/{id}', 'delete', '取消后台任务'],
  ['/erp/api/jobs/{id}/file', 'get', '后台任务的文件'],
  ['/erp/api/files', 'post', '上传文件'],
  ['/erp/api/files/{id}', 'get', '下载文件'],
  ['/erp/api/files/{id}/info', 'get', '文件的名称、大小与上传人'],
  ['/erp/api/files/capture', 'post', '抓取远程图片'],
  ['/erp/api/notice/query', 'post', '消息列表'],
  ['/erp/api/notice/unread', 'get', '未读消息数'],
  ['/erp/api/notice/{id}/read', 'post', '标为已读'],
  ['/erp/api/notice/{id}/archive', 'post', '归档消息'],
  ['/erp/msg/sse/connect', 'get', '消息流'],
  ['/erp/msg/sse/close', 'post', '关闭消息流'],
  ['/erp/api/search', 'get', '全局搜索'],
  ['/erp/api/self', 'get', '个人资料'],
  ['/erp/api/self/password', 'post', '修改密码'],
  ['/erp/api/self/mobile', 'post', '修改手机号码'],
  ['/erp/api/self/mobile/code', 'post', '向新手机号码发送验证码'],
  ['/erp/api/self/sessions', 'get', '登录中的会话'],
  ['/erp/api/cyfp/queryDictByCondition', 'post', '发票类型'],
  ['/erp/api/cyfp/search', 'post', '发票查验'],
  ['/erp/api/cyfp/history', 'get', '本公司最近的查验记录'],
  ['/erp/api/invoice/uploadLink', 'get', '影像上传链接的单据'],
  ['/erp/api/invoice/uploadInvoiceFile', 'post', '凭链接上传影像'],
  ['/erp/api/invoice/removeInvoiceFile', 'post', '凭链接移除影像'],
  ['/erp/api/data/{resource}/{id}/upload-links', 'get', '影像上传链接'],
  ['/erp/api/data/{resource}/{id}/upload-links', 'post', '生成影像上传链接'],
  ['/erp/api/data/{resource}/{id}/upload-links/{link}', 'delete', '停用影像上传链接'],
  ['/erp/api/data/{resource}/{id}/read', 'post', '标为已读'],
  ['/erp/api/data/{resource}/reads', 'post', '其中已读的记录'],
  ['/erp/api/review', 'get', '凭审核链接查看'],
  ['/erp/api/review/decide', 'post', '凭审核链接审核'],
  ['/erp/api/views/{resource}', 'get', '保存的视图'],
  ['/erp/api/comments/{resource}/{id}', 'get', '评论'],
];
