import { ExpressionFault, parseExpression } from '../expression/parse-expression.ts';
import { typeExpression } from '../expression/type-expression.ts';
import type { FormulaNames } from '../expression/formula-function.ts';
import type { TypeScope } from '../expression/type-scope.ts';
import { assignmentFault, UNKNOWN, type ValueType } from '../expression/value-type.ts';
import type { ResourceDefinition } from './definition.ts';
import { type PathPlace, resolveFieldPath } from './field-path.ts';
import type { Catalog, Field, Resource } from './resource.ts';
import { faultAt, faultInText, type JsonPath, type LintFault, type SourceFile } from './source-file.ts';
import { suggestion } from './suggest-name.ts';

/** Names that only code knows; what is absent is not checked. */
export interface LintExtras {
  readonly checks?: readonly string[] | ReadonlySet<string>;
  readonly effects?: readonly string[] | ReadonlySet<string>;
  readonly events?: readonly string[] | ReadonlySet<string>;
  /** Named checks of one value (`credit_code` ...). */
  readonly valueChecks?: readonly string[] | ReadonlySet<string>;
  /** What code declares that it runs and writes (`export_contract!start`, `shipment.atd`); without it dead ends are not looked for. */
  readonly writes?: readonly string[] | ReadonlySet<string>;
  /** Routes beyond those of resources and setup/pages.json, such as the reports'. */
  readonly routes?: readonly string[] | ReadonlySet<string>;
}

/** Names known to the lint, from extras and from the setup files; null means not checked. */
export interface KnownNames {
  readonly dictionaries: ReadonlySet<string> | null;
  readonly roles: ReadonlySet<string> | null;
  readonly checks: ReadonlySet<string> | null;
  readonly effects: ReadonlySet<string> | null;
  readonly events: ReadonlySet<string> | null;
  readonly valueChecks: ReadonlySet<string> | null;
  readonly routes: ReadonlySet<string> | null;
  /** What kind of page a route of the resources and the setup shows. */
  readonly pageKinds: ReadonlyMap<string, string>;
  /** Parameters with their types, and the tables of `lookup`. */
  readonly formulas: FormulaNames;
}

/** A file under the lint that speaks of one resource: reports faults with their place. */
export class LintContext {
  readonly faults: LintFault[] = [];

  constructor(
    readonly file: SourceFile,
    readonly resource: Resource,
    readonly catalog: Catalog,
    readonly known: KnownNames,
  ) {}

  /** The head of this resource, or its lines. */
  place(lines?: string): PathPlace {
    return { resource: this.resource, catalog: this.catalog, lines };
  }

  report(path: JsonPath, message: string, at: 'value' | 'key' = 'value'): void {
    this.faults.push(faultAt(this.file, path, message, at));
  }

  /** Reports an unknown field; gives the field when it is known and closed. */
  field(path: JsonPath, name: string, place: PathPlace, at: 'value' | 'key' = 'value'): Field | null {
    const resolved = resolveFieldPath(place, name);
    if (resolved.kind === 'unknown') this.report(path, unknownField(name, place, resolved.known), at);
    return resolved.kind === 'field' ? resolved.field : null;
  }

  /** Reports a name that is not among the known ones. */
  name(path: JsonPath, kind: string, name: string, known: ReadonlySet<string> | null): void {
    if (known !== null && !known.has(name))
      this.report(path, `未知${kind} "${name}"${suggestion(name, known)}`);
  }

  names(
    path: JsonPath,
    kind: string,
    names: readonly string[] | undefined,
    known: ReadonlySet<string> | null,
  ): void {
    for (const [index, name] of (names ?? []).entries()) this.name([...path, index], kind, name, known);
  }

  /** Checks something at each of several places: it is at fault where it is so at all of them, and the first is told. */
  unlessAny<Place>(places: readonly Place[], check: (place: Place) => void): void {
    const before = this.faults.length;
    let first: readonly LintFault[] = [];
    for (const [index, place] of places.entries()) {
      check(place);
      const found = this.faults.splice(before);
      if (found.length === 0) return;
      if (index === 0) first = found;
    }
    this.faults.push(...first);
  }

  /** What the names of a formula stand for at a place of this file; `more` for what its construct adds. */
  typeScope(place: PathPlace, more: Omit<TypeScope, 'place' | 'dictionaries' | 'names'> = {}): TypeScope {
    return { ...more, place, dictionaries: this.catalog.dictionaries, names: this.known.formulas };
  }

  /**
   * Reports what is wrong with a formula at the place inside its text: syntax, unknown names, kinds that do not go
   * together, and a result that does not fit `target`. Gives its type, unknown when it is at fault.
   */
  formula(path: JsonPath, text: string, scope: TypeScope, target?: ValueType): ValueType {
    const report = (at: number, message: string): ValueType => {
      this.faults.push(faultInText(this.file, path, at, message));
      return UNKNOWN;
    };
    try {
      const { type, faults } = typeExpression(parseExpression(text), scope);
      for (const { at, message } of faults) report(at, message);
      const misfit = faults.length > 0 || target === undefined ? null : assignmentFault(type, target);
      return misfit === null ? type : report(0, `公式的结果不合字段：${misfit}`);
    } catch (error) {
      if (!(error instanceof ExpressionFault)) throw error;
      return report(error.offset, `公式错误：${error.message}`);
    }
  }
}

/** A resource file under the lint. */
export class ResourceLint extends LintContext {
  constructor(
    file: SourceFile,
    readonly definition: ResourceDefinition,
    resource: Resource,
    catalog: Catalog,
    known: KnownNames,
  ) {
    super(file, resource, catalog, known);
  }
}

function unknownField(name: string, place: PathPlace, known: readonly string[]): string {
  const columns = place.lines === undefined ? lineColumns(place.resource, name) : [];
  return `未知字段 "${name}"${suggestion(name, [...known, ...columns])}`;
}

/** A head may have been meant to read a column: `amount` for `items.amount`. */
function lineColumns(resource: Resource, name: string): readonly string[] {
  return Object.values(resource.fields)
    .filter((field) => field.type === 'lines' && field.fields?.[name] !== undefined)
    .map((field) => `${field.name}.${name}`);
}
