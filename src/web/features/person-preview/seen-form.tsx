import { Alert, Drawer, Skeleton } from 'antd';
import { useMemo } from 'react';
import type { PreviewList } from '#contract/person-preview.ts';
import { useRead } from '#web/data/use-read.ts';
import { DetailSections } from '#web/pages/details/detail-sections.tsx';
import { faultText } from '#web/data/show-fault.ts';

export interface SeenFormProps {
  readonly person: string;
  readonly role: string;
  readonly definition: PreviewList['definition'];
  readonly record: string;
  readonly onClose: () => void;
}

/** A record in the sections of its form, with the fields that the employee sees; nothing can be written. */
export function SeenForm({ person, role, definition, record, onClose }: SeenFormProps) {
  const { data, error } = useRead(
    'GET /person-preview/:id/:resource/:record',
    { params: { id: person, resource: definition.resource, record }, query: { role } },
    { key: ['person-preview-record', person, role, definition.resource, record] },
  );
  const resource = useMemo(() => withoutConversations(definition), [definition]);
  return (
    <Drawer open width="min(960px, 100vw)" title={`${definition.title}（只读预览）`} onClose={onClose}>
      {error !== null && <Alert type="error" showIcon message={faultText(error, '表单没有读到')} />}
      {data === undefined && error === null && <Skeleton active />}
      {data !== undefined && <DetailSections resource={resource} record={data} onOpen={() => undefined} />}
    </Drawer>
  );
}

/** A conversation is written in by whoever looks: there is none in a preview. */
function withoutConversations(definition: PreviewList['definition']): PreviewList['definition'] {
  const { details, edit } = definition;
  const isShown = (section: (typeof edit)[number]) =>
    !('lines' in section && section.conversation !== undefined);
  return {
    ...definition,
    edit: edit.filter(isShown),
    details: { ...details, sections: details.sections.filter(isShown) },
  };
}
