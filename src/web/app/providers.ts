import { ADDRESS } from '#web/data/addresses.ts';
import type {
  AccessControlProvider,
  AuditLogProvider,
  AuthProvider,
  I18nProvider,
  NotificationProvider,
} from '@refinedev/core';
import type { NotificationInstance } from 'antd/es/notification/interface';
import type { MessageInstance } from 'antd/es/message/interface';
import type { QueryClient } from '@tanstack/react-query';
import { definitionQuery } from '#web/data/page-resource.ts';
import { callApi, HttpFault } from '#web/data/http.ts';
import { logOut } from '#web/data/log-out.ts';
import { leaveForLogin, storedAuthorization, storedPerson } from '#web/data/stored-person.ts';

/** Who is signed in, by the stored authorization; the server decides on every call. */
export const authProvider: AuthProvider = {
  login: async () => ({ success: false, redirectTo: ADDRESS.login }),
  check: async () =>
    storedAuthorization() === null
      ? { authenticated: false, redirectTo: ADDRESS.login }
      : { authenticated: true },
  logout: async () => {
    return { success: true, next: await logOut() };
  },
  onError: async (error) => {
    if (error instanceof HttpFault && error.code === 401) leaveForLogin();
    return {};
  },
  getIdentity: async () => storedPerson(),
  getPermissions: async () => storedPerson()?.roleId ?? null,
};

/** What the role may do with a resource, from the definitions it got. */
export function accessControl(client: QueryClient): AccessControlProvider {
  return {
    can: async ({ resource, action }) => {
      if (resource === undefined) return { can: true };
      const definition = await client.fetchQuery(definitionQuery(resource)).catch(() => null);
      const operation = action === 'show' ? 'read' : action === 'edit' ? 'update' : action;
      const can = ['*', operation].some((name) => definition?.operations.includes(name) === true);
      return can ? { can } : { can, reason: '权限不足,请联系管理员!' };
    },
    options: { buttons: { enableAccessControl: true, hideIfUnauthorized: true } },
  };
}

const TEXTS: Readonly<Record<string, string>> = {
  'notifications.success': '操作成功',
  'notifications.error': '操作没有完成（{{statusCode}}）',
  'notifications.undoable': '{{seconds}} 秒内可以撤销',
  'notifications.createSuccess': '新增成功',
  'notifications.createError': '新增没有完成（{{statusCode}}）',
  'notifications.editSuccess': '保存成功',
  'notifications.editError': '保存没有完成（{{statusCode}}）',
  'notifications.deleteSuccess': '删除成功',
  'notifications.deleteError': '删除没有完成（{{statusCode}}）',
  warnWhenUnsavedChanges: '有未保存的修改，确定离开吗？',
  'buttons.create': '新增',
  'buttons.edit': '编辑',
  'buttons.show': '查看',
  'buttons.save': '保存',
  'buttons.delete': '删除',
  'buttons.confirm': '确定删除吗？删除后不能恢复',
  'buttons.cancel': '取消',
  'buttons.refresh': '刷新',
  'buttons.notAccessTitle': '您没有此权限',
};

/** Refine's own texts in Chinese; a key without a text shows what refine gives as default. */
export const i18nProvider: I18nProvider = {
  translate: (key: string, options?: unknown, defaultMessage?: string) => {
    const text = TEXTS[key] ?? (typeof options === 'string' ? options : defaultMessage) ?? key;
    return typeof options === 'object' && options !== null ? filled(text, options) : text;
  },
  changeLocale: async () => undefined,
  getLocale: () => 'zh-CN',
};

/** Audit rows are written by the server in the transaction of the change; here they are only read. */
export const auditLogProvider: AuditLogProvider = {
  get: async ({ resource, meta }) =>
    callApi('GET /data/:resource/:id/history', { params: { resource, id: String(meta?.['id'] ?? '') } }),
  create: async () => undefined,
  update: async () => undefined,
};

/** Messages of refine: success 3 s, errors 4 s. */
export function notificationProvider(
  message: MessageInstance,
  notification: NotificationInstance,
): NotificationProvider {
  return {
    open: ({ type, message: text, description, key }) => {
      const content = description ?? text;
      // What a form could not read it says itself; refine has no switch for that one.
      if (content === '' || key?.endsWith('-getOne-notification') === true) return;
      if (type === 'success') void message.success({ content: text, key: key ?? text, duration: 3 });
      else if (type === 'error')
        void message.error({ content: text || description, key: key ?? text, duration: 4 });
      else notification.info({ message: text, description, key: key ?? text, duration: 4 });
    },
    close: (key) => message.destroy(key),
  };
}

function filled(text: string, values: object): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(Reflect.get(values, name) ?? ''));
}
