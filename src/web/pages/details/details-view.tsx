import { Skeleton } from 'antd';
import { Suspense, useState } from 'react';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import { recordTitle } from '#engine/schema/record-title.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { useTab } from '#web/app/tab-context.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { ABOUT_PANEL, useSidePanel } from '#web/data/side-panel.ts';
import { useRecordTitle } from '#web/data/record-title.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import { FaultBoundary } from '#web/faults/fault-boundary.tsx';
import { lazyPart } from '#web/faults/lazy-part.tsx';
import { PageFault } from '#web/pages/page-fault.tsx';
import { ResourceFields } from '../form/resource-fields.tsx';
import { AttachmentPanel } from './attachment-panel.tsx';
import { CommentPanel } from './comment-panel.tsx';
import { DetailSections } from './detail-sections.tsx';
import type { ShownBeside } from '#contract/shape.ts';
import { ChainPanel } from './chain-panel.tsx';
import { LedgerPanel } from './ledger-panel.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { GoneAlert } from './gone-alert.tsx';
import { DetailsHead } from './details-head.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { MailList } from '../print/mail-list.tsx';
import { NewerRecord } from './newer-record.tsx';
import { PanelSwitch } from './panel-switch.tsx';
import { RelatedRecords } from './related-records.tsx';
import { Timeline } from './timeline.tsx';
import { useRecord } from './use-record.ts';

const EditDrawer = lazyPart(async () => (await import('../edit/edit-drawer.tsx')).EditDrawer);

export interface DetailsViewProps {
  readonly resource: string;
  readonly id: string;
  readonly page?: PageDefinition;
  /** Beside a list, whose tab keeps its title. */
  readonly isInDrawer?: boolean;
  /** What follows when the record is deleted; its tab is closed otherwise. */
  readonly onGone?: () => void;
}

/** A record as it stands: its head with actions, the way it went, sections, lines, related records, attachments, comments and history. */
export function DetailsView({ resource: key, id, page, isInDrawer = false, onGone }: DetailsViewProps) {
  const { close } = useTab();
  const definition = usePageResource(key);
  const { record, isLoading, fault, isGone, reload } = useRecord(key, id);
  useRecordTitle(definition.resource, record, !isInDrawer);
  if (definition.isLoading || isLoading)
    return <Skeleton active paragraph={{ rows: 14 }} className="page-skeleton" />;
  const gone = isGone && definition.resource !== null && (
    <GoneAlert
      resource={key}
      title={definition.resource.title}
      wasShown={record !== null}
      onClose={onGone ?? close}
    />
  );
  if (gone !== false && record === null) return gone;
  if (definition.resource === null || record === null)
    return (
      <PageFault
        error={definition.error}
        message={definition.fault ?? fault ?? '记录没有打开'}
        onRetry={reload}
      />
    );
  return (
    <ResourceFields dictionaries={definition.dictionaries}>
      {gone}
      <Loaded
        resource={definition.resource}
        operations={definition.operations}
        shows={definition.shows}
        record={record}
        page={page}
        formPage={formPageOf(definition.resource, page, isInDrawer)}
        onReload={reload}
        onGone={onGone ?? close}
      />
    </ResourceFields>
  );
}

/** The page whose form opens beside the record where it has none of its own; none where one only decides about it. */
function formPageOf(
  resource: Resource,
  page: PageDefinition | undefined,
  isInDrawer: boolean,
): PageDefinition | null {
  if (!isInDrawer && page?.kind !== 'details') return null;
  // Settings are lists too.
  return resource.pages.find(({ kind }) => kind === 'list' || kind === 'settings') ?? page ?? null;
}

interface LoadedProps {
  readonly resource: Resource;
  readonly operations: ReadonlySet<string>;
  readonly shows: ShownBeside;
  readonly record: ErpRecord;
  readonly page: PageDefinition | undefined;
  readonly formPage: PageDefinition | null;
  readonly onReload: () => void;
  readonly onGone: () => void;
}

function Loaded(props: LoadedProps) {
  const { resource, operations, shows, record, page, formPage, onReload, onGone } = props;
  const openRecord = useOpenRecord();
  const [isEditing, setEditing] = useState(false);
  const panels = new Set(resource.details.panels);
  const id = String(record['id']);
  const [isShut, shut] = useSidePanel(ABOUT_PANEL);
  const leaveForm = () => {
    setEditing(false);
    onReload();
  };
  return (
    <article className="details-page">
      <NewerRecord resource={resource.resource} record={record} onReload={onReload} />
      <DetailsHead
        resource={resource}
        operations={operations}
        record={record}
        page={page}
        onReload={onReload}
        {...(formPage === null ? {} : { onEdit: () => setEditing(true) })}
        onGone={onGone}
      />
      {isEditing && formPage !== null && (
        <FaultBoundary what="编辑表单" isSmall>
          <Suspense fallback={null}>
            <EditDrawer
              resource={resource.resource}
              page={formPage}
              kind={recordTitle(resource, record)}
              id={id}
              onClose={leaveForm}
              onSubmitted={leaveForm}
            />
          </Suspense>
        </FaultBoundary>
      )}
      {resource.lifecycle !== undefined && panels.has('timeline') && (
        <Timeline resource={resource} record={record} />
      )}
      {shows.chain && <ChainPanel resource={resource} id={id} version={record['version']} />}
      <div className={isShut ? 'details-body is-side-shut' : 'details-body'}>
        <div className="details-main">
          <DetailSections resource={resource} record={record} onOpen={openRecord.byResource} />
          {shows.entries !== null && (
            <LedgerPanel
              resource={resource}
              id={id}
              version={record['version']}
              isAccount={shows.entries === 'account'}
            />
          )}
          {resource.details.related.map((related) => (
            <RelatedRecords key={`${related.resource}-${related.by}`} related={related} id={id} />
          ))}
        </div>
        <div className="details-side">
          <PanelSwitch what="附件、评论与历史" className="details-shut" isShut={isShut} onShut={shut} />
          {/* Hidden, not gone: what is being written there stays. */}
          <div className="details-side-panels" hidden={isShut}>
            {shows.limits && <LimitsPanel resource={resource.resource} id={id} version={record['version']} />}
            {panels.has('attachments') && <AttachmentPanel resource={resource} record={record} />}
            {isMailed(resource, operations) && <MailList resource={resource.resource} id={id} />}
            {panels.has('comments') && isStaff() && <CommentPanel resource={resource.resource} id={id} />}
            <HistoryPanel resource={resource} record={record} />
          </div>
        </div>
      </div>
    </article>
  );
}

/** Papers of it may have been mailed; customers are not told. */
function isMailed({ print }: Resource, operations: ReadonlySet<string>): boolean {
  return print.length > 0 && operations.has('print') && isStaff();
}

/** Comments and mails are among colleagues. */
function isStaff(): boolean {
  return storedPerson()?.kind !== 'partner';
}
