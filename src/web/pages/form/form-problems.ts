import { parseField } from '#engine/fields/field-types.ts';
import type { Field, FieldProblem } from '#engine/schema/resource.ts';
import type { CellProblem } from '#web/fields/grid/cell-problems.ts';
import type { LineStore } from '#web/fields/grid/line-store.ts';

/** What is wrong with a form: problems of fields here, those of cells with their lines. */
export class FormProblems {
  readonly #ofFields = new Map<string, FieldProblem>();
  readonly #lines: ReadonlyMap<string, LineStore>;
  #revision = 0;

  constructor(lines: ReadonlyMap<string, LineStore>) {
    this.#lines = lines;
  }

  /** Counts up when a problem comes or goes. */
  get revision(): number {
    return this.#revision;
  }

  of(name: string): FieldProblem | undefined {
    return this.#ofFields.get(name);
  }

  set(name: string, problem: FieldProblem | null): void {
    if (problem === null) this.#ofFields.delete(name);
    else this.#ofFields.set(name, problem);
    this.#revision += 1;
  }

  /** Checks the value of a field that was left. @returns whether something is to be shown otherwise now */
  checkValue(field: Field, value: unknown): boolean {
    const parsed = parseField(value, field);
    const known = this.of(field.name);
    if (!('problem' in parsed) && (known === undefined || known.code === 'required')) return false;
    if ('problem' in parsed) this.set(field.name, { path: field.name, ...parsed.problem });
    else this.#revision += 1;
    return true;
  }

  /** Takes the problem of a field that was written; false when it had none. */
  forget(name: string): boolean {
    const had = this.#ofFields.delete(name);
    if (had) this.#revision += 1;
    return had;
  }

  /** A written cell has lost its own problem. */
  noteCells(): void {
    this.#revision += 1;
  }

  clear(): void {
    this.#ofFields.clear();
    this.#revision += 1;
  }

  /** Places problems at their fields and cells; paths of lines go by the index in the record. @returns fields that changed */
  replace(problems: readonly FieldProblem[]): readonly string[] {
    const before = [...this.#ofFields.keys()];
    this.#ofFields.clear();
    const cells = new Map<string, CellProblem[]>();
    for (const problem of problems) {
      const [name = '', index, column] = problem.path.split('.');
      const store = this.#lines.get(name);
      const key = store?.keyAt(Number(index));
      if (store !== undefined && index !== undefined && key !== undefined) {
        const first = column ?? store.columns[0]?.name ?? '';
        const fault = { message: problem.message, isWarning: problem.level === 'warning' };
        cells.set(name, [...(cells.get(name) ?? []), { key, column: first, ...fault }]);
      } else this.#ofFields.set(problem.path, joined(this.#ofFields.get(problem.path), problem));
    }
    this.#revision += 1;
    for (const [name, store] of this.#lines) store.setProblems(cells.get(name) ?? []);
    return [...new Set([...before, ...this.#ofFields.keys()])];
  }

  /** Problems that stand now: of fields, then of cells by their index. */
  all(): readonly FieldProblem[] {
    return [...this.#ofFields.values(), ...this.#cells('cell', (store) => store.problems())];
  }

  /** Cells whose pasted text nobody could read. */
  unread(): readonly FieldProblem[] {
    return this.#cells('unread', (store) => store.unread());
  }

  #cells(
    code: string,
    read: (store: LineStore) => ReturnType<LineStore['problems']>,
  ): readonly FieldProblem[] {
    return [...this.#lines].flatMap(([name, store]) =>
      read(store).map(({ index, column, message, isWarning }) => ({
        path: `${name}.${index}.${column}`,
        code,
        message,
        ...(isWarning === true ? { level: 'warning' as const } : {}),
      })),
    );
  }
}

/** Several problems of one field are told together: rows of a file, say. */
function joined(before: FieldProblem | undefined, problem: FieldProblem): FieldProblem {
  if (before === undefined || before.message.split('；').includes(problem.message)) return before ?? problem;
  const worse = before.level === 'warning' ? problem : before;
  return { ...worse, message: `${before.message}；${problem.message}` };
}
