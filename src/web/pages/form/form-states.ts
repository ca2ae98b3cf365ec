import type { FieldState, FieldStates } from '#engine/record/field-states.ts';
import type { Scope } from '#engine/filter/scope.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import type { LineStore } from '#web/fields/grid/line-store.ts';
import { cellStates, currentStates, openPaths } from './form-rules.ts';
import { lineFieldsOf } from './form-values.ts';

/** Which fields and cells of a form are hidden, required and open: by its rules, and by what the person may write. */
export class FormStates {
  readonly #resource: Resource;
  #open: ReadonlySet<string> | null;
  #states: FieldStates = {};

  constructor(resource: Resource, record: ErpRecord | null) {
    this.#resource = resource;
    this.#open = openPaths(resource, record);
  }

  /** What the rules say; the same object for as long as nothing of it changes: sections of the form look at it. */
  all(): FieldStates {
    return this.#states;
  }

  /** The record was saved: it says itself what may be written. */
  takeRights(record: ErpRecord): void {
    this.#open = openPaths(this.#resource, record);
  }

  /** True when the person may write a path now, rules aside. Columns of a new record follow their table. */
  isOpen(path: string, isNew: boolean): boolean {
    if (this.#open === null || this.#open.has(path)) return true;
    const [lines = '', column] = path.split('.');
    return column !== undefined && isNew && this.#open.has(lines);
  }

  /** Runs the rules anew. @returns the fields of the head that look otherwise now */
  refresh(scope: Scope, lines: ReadonlyMap<string, LineStore>, isNew: boolean): readonly string[] {
    const before = this.#states;
    const states = currentStates(scope);
    const paths = new Set([...Object.keys(before), ...Object.keys(states)]);
    const changed = [...paths].filter((path) => !isSameState(before[path], states[path]));
    if (changed.length > 0) this.#states = states;
    for (const field of lineFieldsOf(this.#resource)) {
      const store = lines.get(field.name);
      if (store === undefined) continue;
      const { columns, cells } = cellStates(field, this.#states, {
        order: store.order(),
        isNewLine: (key) => store.line(key)['id'] === undefined,
        isOpen: (column) => this.isOpen(`${field.name}.${column}`, isNew),
      });
      store.setStates(columns, cells);
    }
    return changed.filter((path) => this.#resource.fields[path] !== undefined);
  }
}

function isSameState(a: FieldState | undefined, b: FieldState | undefined): boolean {
  return (
    a?.hidden === b?.hidden &&
    a?.required === b?.required &&
    a?.readOnly === b?.readOnly &&
    a?.fixedRows === b?.fixedRows
  );
}
