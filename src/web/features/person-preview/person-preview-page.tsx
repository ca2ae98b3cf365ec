import { Alert, Empty, Select, Tree } from 'antd';
import { useState } from 'react';
import type { PersonPreview } from '#contract/person-preview.ts';
import type { MenuEntry } from '#contract/shape.ts';
import { useRead } from '#web/data/use-read.ts';
import { useComposedText } from '#web/fields/composed-text.ts';
import { faultText } from '#web/data/show-fault.ts';
import { SeenList } from './seen-list.tsx';
import { SeenReport } from './seen-report.tsx';
import './person-preview.css';

/** 以此人身份预览: the menu, rights, lists, forms and reports of a colleague in one of the roles held, read only; every look is audited. */
export function PersonPreviewPage() {
  const [person, setPerson] = useState<string | null>(null);
  const [role, setRole] = useState<string | undefined>();
  const [chosen, setChosen] = useState<string | null>(null);
  const seen = useRead(
    'GET /person-preview/:id',
    { params: { id: person ?? '' }, query: role === undefined ? {} : { role } },
    { key: ['person-preview', person, role], isEnabled: person !== null },
  );
  const resource = seen.data?.resources.find(({ resource: key }) => key === chosen);
  const report = seen.data?.reports.find(({ route }) => route === chosen);
  return (
    <div className="person-preview">
      <div className="person-preview-bar">
        <PersonSelect
          value={person}
          onChange={(next) => {
            setPerson(next);
            setRole(undefined);
            setChosen(null);
          }}
        />
        {seen.data !== undefined && (
          <Select
            aria-label="角色"
            value={seen.data.role}
            options={seen.data.roles.map(({ code, name }) => ({ value: code, label: name }))}
            onChange={(next) => setRole(next)}
            style={{ width: 160 }}
          />
        )}
        <span className="person-preview-note">只读；每次查看都记入操作记录</span>
      </div>
      {seen.error !== null && <Alert type="error" showIcon message={faultText(seen.error, '没有读到')} />}
      {seen.data === undefined ? (
        person === null && <Empty description="选择一位员工，看他登录后的菜单、权限与数据" />
      ) : (
        <div className="person-preview-body">
          <SeenMenu seen={seen.data} onChoose={setChosen} />
          {person === null || (resource === undefined && report === undefined) ? (
            <Empty description="在左边选择一个页面、单据或资料" />
          ) : report !== undefined ? (
            <SeenReport
              key={`${person} ${seen.data.role} ${report.report}`}
              person={person}
              role={seen.data.role}
              report={report}
            />
          ) : resource === undefined ? null : (
            <SeenList
              key={`${person} ${seen.data.role} ${resource.resource}`}
              person={person}
              role={seen.data.role}
              resource={resource}
            />
          )}
        </div>
      )}
    </div>
  );
}

function PersonSelect(props: { readonly value: string | null; readonly onChange: (id: string) => void }) {
  const [typed, setTyped] = useState('');
  const keyword = useComposedText(typed);
  const people = useRead(
    'POST /data/:resource/query',
    {
      params: { resource: 'person' },
      body: { keyword, pageSize: 50, filters: { status: { eq: 'active' } }, columns: ['name', 'personid'] },
    },
    { key: ['preview-people', keyword], keepsLast: true },
  );
  return (
    <Select
      aria-label="员工"
      showSearch
      filterOption={false}
      onSearch={setTyped}
      loading={people.isFetching}
      placeholder="员工姓名、账号或拼音首字母"
      value={props.value}
      options={(people.data?.records ?? []).map((record) => ({
        value: String(record['id']),
        label: `${String(record['name'] ?? '')}（${String(record['personid'] ?? '')}）`,
      }))}
      onChange={(id: string | null) => id !== null && props.onChange(id)}
      style={{ width: 260 }}
    />
  );
}

/** The side menu as the person has it, and beneath it what is reached without a menu entry. */
function SeenMenu(props: { readonly seen: PersonPreview; readonly onChoose: (place: string) => void }) {
  const { menu, resources, reports } = props.seen;
  const reportRoutes = new Set(reports.map(({ route }) => route));
  const byRoute = new Map(
    resources.flatMap((one) => one.routes.map((route) => [route, one.resource] as const)),
  );
  const inMenu = new Set(routesIn(menu).map((route) => byRoute.get(route)));
  const others = resources.filter(({ resource, mayList }) => mayList && !inMenu.has(resource));
  const node = (entry: MenuEntry): MenuNode => ({
    key: entry.url === '' ? `group ${entry.name}` : `${entry.url} `,
    title: entry.name,
    selectable: byRoute.has(entry.url) || reportRoutes.has(entry.url),
    ...(entry.list.length === 0 ? {} : { children: entry.list.map(node) }),
  });
  const nodes: MenuNode[] = [
    ...menu.map(node),
    {
      key: 'group others',
      title: '菜单以外可见',
      selectable: false,
      children: others.map(({ resource, title }) => ({
        key: `resource ${resource}`,
        title,
        selectable: true,
      })),
    },
  ];
  return (
    <nav className="person-preview-menu" aria-label="此人的菜单">
      <Tree
        treeData={nodes}
        blockNode
        onSelect={([key]) => {
          const text = String(key ?? '');
          const found = text.startsWith('resource ')
            ? text.slice(9)
            : reportRoutes.has(text.trim())
              ? text.trim()
              : byRoute.get(text.trim());
          if (found !== undefined) props.onChoose(found);
        }}
      />
    </nav>
  );
}

interface MenuNode {
  key: string;
  title: string;
  selectable: boolean;
  children?: MenuNode[];
}

function routesIn(menu: readonly MenuEntry[]): readonly string[] {
  return menu.flatMap((entry) => (entry.list.length === 0 ? [entry.url] : routesIn(entry.list)));
}
