import type { Scope } from '#engine/filter/scope.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import { runningNumber } from '#engine/record/running-number.ts';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import type { LinesChange } from '#web/fields/grid/line-options.ts';
import { LineStore } from '#web/fields/grid/line-store.ts';
import { deriveLine } from './form-formulas.ts';
import type { FormSettling } from './form-settling.ts';
import { newLine } from './form-start.ts';
import { lineFieldsOf } from './form-values.ts';

export interface LinesParts {
  readonly resource: Resource;
  readonly scope: () => Scope;
  readonly isOpen: (path: string) => boolean;
  readonly plan: () => FormSettling['plan'];
  readonly onChange: (lines: Field, change: LinesChange) => void;
}

/** The lines of a form: a store for each table of its record. */
export function formLines(record: ErpRecord, parts: LinesParts): ReadonlyMap<string, LineStore> {
  return new Map(lineFieldsOf(parts.resource).map((field) => [field.name, makeLines(field, record, parts)]));
}

function makeLines(field: Field, record: ErpRecord, parts: LinesParts): LineStore {
  const { scope, isOpen, plan, onChange } = parts;
  const numbered = runningNumber(field);
  return new LineStore({
    numbered: () => (numbered !== null && isOpen(`${field.name}.${numbered}`) ? numbered : null),
    columns: Object.values(field.fields ?? {}),
    lines: linesOf(record, field.name),
    derive: (line, changed) => deriveLine(plan(), scope(), { lines: field.name, line, changed }),
    onChange: (change) => onChange(field, change),
    newLine: (above) => newLine(field, scope(), above),
  });
}
