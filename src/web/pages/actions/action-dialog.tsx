import { Alert, Input, Modal } from 'antd';
import { useState } from 'react';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';
import { type ActionAnswer, type RecordAction, inputFields } from './record-action.ts';

export interface ActionDialogProps {
  readonly resource: string;
  readonly action: Pick<
    RecordAction,
    'title' | 'confirm' | 'reasonRequired' | 'inputs' | 'danger' | 'action'
  >;
  /** Runs the action; a rejection keeps the dialog open with its message. */
  readonly onRun: (answer: ActionAnswer) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for what an action needs: a confirmation, a reason, inputs. Nothing typed is lost when the server refuses. */
export function ActionDialog({ resource, action, onRun, onClose }: ActionDialogProps) {
  const [opinion, setOpinion] = useState('');
  const [inputs, setInputs] = useState<ErpRecord>({});
  const [fault, setFault] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  const fields = inputFields(action);

  const run = async () => {
    const missing = firstMissing(action, fields, inputs, opinion);
    if (missing !== null) return setFault(missing);
    setRunning(true);
    setFault(null);
    try {
      await onRun({ opinion: opinion.trim(), inputs });
    } catch (error) {
      setFault(error instanceof Error ? error.message : '操作没有完成');
    } finally {
      setRunning(false);
    }
  };

  return (
    <Modal
      open
      title={action.title}
      okText={action.title}
      cancelText="取消"
      okButtonProps={{ danger: action.danger === true, loading: isRunning }}
      onOk={() => void run()}
      onCancel={onClose}
      maskClosable={false}
    >
      {action.confirm !== undefined && <p className="action-confirm">{action.confirm}</p>}
      {fields.map((field) => {
        const { Control } = FIELD_VIEWS[field.type];
        const id = `input-${action.action}-${field.name}`;
        return (
          <div className="action-input" key={field.name}>
            <label htmlFor={id} className={field.required ? 'required' : undefined}>
              {field.title}
            </label>
            <Control
              id={id}
              field={field}
              value={inputs[field.name]}
              onChange={(value) => setInputs({ ...inputs, [field.name]: value })}
              place={{ resource, path: `${action.action}.${field.name}`, readRecord: () => inputs }}
            />
            {field.hint !== undefined && <small>{field.hint}</small>}
          </div>
        );
      })}
      {action.reasonRequired === true && (
        <div className="action-input">
          <label htmlFor={`reason-${action.action}`} className="required">
            原因
          </label>
          <Input.TextArea
            id={`reason-${action.action}`}
            autoFocus
            rows={3}
            maxLength={500}
            showCount
            value={opinion}
            onChange={(event) => setOpinion(event.target.value)}
          />
        </div>
      )}
      {fault !== null && <Alert type="error" showIcon message={fault} />}
    </Modal>
  );
}

function firstMissing(
  action: Pick<RecordAction, 'reasonRequired'>,
  fields: ReturnType<typeof inputFields>,
  inputs: ErpRecord,
  opinion: string,
): string | null {
  const field = fields.find((item) => item.required && isBlank(inputs[item.name]));
  if (field !== undefined) return `请填写${field.title}`;
  return action.reasonRequired === true && opinion.trim() === '' ? '请填写原因' : null;
}

function isBlank(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
