import { Alert, Button, Space } from 'antd';
import { useOpenRecord } from '#web/data/open-record.ts';

interface GoneAlertProps {
  readonly resource: string;
  readonly title: string;
  /** It stood here before; else nobody knows whether it ever was there for this person. */
  readonly wasShown: boolean;
  readonly onClose: () => void;
}

/** The record is not there, or was deleted meanwhile: says so, with the way back to its list. */
export function GoneAlert({ resource, title, wasShown, onClose }: GoneAlertProps) {
  const open = useOpenRecord();
  const list = open.listOf(resource);
  return (
    <Alert
      className="page-alert"
      type="error"
      showIcon
      message={wasShown ? `此${title}已被删除，或您已无权查看` : '记录不存在或无权查看'}
      action={
        <Space>
          {list !== null && (
            <Button type="primary" size="small" onClick={list}>
              返回列表
            </Button>
          )}
          <Button size="small" onClick={onClose}>
            关闭
          </Button>
        </Space>
      }
    />
  );
}
