import type { Resource } from '#engine/schema/resource.ts';

/** A step of the paths that a resource's rules read: `buyer_id` -> `country_id` -> `is_sanctioned`. */
export interface PathNode {
  readonly column: string;
  /** All columns until here: written once, since it names a value of every record. */
  readonly path: string;
  /** The path ends here too: its value is wanted. */
  isWanted: boolean;
  readonly children: Map<string, PathNode>;
}

/** Which referenced values a resource needs: the trees of the head's references and of each child table's. */
export interface ReferencePlan {
  readonly head: ReadonlyMap<string, PathNode>;
  readonly lines: Readonly<Record<string, ReadonlyMap<string, PathNode>>>;
}

/** The plan of a resource, made once for each loaded definition and list of further paths, or of these alone. */
export function referencePlan(
  resource: Resource,
  {
    extraPaths = NO_PATHS,
    onlyPaths,
  }: { readonly extraPaths?: readonly string[]; readonly onlyPaths?: readonly string[] },
): ReferencePlan {
  const byPaths = plans.get(resource) ?? new WeakMap<readonly string[], ReferencePlan>();
  plans.set(resource, byPaths);
  const list = onlyPaths ?? extraPaths;
  const known = byPaths.get(list);
  if (known !== undefined) return known;
  const plan = planPaths(resource, onlyPaths ?? [...resource.paths, ...extraPaths]);
  byPaths.set(list, plan);
  return plan;
}

/** The trees of some paths from the head: `buyer_id.name`, `items.goods_id.hs_code`. */
function planPaths(resource: Resource, paths: readonly string[]): ReferencePlan {
  const head = new Map<string, PathNode>();
  const lines: Record<string, Map<string, PathNode>> = {};
  for (const path of paths) {
    const parts = path.split('.');
    const first = parts[0] ?? '';
    if (resource.fields[first]?.type === 'lines') addPath((lines[first] ??= new Map()), parts.slice(1));
    else addPath(head, parts);
  }
  return { head, lines };
}

const NO_PATHS: readonly string[] = [];
const plans = new WeakMap<Resource, WeakMap<readonly string[], ReferencePlan>>();

function addPath(tree: Map<string, PathNode>, parts: readonly string[], before = ''): void {
  const [column, ...rest] = parts;
  if (column === undefined) return;
  const path = `${before}${column}`;
  const node = tree.get(column) ?? { column, path, isWanted: false, children: new Map<string, PathNode>() };
  tree.set(column, node);
  if (rest.length === 0) node.isWanted = true;
  else addPath(node.children, rest, `${path}.`);
}
