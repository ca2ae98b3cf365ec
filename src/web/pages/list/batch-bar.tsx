import { App, Button, Dropdown } from 'antd';
import { useState } from 'react';
import { messageFormulas } from '#engine/record/message-text.ts';
import type { Action, ErpRecord, Resource } from '#engine/schema/resource.ts';
import type { OfferedDocument } from '#contract/shape.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { useRefreshRecords } from '#web/data/refresh-records.ts';
import { useWrite } from '#web/data/use-write.ts';
import { ActionDialog } from '../actions/action-dialog.tsx';
import type { ActionAnswer } from '../actions/record-action.ts';
import { BatchResults, type BatchResult } from './batch-results.tsx';

export interface BatchBarProps {
  readonly resource: Resource;
  readonly operations: ReadonlySet<string>;
  readonly rows: readonly ErpRecord[];
  readonly makes: readonly OfferedDocument[];
  readonly onClear: () => void;
}

/** What can be done with all chosen rows at once; every row gets its own result. */
export function BatchBar({ resource, operations, rows, makes, onClear }: BatchBarProps) {
  const { message } = App.useApp();
  const refresh = useRefreshRecords();
  const { write } = useWrite();
  const [asked, setAsked] = useState<Action | null>(null);
  const [results, setResults] = useState<readonly BatchResult[] | null>(null);
  const open = useOpenRecord();
  const several = makes.filter(({ takesSeveral }) => takesSeveral);
  const actions = batchActions(resource, operations, rows).filter(
    ({ key }) => !several.some(({ action }) => action === key),
  );
  if (rows.length === 0 && results === null) return null;

  const run = async (action: Action, answer: ActionAnswer) => {
    const body = {
      records: rows.map((row) => ({ id: String(row['id']), version: Number(row['version']) })),
      ...(answer.opinion === '' ? {} : { opinion: answer.opinion }),
      ...(Object.keys(answer.inputs).length === 0 ? {} : { inputs: answer.inputs }),
    };
    const answers = await write('POST /data/:resource/actions/:action', {
      params: { resource: resource.resource, action: action.key },
      body,
    });
    setAsked(null);
    await refresh(resource.resource);
    setResults(answers.map((item) => ({ ...item, label: rowLabel(resource, rows, item.id) })));
    if (answers.every((item) => item.ok)) void message.success(`${action.title}：${answers.length} 条成功`);
  };

  return (
    <div className="batch-bar" role="region" aria-label="批量操作">
      <span>已选 {rows.length} 条</span>
      {several.map(({ make, title, to, fixed }) => (
        <Button
          key={make}
          size="small"
          onClick={() =>
            open.make(to, {
              source: { resource: resource.resource, id: rows.map((row) => String(row['id'])), make },
              record: rows[0] ?? {},
              fixed,
            })
          }
        >
          合并{title}
        </Button>
      ))}
      {actions.slice(0, 3).map((action) => (
        <Button
          key={action.key}
          size="small"
          danger={action.danger === true}
          onClick={() => setAsked(action)}
        >
          批量{action.title}
        </Button>
      ))}
      {actions.length > 3 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: actions.slice(3).map((action) => ({ key: action.key, label: `批量${action.title}` })),
            onClick: ({ key }) => setAsked(actions.find((action) => action.key === key) ?? null),
          }}
        >
          <Button size="small">更多</Button>
        </Dropdown>
      )}
      <Button size="small" type="link" onClick={onClear}>
        取消选择
      </Button>
      {asked !== null && (
        <ActionDialog
          resource={resource.resource}
          action={{
            action: asked.key,
            title: `批量${asked.title}`,
            confirm: batchQuestion(asked, rows.length),
            reasonRequired: asked.reason === true,
            danger: asked.danger === true,
            ...(asked.inputs === undefined ? {} : { inputs: asked.inputs }),
          }}
          onRun={(answer) => run(asked, answer)}
          onClose={() => setAsked(null)}
        />
      )}
      {results !== null && (
        <BatchResults
          results={results}
          onClose={() => {
            setResults(null);
            onClear();
          }}
        />
      )}
    </div>
  );
}

/** A question with figures of a record is none about several. */
function batchQuestion({ title, confirm }: Action, count: number): string {
  const isOfOne = confirm === undefined || messageFormulas(confirm).length > 0;
  return isOfOne ? `对选中的 ${count} 条记录执行「${title}」？` : confirm;
}

/** Whether this person can do anything with several rows of a list at once: else there is nothing to choose them for. */
export function hasBatch({
  resource,
  operations,
  makes,
}: Pick<BatchBarProps, 'resource' | 'operations' | 'makes'>): boolean {
  const states = Object.keys(resource.lifecycle?.states ?? {});
  const rows = states.map((status) => ({ status }));
  return (
    makes.some(({ takesSeveral }) => takesSeveral) || batchActions(resource, operations, rows).length > 0
  );
}

/** Actions that may start from the state of at least one chosen row and ask for nothing, or for what is the same for all. */
function batchActions(
  resource: Resource,
  operations: ReadonlySet<string>,
  rows: readonly ErpRecord[],
): readonly Action[] {
  const states = new Set(rows.map((row) => row['status']));
  return Object.values(resource.lifecycle?.actions ?? {}).filter(
    (action) =>
      action.system !== true &&
      action.batch !== false &&
      (action.batch === true || Object.keys(action.inputs ?? {}).length === 0) &&
      (operations.has(action.key) || operations.has('*')) &&
      action.from.some((state) => states.has(state)),
  );
}

function rowLabel(resource: Resource, rows: readonly ErpRecord[], id: string): string {
  const row = rows.find((item) => item['id'] === id);
  return String(row?.[resource.label] ?? id);
}
