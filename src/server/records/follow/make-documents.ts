import { AppError } from '#server/kernel/errors.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { Scope } from '#engine/filter/scope.ts';
import { entryScopes, givenValues } from '#engine/record/apply-own.ts';
import { linesOf, lineScope } from '#engine/record/record-lines.ts';
import {
  type MakeDefinition,
  type MakeLinesDefinition,
  OF_RECORD,
} from '#engine/schema/effects-definition.ts';
import { copiedNames } from '#engine/schema/copied-names.ts';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';

/** A document that a make would give: its values, and which of its lines come from which line of the source. */
export interface DraftDocument {
  readonly resource: string;
  readonly values: OpenRecord;
  /** By lines field: the ids of the source's lines, in the order of the made ones. */
  readonly lineSources: Readonly<Record<string, readonly (string | null)[]>>;
  /** By lines field: what each made line was made of. */
  readonly lineScopes: Readonly<Record<string, readonly Scope[]>>;
  /** The source's line under `each`. */
  readonly line: string | null;
  /** The value of `per` that it is for. */
  readonly per: unknown;
  /** What it was made of: the record, or its line under `each`. */
  readonly scope: Scope;
}

/**
 * The documents that a make gives of a record, without writing anything. `scope` stands on the record, with the values
 * behind its references.
 * @throws AppError with the make's `empty` when there are no lines to make
 */
export function draftDocuments(call: Call, make: MakeDefinition, scope: Scope): readonly DraftDocument[] {
  const drafts = allDrafts(call, make, scope).filter((draft) => !isEmptied(draft));
  if (drafts.length === 0 && make.empty !== undefined && !make.to.includes('.'))
    throw new AppError('RULE_REFUSED', {
      message: make.empty,
      problems: [{ path: '', code: 'nothing_open', message: make.empty }],
    });
  return drafts;
}

/**
 * The same, with documents of which no line is left: what was made before is mapped again to none. `before` are the values
 * of `per` that documents were made for.
 */
export function allDrafts(
  call: Call,
  make: MakeDefinition,
  scope: Scope,
  before: readonly unknown[] = [],
): readonly DraftDocument[] {
  const [key = '', targetLines] = make.to.split('.');
  const { resource } = openSystemCall(call.services, call.caller, key);
  const due = entryScopes(make, scope).filter(
    (here) => make.when === undefined || matchesFilter(make.when, here),
  );
  if (targetLines !== undefined) return due.map((here) => lineDraft(resource, targetLines, make, here));
  return due.flatMap((here) => documentsOf(resource, make, { scope: here, before }));
}

/** Whether a document that should have lines has none. */
function isEmptied({ lineSources }: DraftDocument): boolean {
  const lists = Object.values(lineSources);
  return lists.length > 0 && lists.every((rows) => rows.length === 0);
}

/** `"to": "commission_statement.lines"`: the values of one line. */
function lineDraft(target: Resource, lines: string, make: MakeDefinition, scope: Scope): DraftDocument {
  const cells = target.fields[lines]?.fields ?? {};
  const values = { ...sameValues(cells, make, scope), ...givenValues(cells, make.map ?? {}, scope) };
  return {
    resource: target.resource,
    values,
    lineSources: {},
    lineScopes: {},
    line: lineId(scope),
    per: null,
    scope,
  };
}

function documentsOf(
  target: Resource,
  make: MakeDefinition,
  { scope, before }: { readonly scope: Scope; readonly before: readonly unknown[] },
): readonly DraftDocument[] {
  if (make.per === undefined) return splitBySize(target, make, { scope, key: null });
  const [lines = '', column = ''] = make.per.split('.');
  const keys = new Set(linesOf(scope.record, lines).map((line) => line[column]));
  const made = [...keys]
    .filter((key) => key !== null && key !== undefined)
    .flatMap((key) => splitBySize(target, make, { scope, key: { lines, column, value: key } }));
  const gone = before.filter((value) => !keys.has(value));
  return [...made, ...gone.map((per) => emptyDraft(target, make, { scope, per }))];
}

/** What is left of a document whose value of `per` no line has any more: no lines; its head stays. */
function emptyDraft(
  target: Resource,
  make: MakeDefinition,
  { scope, per }: { readonly scope: Scope; readonly per: unknown },
): DraftDocument {
  const none = Object.fromEntries(Object.keys(make.lines ?? {}).map((lines) => [lines, []]));
  return {
    ...{ resource: target.resource, line: lineId(scope), per, scope },
    ...{ values: none, lineSources: none, lineScopes: none },
  };
}

