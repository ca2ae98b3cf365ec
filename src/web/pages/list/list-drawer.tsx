import { Drawer } from 'antd';
import { Suspense } from 'react';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import { recordTitle } from '#engine/schema/record-title.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { FaultBoundary } from '#web/faults/fault-boundary.tsx';
import { lazyPart } from '#web/faults/lazy-part.tsx';

/** What the drawer of a list shows: a new record (id null), an edit or the details. */
export interface DrawerTarget {
  readonly kind: 'edit' | 'details';
  readonly id: string | null;
  /** What a new record starts with. */
  readonly initial?: ErpRecord;
}

export interface ListDrawerProps {
  readonly target: DrawerTarget | null;
  readonly resource: Resource;
  readonly page: PageDefinition;
  readonly onClose: () => void;
  /** A record that was handed in is looked at. */
  readonly onSubmitted: (id: string) => void;
}

const EditDrawer = lazyPart(async () => (await import('../edit/edit-drawer.tsx')).EditDrawer);
const DetailsView = lazyPart(async () => (await import('../details/details-view.tsx')).DetailsView);

/** A list without routes for editing and details shows both beside itself. */
export function ListDrawer({ target, resource, page, onClose, onSubmitted }: ListDrawerProps) {
  if (target === null) return null;
  if (target.kind === 'edit')
    return (
      <FaultBoundary what="编辑表单" isSmall>
        <Suspense fallback={null}>
          <EditDrawer
            resource={resource.resource}
            page={page}
            kind={recordTitle(resource, target.initial ?? {})}
            id={target.id}
            {...(target.initial === undefined ? {} : { initial: target.initial })}
            onClose={onClose}
            onSubmitted={onSubmitted}
          />
        </Suspense>
      </FaultBoundary>
    );
  return (
    <Drawer
      open
      width={Math.min(960, window.innerWidth)}
      title={resource.title}
      onClose={onClose}
      destroyOnHidden
    >
      <FaultBoundary what="详情">
        <Suspense fallback={null}>
          {target.id !== null && (
            <DetailsView resource={resource.resource} id={target.id} isInDrawer onGone={onClose} />
          )}
        </Suspense>
      </FaultBoundary>
    </Drawer>
  );
}
