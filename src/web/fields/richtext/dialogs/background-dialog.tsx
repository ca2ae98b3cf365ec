import type { IDomEditor } from '@wangeditor/editor';
import { Button, Form, Modal, Select, Space, Upload } from 'antd';
import { useState } from 'react';
import { backgroundOf, setBackground } from '../editor-content.ts';
import type { Upload as SendFile } from '../media/media-types.ts';
import { Colour } from './property-fields.tsx';
import { faultText } from '#web/data/show-fault.ts';

interface BackgroundDialogProps {
  readonly editor: IDomEditor;
  readonly upload: SendFile;
  readonly onClose: () => void;
}

/** Colour and picture behind the whole document. */
export function BackgroundDialog({ editor, upload, onClose }: BackgroundDialogProps) {
  const [background, setChosen] = useState(() => backgroundOf(editor));
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async (file: File) => {
    setBusy(true);
    setProblem('');
    try {
      const { address } = await upload(file);
      setChosen({ ...background, image: address.slice(address.lastIndexOf('/') + 1) });
    } catch (error) {
      setProblem(faultText(error, '图片没有上传'));
    }
    setBusy(false);
  };
  return (
    <Modal
      open
      title="背景"
      okText="确定"
      cancelText="取消"
      confirmLoading={isBusy}
      onCancel={onClose}
      onOk={() => {
        onClose();
        setBackground(editor, background);
      }}
    >
      <Form layout="horizontal" labelCol={{ span: 5 }}>
        <Form.Item label="颜色">
          <Colour
            label="背景颜色"
            value={background.color}
            onChange={(color) => setChosen({ ...background, color: hexOf(color) })}
          />
        </Form.Item>
        <Form.Item
          label="图片"
          validateStatus={problem === '' ? '' : 'error'}
          help={problem === '' ? undefined : <span role="alert">{problem}</span>}
        >
          <Space>
            <Upload
              accept="image/*"
              showUploadList={false}
              beforeUpload={(file) => {
                void send(file);
                return false;
              }}
            >
              <Button loading={isBusy}>{background.image === '' ? '选择图片' : '换一张'}</Button>
            </Upload>
            {background.image !== '' && (
              <Button type="link" onClick={() => setChosen({ ...background, image: '' })}>
                不用图片
              </Button>
            )}
          </Space>
        </Form.Item>
        <Form.Item label="平铺" htmlFor="background-repeat">
          <Select
            id="background-repeat"
            disabled={background.image === ''}
            value={background.repeat}
            style={{ width: 140 }}
            options={[
              { value: 'repeat', label: '平铺' },
              { value: 'no-repeat', label: '不平铺' },
              { value: 'repeat-x', label: '横向平铺' },
              { value: 'repeat-y', label: '纵向平铺' },
            ]}
            onChange={(repeat) => setChosen({ ...background, repeat })}
          />
        </Form.Item>
        <Form.Item label="位置" htmlFor="background-position">
          <Select
            id="background-position"
            disabled={background.image === ''}
            value={background.position}
            style={{ width: 140 }}
            options={[
              { value: 'left', label: '居左' },
              { value: 'center', label: '居中' },
              { value: 'right', label: '居右' },
            ]}
            onChange={(position) => setChosen({ ...background, position })}
          />
        </Form.Item>
      </Form>
    </Modal>
  );
}

/** `rgb(255, 0, 0)` as `#ff0000`. */
function hexOf(color: string): string {
  const parts = /^rgb\((\d+), ?(\d+), ?(\d+)\)$/.exec(color)?.slice(1) ?? [];
  return parts.length === 3
    ? `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
    : '';
}
