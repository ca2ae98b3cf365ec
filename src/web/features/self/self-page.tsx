import type { SessionEntry } from '#contract/self.ts';
import { useQuery } from '@tanstack/react-query';
import { App, Button } from 'antd';
import { companyTime } from '#engine/values/dates.ts';
import { clientErrors } from '#web/data/client-errors.ts';
import { callApi } from '#web/data/http.ts';
import { showFault } from '#web/data/show-fault.ts';
import { Delegations } from './delegations.tsx';
import { MobileForm } from './mobile-form.tsx';
import { PasswordForm } from './password-form.tsx';
import './self.css';

/** 个人中心: own data, password, where one is signed in, and the last errors of this browser. */
export function SelfPage() {
  const { data, refetch } = useQuery({ queryKey: ['self'], queryFn: () => callApi('GET /self') });
  return (
    <div className="details-page">
      <section className="details-section">
        <h2>个人资料</h2>
        <dl className="details-fields">
          {[
            // A customer's account is its mobile number, and has no place in the house.
            ...(data?.kind === 'partner' ? [] : [['工号', data?.personid]]),
            ['姓名', data?.name],
            ...(data?.kind === 'partner'
              ? []
              : [
                  ['职务', data?.position],
                  ['部门', data?.dept_name],
                ]),
            ['手机', data?.mobile],
            ['邮箱', data?.email],
          ].map(([title, text]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{text ?? '—'}</dd>
            </div>
          ))}
        </dl>
      </section>
      <div className="self-forms">
        <PasswordForm />
        {data?.kind === 'staff' && <MobileForm mobile={data.mobile} onChanged={() => void refetch()} />}
      </div>
      {data?.kind === 'staff' && <Delegations ownId={data.id} />}
      <Sessions />
      <ErrorLog />
    </div>
  );
}

function Sessions() {
  const { message } = App.useApp();
  const { data, refetch } = useQuery({
    queryKey: ['self-sessions'],
    queryFn: () => callApi('GET /self/sessions'),
  });
  const revoke = async (id: string | null) => {
    try {
      await callApi('DELETE /self/sessions', id === null ? {} : { query: { id } });
      void message.success('已下线');
    } catch (error) {
      showFault(message, error, '没有下线');
    }
    await refetch();
  };
  return (
    <section className="details-section">
      <h2>
        登录中的会话{' '}
        {(data?.length ?? 0) > 1 && (
          <Button size="small" onClick={() => void revoke(null)}>
            下线其他所有会话
          </Button>
        )}
      </h2>
      <div className="self-table self-sessions">
        <table className="plain-table">
          <thead>
            <tr>
              <th>登录时间</th>
              <th>最近使用</th>
              <th>地址</th>
              <th>浏览器</th>
              <th style={{ width: 90 }} />
            </tr>
          </thead>
          <tbody>
            {(Array.isArray(data) ? data : []).map((session: SessionEntry) => (
              <tr key={session.id}>
                <td>{companyTime(session.created_at)}</td>
                <td>{companyTime(session.last_seen_at)}</td>
                <td>{session.address}</td>
                <td title={session.user_agent ?? ''}>{browserName(session.user_agent ?? '')}</td>
                <td>
                  {session.is_current ? (
                    '本次'
                  ) : (
                    <button type="button" className="cell-link" onClick={() => void revoke(session.id)}>
                      下线
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The browser and system in a user agent's words; what is not known stands as it is. */
function browserName(agent: string): string {
  const browser = [
    ['Edg', 'Edge'],
    ['Firefox', 'Firefox'],
    ['Chrome', 'Chrome'],
    ['Safari', 'Safari'],
  ].find(([mark = '']) => agent.includes(mark))?.[1];
  const system = [
    ['Windows', 'Windows'],
    ['iPhone', 'iPhone'],
    ['Android', '安卓'],
    ['Mac OS', 'macOS'],
    ['Linux', 'Linux'],
  ].find(([mark = '']) => agent.includes(mark))?.[1];
  return browser === undefined ? agent : [browser, system].filter(Boolean).join('，');
}

function ErrorLog() {
  const { data } = useQuery({ queryKey: ['client-errors'], queryFn: clientErrors, staleTime: 0 });
  return (
    <section className="details-section">
      <h2>
        最近的错误 <small>本机保留最近 100 条，联系管理员时请提供请求编号</small>
      </h2>
      {data?.length === 0 && <p>没有错误</p>}
      {data !== undefined && data.length > 0 && (
        <div className="self-table">
          <table className="plain-table">
            <thead>
              <tr>
                <th>时间</th>
                <th>页面</th>
                <th>接口</th>
                <th style={{ width: 70 }}>代码</th>
                <th>说明</th>
                <th>请求编号</th>
              </tr>
            </thead>
            <tbody>
              {data.map((error) => (
                <tr key={`${error.at}${error.path}`}>
                  <td>{companyTime(error.at)}</td>
                  <td>{error.route}</td>
                  <td>{error.path}</td>
                  <td>{error.code}</td>
                  <td>{error.message}</td>
                  <td>{error.requestId}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
