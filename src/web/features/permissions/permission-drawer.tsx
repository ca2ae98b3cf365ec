import { App, Alert, Button, Checkbox, Drawer, Form, Select, Space, Tag } from 'antd';
import { useState } from 'react';
import { useLeaveQuestion, useUnsaved } from '#web/app/use-unsaved.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { choicesOf } from '#web/fields/dictionary-context.ts';
import { refusalOf } from '#web/pages/form/shown-error.ts';
import type { PermissionRule, RulePlace, RuleValues } from './permission-data.ts';

export interface PermissionDrawerProps {
  readonly place: RulePlace;
  readonly onSave: (values: RuleValues) => Promise<void>;
  readonly onReset: (rule: PermissionRule) => Promise<void>;
  readonly onClose: () => void;
}

const WIDTH_PX = 620;

/** The rights of one role on one resource: what may be done, on which rows, and which fields are hidden or read-only. */
export function PermissionDrawer({ place, onSave, onReset, onClose }: PermissionDrawerProps) {
  const { message, modal } = App.useApp();
  const { role, resource, rule } = place;
  const shipped = resource.shipped[role.code] ?? NOTHING;
  const isActive = rule?.status === 'active';
  const [start] = useState<RuleValues>(() => valuesOf(isActive ? rule : shipped));
  const [values, setValues] = useState(start);
  const isChanged = JSON.stringify(values) !== JSON.stringify(start);
  useUnsaved(isChanged);
  const leave = useLeaveQuestion(() => isChanged);
  const close = (): void => leave(onClose);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const definition = usePageResource('permission_rule');
  const scope = definition.resource?.fields['row_scope'];
  const known = new Set(resource.operations.map(({ name }) => name));
  const run = async (work: () => Promise<void>, done: string): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      await work();
      void message.success(done);
      onClose();
    } catch (error) {
      setFault(refusalOf(error).message);
      setBusy(false);
    }
  };
  const save = () => {
    if (values.actions.length === 0) {
      setFault('请至少选择一个动作');
      return;
    }
    void run(() => onSave(values), '已保存，另一人复核同意后生效');
  };
  const fields = resource.fields.map(({ name, title }) => ({ value: name, label: title }));
  return (
    <Drawer
      open
      width={Math.min(WIDTH_PX, window.innerWidth)}
      title={
        <Space>
          {role.name} · {resource.title}
          {isActive ? <Tag color="blue">已改动</Tag> : <Tag>系统自带</Tag>}
        </Space>
      }
      onClose={close}
      footer={
        <Space>
          <Button type="primary" loading={isBusy} onClick={save}>
            保存
          </Button>
          {rule !== null && (
            <Button
              danger
              disabled={isBusy}
              onClick={() => {
                modal.confirm({
                  title: '恢复为系统自带的权限？',
                  content: `${role.name}对${resource.title}的改动将在另一人复核同意后删除。`,
                  okText: '恢复',
                  cancelText: '取消',
                  onOk: () => run(() => onReset(rule), '已提交，另一人复核同意后恢复为系统自带'),
                });
              }}
            >
              恢复自带
            </Button>
          )}
          <Button onClick={close}>取消</Button>
        </Space>
      }
    >
      {fault !== null && <Alert type="error" showIcon message={fault} className="permission-note" />}
      {!isActive && shipped.isConditional && (
        <Alert
          type="warning"
          showIcon
          className="permission-note"
          message="自带的权限中有按单据条件、可写字段或明细行限定的部分；保存改动后以此处为准，这些限定不再适用。"
        />
      )}
      <Form layout="vertical">
        <Form.Item label="动作">
          <Checkbox.Group
            className="permission-actions"
            value={values.actions.filter((name) => known.has(name))}
            options={resource.operations.map(({ name, title }) => ({ value: name, label: title }))}
            onChange={(actions) => setValues({ ...values, actions })}
          />
          <Space size="small">
            <Button
              size="small"
              onClick={() => setValues({ ...values, actions: resource.operations.map(({ name }) => name) })}
            >
              全选
            </Button>
            <Button size="small" onClick={() => setValues({ ...values, actions: ['list', 'read'] })}>
              只读
            </Button>
            <Button size="small" onClick={() => setValues(valuesOf(shipped))}>
              按自带填写
            </Button>
          </Space>
        </Form.Item>
        <Form.Item label="数据范围" extra="留空则按角色的数据范围">
          <Select
            allowClear
            placeholder="按角色"
            value={values.row_scope}
            options={(scope === undefined ? [] : choicesOf(scope, definition.dictionaries)).map(
              ({ value, label }) => ({ value, label }),
            )}
            onChange={(next: string | undefined) => setValues({ ...values, row_scope: next ?? null })}
          />
        </Form.Item>
        <Form.Item label="隐藏字段" extra="连同由它算出的字段一起隐藏，也不会导出或打印">
          <Select
            mode="multiple"
            allowClear
            optionFilterProp="label"
            placeholder="全部可见"
            value={[...values.hidden_fields]}
            options={fields}
            onChange={(next: string[]) => setValues({ ...values, hidden_fields: next })}
          />
        </Form.Item>
        <Form.Item label="只读字段">
          <Select
            mode="multiple"
            allowClear
            optionFilterProp="label"
            placeholder="按自身规则可写"
            value={[...values.readonly_fields]}
            options={fields}
            onChange={(next: string[]) => setValues({ ...values, readonly_fields: next })}
          />
        </Form.Item>
      </Form>
    </Drawer>
  );
}

const NOTHING = { actions: [], hidden_fields: [], readonly_fields: [], isConditional: false };

function valuesOf(from: Omit<RuleValues, 'row_scope'> & { readonly row_scope?: string | null }): RuleValues {
  const { actions, hidden_fields, readonly_fields, row_scope = null } = from;
  return { actions, hidden_fields, readonly_fields, row_scope };
}
