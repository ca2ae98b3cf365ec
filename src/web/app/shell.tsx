import { Refine } from '@refinedev/core';
import routerProvider from '@refinedev/react-router';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { App as AntApp, ConfigProvider } from 'antd';
import zhCN from 'antd/es/locale/zh_CN';
import dayjs from 'dayjs';
import 'dayjs/locale/zh-cn';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { createBrowserRouter, RouterProvider, useRouteError } from 'react-router-dom';
import { FaultView } from '#web/faults/fault-view.tsx';
import { dataProvider } from '#web/data/data-provider.ts';
import { liveProvider } from '#web/data/live-provider.ts';
import { HttpFault } from '#web/data/http.ts';
import { useResourceList } from '#web/data/resource-list.ts';
import { storedPerson, subscribePerson } from '#web/data/stored-person.ts';
import { PasswordDue } from '#web/features/self/password-due.tsx';
import { useAntdTheme } from './antd-theme.ts';
import { Layout } from './layout.tsx';
import { MessageTimes } from './message-times.tsx';
import {
  accessControl,
  auditLogProvider,
  authProvider,
  i18nProvider,
  notificationProvider,
} from './providers.ts';
import { refineResources } from './refine-resources.ts';
import '../pages/table/table.css';
import '../pages/list/list.css';
import '../pages/details/details.css';
import '../pages/approval/approval.css';
import '../pages/pages.css';
import '../pages/plan/plan.css';
import '../pages/form/form.css';
import '../fields/grid/line-grid.css';
import './layout.css';

dayjs.locale('zh-cn');

/**
 * After a lost connection many pop-ups may come at once: the newest stands, the others lie behind it until one points at
 * them. They stand above the foot line and the pager, and so cover no button; the message centre has them all.
 */
const POP_UPS = { placement: 'bottomRight', bottom: 84, maxCount: 8, stack: { threshold: 1 } } as const;

const client = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      staleTime: 5_000,
      retry: (count, error) =>
        count < 2 && !(error instanceof HttpFault && error.statusCode > 0 && error.statusCode < 500),
    },
    // A write without a network is tried and told, not put aside in silence.
    mutations: { networkMode: 'always' },
  },
});
const access = accessControl(client);

/** Everything behind the login: theme, providers, router. */
export function Shell() {
  const look = useAntdTheme();
  // Made here, not when the module loads: the login page loads the shell ahead while its own address still stands.
  const [router] = useState(() =>
    createBrowserRouter([{ path: '*', element: <Refined />, errorElement: <BrokenShell /> }]),
  );
  return (
    <ConfigProvider
      locale={zhCN}
      theme={look}
      button={{ autoInsertSpace: false }}
      form={{ validateMessages: { required: '请填写${label}' } }}
    >
      <AntApp message={{ duration: 4, maxCount: 4 }} notification={POP_UPS} component={false}>
        <MessageTimes>
          <QueryClientProvider client={client}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </MessageTimes>
      </AntApp>
    </ConfigProvider>
  );
}

function Refined() {
  const { message, notification } = AntApp.useApp();
  const isPasswordDue = useSyncExternalStore(
    subscribePerson,
    () => storedPerson()?.mustChangePassword === true,
  );
  // Asked for as soon as the shell stands: every page needs it.
  const entries = useResourceList();
  const resources = useMemo(() => refineResources(entries), [entries]);
  const notifications = useMemo(() => notificationProvider(message, notification), [message, notification]);
  return (
    <Refine
      resources={resources}
      dataProvider={dataProvider}
      liveProvider={liveProvider}
      routerProvider={routerProvider}
      authProvider={authProvider}
      accessControlProvider={access}
      i18nProvider={i18nProvider}
      auditLogProvider={auditLogProvider}
      notificationProvider={notifications}
      options={{
        disableTelemetry: true,
        reactQuery: { clientConfig: client },
        syncWithLocation: false,
        disableRouteChangeHandler: true,
      }}
    >
      {isPasswordDue ? <PasswordDue /> : <Layout />}
    </Refine>
  );
}

/** Only what stands outside of every pane can end here. */
function BrokenShell() {
  return (
    <FaultView what="系统界面" isSmall={false} fault={useRouteError()} onRetry={() => location.reload()} />
  );
}