interface Group {
  readonly scope: Scope;
  readonly key: { readonly lines: string; readonly column: string; readonly value: unknown } | null;
}

function splitBySize(
  target: Resource,
  make: MakeDefinition,
  { scope, key }: Group,
): readonly DraftDocument[] {
  const own: Scope =
    key === null
      ? scope
      : {
          ...scope,
          record: {
            ...scope.record,
            [key.lines]: linesOf(scope.record, key.lines).filter((line) => line[key.column] === key.value),
          },
        };
  const made = Object.entries(make.lines ?? {}).map(([lines, entry]) => ({
    lines,
    rows: madeLines(target, { lines, entry }, own),
  }));
  const head = {
    ...sameValues(target.fields, make, own),
    ...givenValues(target.fields, make.map ?? {}, own),
  };
  const size = make.max ?? Number.POSITIVE_INFINITY;
  const longest = Math.max(1, ...made.map(({ rows }) => rows.length));
  const parts = Number.isFinite(size) ? Math.ceil(longest / size) : 1;
  return Array.from({ length: parts }, (_, part) => {
    const slices = made.map(({ lines, rows }) => ({
      lines,
      rows: Number.isFinite(size) ? rows.slice(part * size, (part + 1) * size) : rows,
    }));
    return {
      resource: target.resource,
      values: {
        ...head,
        ...Object.fromEntries(slices.map(({ lines, rows }) => [lines, rows.map(({ values }) => values)])),
      },
      lineSources: Object.fromEntries(
        slices.map(({ lines, rows }) => [lines, rows.map(({ source }) => source)]),
      ),
      lineScopes: Object.fromEntries(slices.map(({ lines, rows }) => [lines, rows.map(({ from }) => from)])),
      line: lineId(scope),
      per: key?.value ?? null,
      scope,
    };
  });
}

interface MadeLine {
  readonly values: OpenRecord;
  readonly source: string | null;
  readonly from: Scope;
}

function madeLines(
  target: Resource,
  { lines, entry }: { readonly lines: string; readonly entry: MakeLinesDefinition },
  scope: Scope,
): readonly MadeLine[] {
  const of = entry.of ?? lines;
  const cells = target.fields[lines]?.fields ?? {};
  const scopes =
    of === OF_RECORD ? [scope] : linesOf(scope.record, of).map((line) => lineScope(scope, of, line));
  return scopes.flatMap((here) => {
    const line = here.record;
    if (entry.where !== undefined && !matchesFilter(entry.where, here)) return [];
    const values = { ...sameCells(cells, entry, here), ...givenValues(cells, entry.map ?? {}, here) };
    return [{ values, source: typeof line['id'] === 'string' ? line['id'] : null, from: here }];
  });
}

function sameValues(fields: Readonly<Record<string, Field>>, make: MakeDefinition, scope: Scope): OpenRecord {
  const names = copiedNames(make, { fields, own: fieldsOn(scope) });
  const head = scope.parent ?? {};
  return Object.fromEntries(
    names.map((name) => [name, plainCopy(scope.record[name] ?? valueOf(head, name) ?? null)]),
  );
}

/** The same for a made line: its source's own columns first; what only the head has is the head's. */
function sameCells(
  cells: Readonly<Record<string, Field>>,
  entry: MakeLinesDefinition,
  scope: Scope,
): OpenRecord {
  const own = fieldsOn(scope);
  const head = scope.parent ?? {};
  return Object.fromEntries(
    copiedNames(entry, { fields: cells, own }).map((name) => [
      name,
      (Object.hasOwn(own, name) ? scope.record[name] : valueOf(head, name)) ?? null,
    ]),
  );
}

function fieldsOn({ resource, lines }: Scope): Readonly<Record<string, Field>> {
  return (lines === undefined ? resource.fields : resource.fields[lines]?.fields) ?? {};
}

/** A copied line is a new line. */
function plainCopy(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => {
    if (typeof item !== 'object' || item === null) return item;
    const { id: _id, line_order: _order, _paths, _labels, ...rest } = item as OpenRecord;
    return rest;
  });
}

function valueOf(record: ErpRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function lineId({ lines, record }: Scope): string | null {
  return lines !== undefined && typeof record['id'] === 'string' ? record['id'] : null;
}
