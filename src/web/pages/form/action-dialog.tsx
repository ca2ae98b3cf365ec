import { Alert, Input, Modal } from 'antd';
import { useState } from 'react';
import { expandField } from '#engine/schema/expand-resource.ts';
import { isFieldEmpty, parseField } from '#engine/fields/field-types.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';
import type { RecordAction } from './action-state.ts';
import { refusalOf } from './shown-error.ts';

interface ActionDialogProps {
  readonly action: RecordAction;
  readonly resource: string;
  readonly readRecord: () => ErpRecord;
  /** Runs it; a rejection is shown here and the dialog stays. */
  readonly onRun: (opinion: string | null, inputs: ErpRecord) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks what an action wants to know: a confirmation, a reason, its inputs. */
export function ActionDialog({ action, resource, readRecord, onRun, onClose }: ActionDialogProps) {
  const [fields] = useState(() =>
    Object.entries(action.inputs ?? {}).map(([name, definition]) => expandField(name, definition)),
  );
  const [inputs, setInputs] = useState<ErpRecord>({});
  const [opinion, setOpinion] = useState('');
  const [isRunning, setRunning] = useState(false);
  const [isTried, setTried] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const problemOf = (name: string): string | null => {
    const field = fields.find((one) => one.name === name);
    if (field === undefined) return null;
    if (isFieldEmpty(inputs[name], field)) return field.required ? `请填写${field.title}` : null;
    const parsed = parseField(inputs[name], field);
    return 'problem' in parsed ? parsed.problem.message : null;
  };
  const needsOpinion = action.reasonRequired === true && opinion.trim() === '';
  const run = async (): Promise<void> => {
    setTried(true);
    if (needsOpinion || fields.some((field) => problemOf(field.name) !== null)) return;
    setRunning(true);
    setProblem(null);
    try {
      await onRun(opinion.trim() === '' ? null : opinion.trim(), inputs);
    } catch (error) {
      setProblem(refusalOf(error).message);
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
      confirmLoading={isRunning}
      okButtonProps={{ danger: action.danger === true }}
      onOk={() => void run()}
      onCancel={onClose}
      destroyOnHidden
    >
      {problem !== null && <Alert type="error" showIcon message={problem} style={{ marginBottom: 12 }} />}
      {action.confirm !== undefined && <p>{action.confirm}</p>}
      {fields.map((field) => {
        const { Control } = FIELD_VIEWS[field.type];
        const wrong = isTried ? problemOf(field.name) : null;
        return (
          <div key={field.name} className="form-field is-stacked">
            <label className="form-label" htmlFor={`input-${field.name}`}>
              {field.required && <span className="form-required">*</span>}
              {field.title}
            </label>
            <div className="form-control">
              <Control
                id={`input-${field.name}`}
                field={field}
                value={inputs[field.name]}
                isInvalid={wrong !== null}
                place={{ resource, path: `${action.action}.${field.name}`, readRecord }}
                onChange={(value) => setInputs((all) => ({ ...all, [field.name]: value }))}
              />
              {wrong !== null && <div className="form-problem">{wrong}</div>}
            </div>
          </div>
        );
      })}
      {action.reasonRequired === true && (
        <div className="form-field is-stacked">
          <label className="form-label" htmlFor="action-opinion">
            <span className="form-required">*</span>原因
          </label>
          <div className="form-control">
            <Input.TextArea
              id="action-opinion"
              autoFocus
              rows={3}
              maxLength={500}
              value={opinion}
              onChange={(event) => setOpinion(event.target.value)}
              {...(isTried && needsOpinion ? { status: 'error' as const } : {})}
            />
            {isTried && needsOpinion && <div className="form-problem">请填写原因</div>}
          </div>
        </div>
      )}
    </Modal>
  );
}
