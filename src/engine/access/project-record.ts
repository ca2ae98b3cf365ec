import { matchesFilter } from '../filter/matches-filter.ts';
import type { Catalog, ErpRecord, EvaluationContext, Field, Resource } from '../schema/resource.ts';
import { canSee, type ResourceAccess } from './resource-access.ts';

/** What is needed to decide which lines a person sees. */
export interface ProjectionSurroundings {
  readonly catalog: Catalog;
  readonly context: EvaluationContext;
}

/**
 * The record as the person may see it: without hidden fields, what is computed from them, secrets, and lines that
 * belong to others. `_labels` and `_paths` are cut alike. Without surroundings, limited lines are left out altogether.
 */
export function projectRecord(
  resource: Resource,
  record: ErpRecord,
  access: ResourceAccess,
  surroundings?: ProjectionSurroundings,
): Record<string, unknown> {
  const shape = shapeOf(resource);
  if (access.hidden.size === 0 && !shape.hasSecrets)
    return projectWhole(record, shape, { resource, access, surroundings });
  const projected: Record<string, unknown> = {};
  for (const name of Object.keys(record)) {
    const value = record[name];
    const field = resource.fields[name];
    if (field === undefined) {
      if (name.startsWith('_')) projected[name] = projectExtra(name, value, resource, access);
      continue;
    }
    if (field.type === 'secret' || !canSee(access, name)) continue;
    projected[name] =
      field.type === 'lines' && Array.isArray(value)
        ? projectLines({ resource, record, access, surroundings, field }, value)
        : value;
  }
  return projected;
}

/** Copied as a whole where no field is hidden: to put each into a new record costs more than all else that is done with it. */
function projectWhole(
  record: ErpRecord,
  shape: Shape,
  projection: Pick<LinesProjection, 'resource' | 'access' | 'surroundings'>,
): Record<string, unknown> {
  const projected: Record<string, unknown> = { ...record };
  for (const name in projected) {
    if (shape.plain.has(name)) continue;
    const value = projected[name];
    const lines = shape.lines.get(name);
    if (lines !== undefined)
      projected[name] = Array.isArray(value) ? copyLines({ ...projection, record, ...lines }, value) : value;
    else if (name.startsWith('_'))
      projected[name] = projectExtra(name, value, projection.resource, projection.access);
    else delete projected[name];
  }
  return projected;
}

function copyLines(
  projection: LinesProjection & { readonly columns: ReadonlySet<string> },
  lines: readonly unknown[],
): readonly ErpRecord[] {
  const { columns } = projection;
  return lines
    .filter(isRecord)
    .filter((line) => isLineOpen(projection, line))
    .map((line) => {
      const projected: Record<string, unknown> = { ...line };
      for (const name in projected) if (!columns.has(name) && !name.startsWith('_')) delete projected[name];
      return projected;
    });
}

/** The names of a resource, found once. */
interface Shape {
  readonly hasSecrets: boolean;
  /** All fields but lines. */
  readonly plain: ReadonlySet<string>;
  readonly lines: ReadonlyMap<string, { readonly field: Field; readonly columns: ReadonlySet<string> }>;
}

const shapes = new WeakMap<Resource, Shape>();

function shapeOf(resource: Resource): Shape {
  const known = shapes.get(resource);
  if (known !== undefined) return known;
  const fields = Object.values(resource.fields);
  const lines = fields.filter(({ type }) => type === 'lines');
  const cells = lines.flatMap((field) => Object.values(field.fields ?? {}));
  const shape = {
    hasSecrets: [...fields, ...cells].some(({ type }) => type === 'secret'),
    plain: new Set(fields.filter(({ type }) => type !== 'lines').map(({ name }) => name)),
    lines: new Map(
      lines.map((field) => [
        field.name,
        { field, columns: new Set([...LINE_IDENTITY, ...Object.keys(field.fields ?? {})]) },
      ]),
    ),
  };
  shapes.set(resource, shape);
  return shape;
}

const LINE_IDENTITY: ReadonlySet<string> = new Set(['id', 'line_order']);

interface LinesProjection {
  readonly resource: Resource;
  readonly record: ErpRecord;
  readonly access: ResourceAccess;
  readonly surroundings: ProjectionSurroundings | undefined;
  readonly field: Field;
}

function projectLines(projection: LinesProjection, lines: readonly unknown[]): readonly ErpRecord[] {
  const { access, field } = projection;
  const isOpen = remembered((name) => isColumnOpen(field, access, name));
  const isLabelOpen = remembered((name) => canSee(access, `${field.name}.${name}`));
  return lines
    .filter(isRecord)
    .filter((line) => isLineOpen(projection, line))
    .map((line) => {
      const projected: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(line))
        if (isOpen(name))
          projected[name] = name === '_labels' && isRecord(value) ? keep(value, isLabelOpen) : value;
      return projected;
    });
}

/** What is decided for one line holds for all of them. */
function remembered(decide: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const decided = decide(name);
    known.set(name, decided);
    return decided;
  };
}

function isLineOpen(
  { resource, record, access, surroundings, field }: LinesProjection,
  line: ErpRecord,
): boolean {
  const filter = access.lines[field.name];
  if (filter === undefined) return true;
  if (surroundings === undefined) return false;
  return matchesFilter(filter, {
    resource,
    record: line,
    parent: record,
    lines: field.name,
    ...surroundings,
  });
}

function isColumnOpen(lines: Field, access: ResourceAccess, name: string): boolean {
  if (LINE_IDENTITY.has(name) || name.startsWith('_')) return true;
  const cell = lines.fields?.[name];
  return cell !== undefined && cell.type !== 'secret' && canSee(access, `${lines.name}.${name}`);
}

function projectExtra(name: string, value: unknown, resource: Resource, access: ResourceAccess): unknown {
  if (!isRecord(value)) return value;
  if (access.hidden.size === 0 && access.hiddenPaths.size === 0) return value;
  if (name === '_labels') return keep(value, (path) => canSee(access, path) && canSee(access, headOf(path)));
  if (name === '_paths')
    return keep(value, (path) => !access.hiddenPaths.has(path) && canSee(access, columnOf(path, resource)));
  return value;
}

function columnOf(path: string, resource: Resource): string {
  const parts = path.split('.');
  return resource.fields[parts[0] ?? '']?.type === 'lines' ? parts.slice(0, 2).join('.') : (parts[0] ?? '');
}

function headOf(path: string): string {
  return path.split('.')[0] ?? '';
}

function keep(value: ErpRecord, isKept: (name: string) => boolean): ErpRecord {
  return Object.fromEntries(Object.entries(value).filter(([name]) => isKept(name)));
}

function isRecord(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
