import { Button } from 'antd';
import { useRef, useState } from 'react';
import type { ConversationDefinition } from '#engine/schema/layout-definition.ts';
import type { ErpRecord, Field, FieldProblem, Resource } from '#engine/schema/resource.ts';
import { companyTime } from '#engine/values/dates.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import { useUnsaved } from '#web/app/use-unsaved.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';
import { ActionInputs } from '../actions/action-inputs.tsx';
import {
  inputFields,
  isAnswered,
  type RecordAction,
  recordActions,
  unsentInputs,
} from '../actions/record-action.ts';
import { useActionRunner } from '../actions/use-action-runner.tsx';
import { refusalOf } from '../form/shown-error.ts';
import './conversation.css';

export interface ConversationProps {
  readonly resource: Resource;
  readonly record: ErpRecord;
  /** The field of the record that holds what was written. */
  readonly lines: string;
  readonly conversation: ConversationDefinition;
}

interface Words {
  readonly key: string;
  readonly isPartner: boolean;
  readonly by: string | null;
  readonly at: string;
  readonly text: unknown;
  readonly files: unknown;
}

/** What two sides wrote to one another, the reader's own at the right, and the box in which one answers. */
export function Conversation({ resource, record, lines, conversation }: ConversationProps) {
  const isPartner = storedPerson()?.kind === 'partner';
  const fields = resource.fields[lines]?.fields ?? {};
  const shown = wordsOf(record, lines, conversation);
  return (
    <div className="conversation">
      <ol>
        {shown.map((words) => {
          const isOwn = words.isPartner === isPartner;
          return (
            <li key={words.key} className={isOwn ? 'is-own' : undefined}>
              <small>
                {words.by ?? (isOwn ? '我' : words.isPartner ? '客户' : '客服')} {words.at}
              </small>
              <div className="conversation-words">
                <Shown field={fields[conversation.text]} value={words.text} />
                {Array.isArray(words.files) && words.files.length > 0 && (
                  <Shown field={fields[conversation.files ?? '']} value={words.files} />
                )}
              </div>
            </li>
          );
        })}
      </ol>
      <Answer resource={resource} record={record} answers={conversation.answers} />
    </div>
  );
}

function Shown({ field, value }: { readonly field: Field | undefined; readonly value: unknown }) {
  if (field === undefined) return null;
  const { Detail } = FIELD_VIEWS[field.type];
  return (
    <Detail field={field} value={value} label={undefined} currency={undefined} onOpen={() => undefined} />
  );
}

interface AnswerProps {
  readonly resource: Resource;
  readonly record: ErpRecord;
  readonly answers: readonly string[];
}

/** The box for the first of the actions that is possible; without one, why one cannot write now. */
function Answer({ resource, record, answers }: AnswerProps) {
  const actions = recordActions(record).filter(({ action }) => answers.includes(action));
  const action = actions.find(({ allowed }) => allowed);
  // What the other side adds meanwhile leaves what is being written.
  if (action !== undefined) return <AnswerBox key={action.action} {...{ resource, record, action }} />;
  const reason = actions.find((one) => one.reason !== null)?.reason;
  return reason === undefined || reason === null ? null : <p className="conversation-closed">{reason}</p>;
}

interface AnswerBoxProps {
  readonly resource: Resource;
  readonly record: ErpRecord;
  readonly action: RecordAction;
}

function AnswerBox({ resource, record, action }: AnswerBoxProps) {
  const runner = useActionRunner(resource.resource);
  const [inputs, setInputs] = useState<ErpRecord>({});
  const latest = useRef(inputs);
  latest.current = inputs;
  const [sent, setSent] = useState(0);
  const [fault, setFault] = useState<Fault>(NO_FAULT);
  const fields = inputFields(action);
  useUnsaved(isAnswered(fields, { opinion: '', inputs }));
  const send = async () => {
    const missing = fields.find(({ name, required }) => required && isBlank(inputs[name]));
    if (missing !== undefined)
      return setFault({ text: '', at: { [missing.name]: `请填写${missing.title}` } });
    setFault(NO_FAULT);
    try {
      await runner.call(action, record, { opinion: '', inputs });
      const rest = unsentInputs(latest.current, inputs);
      setInputs(rest);
      if (Object.keys(rest).length === 0) setSent(sent + 1);
    } catch (error) {
      const { message, problems } = refusalOf(error);
      setFault({ text: message, at: faultsAt(problems) });
    }
  };
  return (
    <form
      className="conversation-answer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {fault.text !== '' && <p role="alert">{fault.text}</p>}
      <ActionInputs
        key={sent}
        resource={resource.resource}
        action={action.action}
        fields={fields}
        values={inputs}
        faults={fault.at}
        onChange={setInputs}
      />
      <Button type="primary" htmlType="submit" loading={runner.isRunning}>
        {action.title}
      </Button>
    </form>
  );
}

interface Fault {
  readonly text: string;
  /** By the name of the input. */
  readonly at: Readonly<Record<string, string>>;
}

const NO_FAULT: Fault = { text: '', at: {} };

function faultsAt(problems: readonly FieldProblem[]): Readonly<Record<string, string>> {
  return Object.fromEntries(problems.map(({ path, message }) => [path.replace(/^inputs\./, ''), message]));
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** What the record itself began with, then the lines as they were added. */
function wordsOf(
  record: ErpRecord,
  lines: string,
  { text, at, partner, by, files, opening }: ConversationDefinition,
): readonly Words[] {
  const rows = Array.isArray(record[lines]) ? record[lines].filter(isRecord) : [];
  const first: readonly Words[] =
    opening === undefined
      ? []
      : [
          {
            key: 'opening',
            isPartner: true,
            by: null,
            at: timeOf(record['created_at']),
            text: record[opening],
            files: null,
          },
        ];
  return [
    ...first,
    ...rows.map((row, place) => ({
      key: String(row['id'] ?? place),
      isPartner: row[partner] === true,
      by: by !== undefined && typeof row[by] === 'string' ? row[by] : null,
      at: timeOf(row[at]),
      text: row[text],
      files: files === undefined ? null : row[files],
    })),
  ];
}

function isRecord(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null;
}

function timeOf(value: unknown): string {
  return typeof value === 'string' ? companyTime(value) : '';
}
