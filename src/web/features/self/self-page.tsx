import { useQuery } from '@tanstack/react-query';
import { App, Button, Form, Input } from 'antd';
import { companyTime } from '#engine/values/dates.ts';
import { clientErrors } from '#web/data/client-errors.ts';
import { http } from '#web/data/http.ts';
import { leaveForLogin } from '#web/data/stored-person.ts';
import { sealForTransport } from '#web/data/transport-cipher.ts';

interface Self {
  readonly personid: string;
  readonly name: string;
  readonly mobile: string | null;
  readonly email?: string | null;
  readonly dept_name?: string | null;
  readonly position?: string | null;
}

interface SessionEntry {
  readonly id: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly is_current: boolean;
}

/** 个人中心: own data, password, where one is signed in, and the last errors of this browser. */
export function SelfPage() {
  const { data } = useQuery({ queryKey: ['self'], queryFn: () => http.get<Self>('/self') });
  return (
    <div className="details-page">
      <section className="details-section">
        <h2>个人资料</h2>
        <dl className="details-fields">
          {[
            ['工号', data?.personid],
            ['姓名', data?.name],
            ['职务', data?.position],
            ['部门', data?.dept_name],
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
      <PasswordForm />
      <Sessions />
      <ErrorLog />
    </div>
  );
}

interface PasswordFields {
  readonly old: string;
  readonly next: string;
  readonly again: string;
}

function PasswordForm() {
  const { message } = App.useApp();
  const [form] = Form.useForm<PasswordFields>();
  const change = async ({ old, next }: PasswordFields) => {
    try {
      await http.post('/self/password', {
        oldPassword: sealForTransport(old),
        newPassword: sealForTransport(next),
      });
      void message.success('密码已修改，请重新登录');
      setTimeout(leaveForLogin, 1_500);
    } catch (error) {
      void message.error(error instanceof Error ? error.message : '密码没有修改', 4);
    }
  };
  const length = { min: 6, max: 30, message: '长度在 6 到 30 个字符' };
  return (
    <section className="details-section">
      <h2>修改密码</h2>
      <Form
        form={form}
        layout="vertical"
        style={{ maxWidth: 360 }}
        onFinish={(fields: PasswordFields) => void change(fields)}
      >
        <Form.Item name="old" label="原密码" rules={[{ required: true, message: '请输入密码' }]}>
          <Input.Password autoComplete="current-password" />
        </Form.Item>
        <Form.Item name="next" label="新密码" rules={[{ required: true, message: '请输入密码' }, length]}>
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <Form.Item
          name="again"
          label="再次输入新密码"
          dependencies={['next']}
          rules={[
            { required: true, message: '请再次输入新密码' },
            ({ getFieldValue }) => ({
              validator: (_, value) =>
                value === getFieldValue('next')
                  ? Promise.resolve()
                  : Promise.reject(new TypeError('两次输入不一致')),
            }),
          ]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <Button type="primary" htmlType="submit">
          修改密码
        </Button>
      </Form>
    </section>
  );
}

function Sessions() {
  const { message } = App.useApp();
  const { data, refetch } = useQuery({
    queryKey: ['self-sessions'],
    queryFn: () => http.get<readonly SessionEntry[]>('/self/sessions'),
  });
  const revoke = async (id: string) => {
    await http.delete(`/self/sessions?id=${encodeURIComponent(id)}`);
    void message.success('已下线');
    await refetch();
  };
  return (
    <section className="details-section">
      <h2>登录中的会话</h2>
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
              <td>{session.user_agent}</td>
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
    </section>
  );
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
      )}
    </section>
  );
}
