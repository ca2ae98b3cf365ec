import { type ReactNode, Suspense } from 'react';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { FaultBoundary } from '#web/faults/fault-boundary.tsx';
import { lazyPart } from '#web/faults/lazy-part.tsx';
import { useListAddress } from './use-list-address.ts';

const BranchTree = lazyPart(async () => (await import('./branch-tree.tsx')).BranchTree);

/** The field that a page's tree narrows by: the one it names, or the own place of a resource that is a tree; null for none. */
export function treeField(resource: Resource, page: PageDefinition): string | null {
  if (page.tree !== undefined) return page.tree;
  return resource.tree === undefined ? null : 'id';
}

export interface ListTreeProps {
  readonly resource: Resource;
  readonly field: string;
  readonly children: ReactNode;
}

/** A list with the tree that its records stand in beside it. */
export function ListTree({ resource, field, children }: ListTreeProps) {
  const [address, setAddress] = useListAddress();
  const target = resource.fields[field]?.to;
  const { resource: tree } = usePageResource(typeof target === 'string' ? target : resource.resource);
  const parent = tree?.tree?.parent;
  if (tree === null || parent === undefined) return children;
  return (
    <div className="list-with-tree">
      <FaultBoundary what={tree.title} isSmall>
        <Suspense fallback={null}>
          <BranchTree
            tree={tree}
            parent={parent}
            chosen={address.branch}
            onChoose={(branch) => setAddress({ branch })}
          />
        </Suspense>
      </FaultBoundary>
      {children}
    </div>
  );
}
