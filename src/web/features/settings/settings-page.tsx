import { Tabs } from 'antd';
import { useSearchParams } from 'react-router-dom';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import { routeOfKind } from '#engine/schema/record-address.ts';
import type { ResourceEntry } from '#contract/meta.ts';
import { useResourceList } from '#web/data/resource-list.ts';
import { ListPage } from '#web/pages/list/list-page.tsx';
import './settings.css';

export interface SettingsPageProps {
  readonly resource: string;
  readonly page: PageDefinition;
  readonly route: string;
}

/** Settings: the list of the resource, and beside it those of the resources that the page names as further tabs. */
export function SettingsPage({ resource, page, route }: SettingsPageProps) {
  const entries = useResourceList();
  const [params, setParams] = useSearchParams();
  const shown = [resource, ...(page.tabs ?? [])].flatMap((key) => {
    const entry = entries.find((item) => item.resource === key && item.operations.includes('list'));
    return entry === undefined ? [] : [entry];
  });
  const chosen = shown.find((entry) => entry.resource === params.get('tab')) ?? shown[0];
  if (shown.length < 2 || chosen === undefined)
    return <ListPage resource={resource} page={page} route={route} />;
  const isOwn = chosen.resource === resource;
  return (
    <div className="settings-page">
      <Tabs
        activeKey={chosen.resource}
        items={shown.map((entry) => ({ key: entry.resource, label: entry.title }))}
        onChange={(key) => setParams(key === resource ? {} : { tab: key }, { replace: true })}
      />
      <ListPage
        key={chosen.resource}
        resource={chosen.resource}
        page={isOwn ? page : tabPage(chosen, route)}
        route={isOwn ? route : `${route}?tab=${chosen.resource}`}
      />
    </div>
  );
}

/** Documents open in tabs of their own, settings beside their list. */
function tabPage({ kind, title, pages }: ResourceEntry, route: string): PageDefinition {
  const details = routeOfKind(pages, 'details');
  const edit = routeOfKind(pages, 'edit');
  if (kind !== 'document' || details === null || edit === null) return { route, kind: 'list', title };
  return { route, kind: 'list', title, details, edit };
}
