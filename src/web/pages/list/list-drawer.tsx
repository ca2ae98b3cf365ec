import { Drawer } from 'antd';
import { lazy, Suspense } from 'react';
import type { PageDefinition } from '#engine/schema/definition.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';

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
}

const EditDrawer = lazy(() =>
  import('../edit/edit-drawer.tsx').then((module) => ({ default: module.EditDrawer })),
);
const DetailsView = lazy(() =>
  import('../details/details-view.tsx').then((module) => ({ default: module.DetailsView })),
);

/** A list without routes for editing and details shows both beside itself. */
export function ListDrawer({ target, resource, page, onClose }: ListDrawerProps) {
  if (target === null) return null;
  if (target.kind === 'edit')
    return (
      <Suspense fallback={null}>
        <EditDrawer
          resource={resource.resource}
          page={page}
          id={target.id}
          {...(target.initial === undefined ? {} : { initial: target.initial })}
          onClose={onClose}
        />
      </Suspense>
    );
  return (
    <Drawer
      open
      width={Math.min(960, window.innerWidth)}
      title={resource.title}
      onClose={onClose}
      destroyOnHidden
    >
      <Suspense fallback={null}>
        {target.id !== null && <DetailsView resource={resource.resource} id={target.id} isInDrawer />}
      </Suspense>
    </Drawer>
  );
}
