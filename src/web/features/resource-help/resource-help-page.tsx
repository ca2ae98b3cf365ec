import { Alert, Skeleton, Tag } from 'antd';
import { useSearchParams } from 'react-router-dom';
import type { ResourceHelp } from '#contract/resource-help.ts';
import { useRead } from '#web/data/use-read.ts';
import { faultText } from '#web/data/show-fault.ts';
import './resource-help.css';

type FieldHelp = ResourceHelp['sections'][number]['fields'][number];

/** 单据说明: what a document is made of, the states it goes through, who may do what and what happens then. */
export function ResourceHelpPage() {
  const [params] = useSearchParams();
  const resource = params.get('resource') ?? '';
  const { data, error, isLoading } = useRead(
    'GET /meta/resources/:resource/help',
    { params: { resource } },
    { key: ['resource-help', resource], isEnabled: resource !== '' },
  );
  if (isLoading) return <Skeleton active paragraph={{ rows: 12 }} className="page-skeleton" />;
  if (data === undefined)
    return <Alert type="error" showIcon message={faultText(error, '没有这种单据的说明')} />;
  return (
    // Nothing else here takes the focus, and without it the keys scroll nothing.
    <article className="resource-help" tabIndex={0} aria-label={`${data.title}说明`}>
      <h1>{data.title}说明</h1>
      <p>
        您可以：
        {data.mine.map((title) => (
          <Tag key={title}>{title}</Tag>
        ))}
      </p>
      {data.states.length > 0 && <States states={data.states} />}
      {data.actions.length > 0 && <Actions actions={data.actions} />}
      <h2>字段</h2>
      {data.sections.map((section) => (
        <section key={section.title}>
          <h3>{section.title}</h3>
          <FieldTable fields={section.fields} />
        </section>
      ))}
      <h2>谁可以做什么</h2>
      <table>
        <tbody>
          {data.roles.map(({ name, operations }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{operations.join('、')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  );
}

function States({ states }: { readonly states: ResourceHelp['states'] }) {
  return (
    <>
      <h2>状态</h2>
      <p>
        {states.map(({ title, isFirst, isLast }) => (
          <Tag key={title} color={isLast ? 'default' : 'blue'}>
            {title}
            {isFirst ? '（开始）' : isLast ? '（结束）' : ''}
          </Tag>
        ))}
      </p>
    </>
  );
}

function Actions({ actions }: { readonly actions: ResourceHelp['actions'] }) {
  return (
    <>
      <h2>操作</h2>
      <table>
        <thead>
          <tr>
            <th>操作</th>
            <th>从 → 到</th>
            <th>谁</th>
            <th>发生什么</th>
          </tr>
        </thead>
        <tbody>
          {actions.map((action) => (
            <tr key={action.title}>
              <th scope="row">
                {action.title}
                {action.isMine && <small>您可以</small>}
              </th>
              <td>
                {action.from.join('、')} → {action.to}
              </td>
              <td>{action.roles.join('、')}</td>
              <td>
                <ul>
                  {happensOf(action).map((text) => (
                    <li key={text}>{text}</li>
                  ))}
                </ul>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** An action that only leads to another state says so. */
function happensOf({ happens, to }: ResourceHelp['actions'][number]): readonly string[] {
  if (happens.length > 0) return happens;
  return to === UNCHANGED ? [] : [`状态变为「${to}」`];
}

const UNCHANGED = '状态不变';

function FieldTable({ fields }: { readonly fields: readonly FieldHelp[] }) {
  const rows = fields.flatMap((field) => [
    { ...field, key: field.title },
    ...field.columns.map((column) => ({
      ...column,
      key: `${field.title} ${column.title}`,
      title: `· ${column.title}`,
    })),
  ]);
  return (
    <table>
      <tbody>
        {rows.map(({ key, title, isRequired, notes }) => (
          <tr key={key}>
            <th scope="row">
              {title}
              {isRequired && <small>必填</small>}
            </th>
            <td>{notes.join('；')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
