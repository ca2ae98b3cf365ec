import { Button, Dropdown, Tooltip } from 'antd';
import { recordTitle } from '#engine/schema/record-title.ts';
import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { currencyOf, labelText, labelsOf } from '#web/fields/field-text.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import type { RecordAction } from '../actions/record-action.ts';
import { useRecordActions } from '../actions/record-makes.ts';
import { useActionRunner } from '../actions/use-action-runner.tsx';
import { StateTag } from '../table/state-tag.tsx';
import { ApprovingTag } from './approving-tag.tsx';
import { namesBeside } from './names-beside.ts';
import { hiddenOf } from './hidden-of-record.ts';
import { HeadParties } from './head-parties.tsx';
import { partiesOf } from './parties-of.ts';
import { NeighbourButtons } from './neighbour-buttons.tsx';
import { RecordTools } from './record-tools.tsx';

export interface DetailsHeadProps {
  readonly resource: Resource;
  readonly operations: ReadonlySet<string>;
  readonly record: ErpRecord;
  readonly page: PageDefinition | undefined;
  readonly onReload: () => void;
  /** Opens the form of a record whose kind has no page for it. */
  readonly onEdit?: () => void;
  /** The record was deleted. */
  readonly onGone: () => void;
}

/** Actions shown as buttons before the rest goes under 更多. */
const SHOWN_ACTIONS = 5;

/** Number, title, state, key figures, and the actions possible now; the others say why not. */
export function DetailsHead(props: DetailsHeadProps) {
  const { resource, operations, record, page, onReload, onEdit, onGone } = props;
  const openRecord = useOpenRecord();
  const editable = record['_editable'];
  const formRoute = editRouteOf(resource, page);
  const editRoute = operations.has('update') ? formRoute : null;
  const isOpen = operations.has('update') && Array.isArray(editable) && editable.length > 0;
  const edit = editRoute === null ? onEdit : (): void => openRecord.byRoute(editRoute, record);
  const runner = useActionRunner(
    resource.resource,
    (_, created) => {
      onReload();
      const [first] = created;
      if (first !== undefined) openRecord.byResource(first.resource, first.id);
    },
    { onEdit: isOpen ? edit : undefined },
  );
  const id = String(record['id']);
  const labels = labelsOf(record);
  const making = useRecordActions(resource.resource, runner);
  const answered = answeredBelow(resource);
  const actions = making
    .actionsOf(record)
    .filter(({ action }) => !answered.has(action))
    .sort((a, b) => rankOf(a) - rankOf(b));
  const parties = partiesOf(resource, record);
  const hidden = hiddenOf(record);
  const told = parties.map(({ name }) => labelText(labels[name]));
  const beside = namesBeside(resource, record, told);
  return (
    <header className="details-head">
      <div className="details-title">
        <h1>{labelText(labels[resource.label]) || String(record[resource.label] ?? '（未编号）')}</h1>
        {beside.length > 0 && <span className="details-names">{beside.join(' · ')}</span>}
        <span className="details-kind">{recordTitle(resource, record)}</span>
        <StateTag
          resource={resource}
          value={record['status']}
          label={labelText(labels['status']) || undefined}
        />
        <ApprovingTag record={record} />
        <HeadParties parties={parties} record={record} />
        <NeighbourButtons resource={resource.resource} id={id} />
      </div>
      <dl className="details-figures">
        {(resource.details.figures ?? []).map((name) => {
          const field = resource.fields[name];
          if (field === undefined || hidden.has(name) || isEmptyValue(record[name])) return null;
          const { Cell } = FIELD_VIEWS[field.type];
          return (
            <div key={name}>
              <dt>{field.title}</dt>
              <dd>
                <Cell
                  field={field}
                  value={record[name]}
                  label={labels[name]}
                  currency={currencyOf(field, record)}
                />
              </dd>
            </div>
          );
        })}
      </dl>
      <div className="details-actions">
        {isOpen && edit !== undefined && (
          <Button type="primary" onClick={edit}>
            编辑
          </Button>
        )}
        {actions.slice(0, SHOWN_ACTIONS).map((action) => (
          <ActionButton
            key={action.action}
            action={action}
            isBusy={runner.isRunning}
            onRun={() => making.run(action, record)}
          />
        ))}
        {actions.length > SHOWN_ACTIONS && (
          <Dropdown
            trigger={['click']}
            menu={{
              items: actions.slice(SHOWN_ACTIONS).map((action) => ({
                key: action.action,
                disabled: !action.allowed,
                danger: action.danger === true,
                label: action.allowed ? action.title : `${action.title}（${action.reason ?? '现在不可用'}）`,
              })),
              onClick: ({ key }) => {
                const action = actions.find((item) => item.action === key);
                if (action !== undefined) making.run(action, record);
              },
            }}
          >
            <Button>更多</Button>
          </Dropdown>
        )}
        <RecordTools
          resource={resource}
          record={record}
          page={page}
          onCopy={
            formRoute !== null && isCopied(resource, page)
              ? () => openRecord.copy(formRoute, record)
              : undefined
          }
          onGone={onGone}
        />
      </div>
      {runner.dialog}
    </header>
  );
}

/** Actions that have a box of their own at the end of a conversation. */
function answeredBelow({ details }: Resource): ReadonlySet<string> {
  return new Set(
    details.sections.flatMap((section) => ('lines' in section ? (section.conversation?.answers ?? []) : [])),
  );
}

/** The form of a details page: its own, its list's, else the resource's first. An approval is read, not edited. */
function editRouteOf(resource: Resource, page: PageDefinition | undefined): string | null {
  if (page?.kind === 'approval') return null;
  const list = resource.pages.find(({ route }) => route === page?.list);
  return page?.edit ?? list?.edit ?? resource.pages.find(({ kind }) => kind === 'edit')?.route ?? null;
}

/** Where records of this kind may be written anew; a list that makes none has no copies either. */
function isCopied(resource: Resource, page: PageDefinition | undefined): boolean {
  const list = resource.pages.find(({ route }) => route === page?.list);
  return resource.kind !== 'view' && list?.create !== false;
}

/** What may be done comes first, what undoes or ends the record behind it, then what is not possible now. */
function rankOf({ allowed, danger }: RecordAction): number {
  if (!allowed) return 2;
  return danger === true ? 1 : 0;
}

function ActionButton(props: {
  readonly action: RecordAction;
  readonly isBusy: boolean;
  readonly onRun: () => void;
}) {
  const { action, isBusy, onRun } = props;
  const button = (
    <Button danger={action.danger === true} disabled={!action.allowed || isBusy} onClick={onRun}>
      {action.title}
    </Button>
  );
  if (action.allowed) return button;
  return (
    <Tooltip title={action.reason ?? '现在不可用'}>
      <span>{button}</span>
    </Tooltip>
  );
}
