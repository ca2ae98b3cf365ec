import type { Expression } from '../expression/expression.ts';
import { ExpressionFault, parseExpression } from '../expression/parse-expression.ts';
import { typeExpression } from '../expression/type-expression.ts';
import type { TypeScope } from '../expression/type-scope.ts';
import { DATE, BOOLEAN, NUMBER, TEXT, UNKNOWN, type ValueType } from '../expression/value-type.ts';
import { type PathPlace, resolveFieldPath, targetPlace } from '../schema/field-path.ts';
import type { FieldType } from '../schema/definition.ts';
import type { Catalog, Field } from '../schema/resource.ts';
import type {
  ReportClasses,
  ReportDefinition,
  ReportLet,
  ReportParam,
  ReportSource,
} from './report-definition.ts';

/** Where the names of a source are known: its fields, and what `with` and `let` add to them as if they were fields. */
export function sourcePlace(
  source: ReportSource,
  catalog: Catalog,
  params: ReportDefinition['params'],
): PathPlace | null {
  let place = targetPlace(source.from, catalog);
  if (place === null) return null;
  for (const [name, sum] of Object.entries(source.with ?? {})) {
    const over = sum.min ?? sum.max;
    const theirs = targetPlace(sum.of, catalog);
    const type: FieldType =
      over === undefined || theirs === null ? 'decimal' : typeAt(over, theirs, params, catalog);
    place = withField(place, {
      ...plainField(name, type),
      ...(sum.count === true ? { type: 'integer' } : {}),
    });
  }
  for (const [name, given] of Object.entries(source.let ?? {}))
    place = withField(place, letField(name, given, { place, catalog, params }));
  return place;
}

/** What `param.x` is in formulas and filters. */
export function paramTypes(params: ReportDefinition['params']): Readonly<Record<string, ValueType>> {
  return Object.fromEntries(
    Object.entries(params ?? {}).map(([name, param]) => [`param.${name}`, paramType(param)]),
  );
}

/** `{by}` in the place of a name: every name that the parameter may give. */
export function namesGiven(text: string, params: ReportDefinition['params']): readonly string[] {
  const param = paramNamed(text);
  if (param === null) return [text];
  return Object.keys(params?.[param]?.options ?? {});
}

/** The parameter of `{by}`; null for a name that stands for itself. */
export function paramNamed(text: string): string | null {
  return /^\{([a-z][a-z0-9_]*)\}$/.exec(text)?.[1] ?? null;
}

/** The field that a name or formula shows: its labels, currency and kind. A formula's is made up. */
export function fieldOf(
  text: string,
  place: PathPlace,
  { catalog, params }: { readonly catalog: Catalog; readonly params: ReportDefinition['params'] },
): Field {
  const parsed = tryParse(text);
  if (parsed?.kind === 'path') {
    const found = resolveFieldPath(place, parsed.path);
    if (found.kind === 'field') return found.field;
  }
  return parsed === null
    ? plainField(text, 'text')
    : typedField(text, typed(parsed, { place, catalog, params }));
}

/** The field of a plain value. */
export function plainField(name: string, type: FieldType, title = name): Field {
  return { name, title, type, required: false, standard: false, computed: true };
}

interface Surroundings {
  readonly place: PathPlace;
  readonly catalog: Catalog;
  readonly params: ReportDefinition['params'];
}

function letField(name: string, given: ReportLet, at: Surroundings): Field {
  if (typeof given !== 'string') return classField(name, given);
  const parsed = tryParse(given);
  if (parsed?.kind === 'path') {
    const found = resolveFieldPath(at.place, parsed.path);
    const own = at.place.lines === undefined ? at.place.resource.resource : null;
    if (parsed.path === 'id' && own !== null) return { ...plainField(name, 'reference'), to: own };
    // A formula reads a percent as a fraction.
    if (found.kind === 'field')
      return found.field.type === 'percent' ? plainField(name, 'decimal') : renamed(found.field, name);
  }
  if (parsed === null) return plainField(name, 'text');
  const type = typed(parsed, at);
  const field = typedField(name, type);
  return type.kind === 'reference' && type.to !== null ? { ...field, to: type.to } : field;
}

/** Days and other whole numbers are shown without decimals. */
function typedField(name: string, { kind }: ValueType): Field {
  const field = plainField(name, FIELD_OF[kind]);
  return kind === 'integer' ? { ...field, scale: 0 } : field;
}

/** The names of classes: where a number lies between its bounds. */
function classField(name: string, { steps }: ReportClasses): Field {
  const field = plainField(name, 'text');
  if (steps === undefined) return field;
  const titles = steps.map((step, index) =>
    index === 0 ? `≤ ${step}` : `${steps[index - 1] ?? ''} – ${step}`,
  );
  const all = [...titles, `> ${steps.at(-1) ?? ''}`];
  return { ...field, options: Object.fromEntries(all.map((title, index) => [stepKey(index), title])) };
}

/** The key of a class of numbers: in their order as text. */
export function stepKey(index: number): string {
  return String(index).padStart(2, '0');
}

function renamed(field: Field, name: string): Field {
  const { formula: _formula, stored: _stored, rollup: _rollup, ...rest } = field;
  return { ...rest, name, standard: false };
}

function typeAt(
  over: string,
  place: PathPlace,
  params: ReportDefinition['params'],
  catalog: Catalog,
): FieldType {
  return fieldOf(over, place, { catalog, params }).type;
}

function typed(expression: Expression, { place, catalog, params }: Surroundings): ValueType {
  const scope: TypeScope = { place, dictionaries: catalog.dictionaries, given: paramTypes(params) };
  const { type } = typeExpression(expression, scope);
  return type.kind === 'list' ? type.of : type;
}

function tryParse(text: string): Expression | null {
  try {
    return parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionFault) return null;
    throw error;
  }
}

const FIELD_OF = {
  number: 'decimal',
  integer: 'decimal',
  percent: 'decimal',
  money: 'decimal',
  date: 'date',
  datetime: 'datetime',
  boolean: 'boolean',
  text: 'text',
  dictionary: 'text',
  reference: 'reference',
  line: 'text',
  list: 'text',
  null: 'decimal',
  unknown: 'text',
} as const satisfies Record<ValueType['kind'], FieldType>;

function withField(place: PathPlace, field: Field): PathPlace {
  const { resource, catalog, lines } = place;
  if (lines === undefined)
    return { resource: { ...resource, fields: { ...resource.fields, [field.name]: field } }, catalog };
  const table = resource.fields[lines];
  if (table === undefined) return place;
  const fields = { ...table.fields, [field.name]: field };
  return {
    resource: { ...resource, fields: { ...resource.fields, [lines]: { ...table, fields } } },
    catalog,
    lines,
  };
}

function paramType(param: ReportParam): ValueType {
  if (param.multiple === true) return { kind: 'list', of: UNKNOWN, over: 'param' };
  switch (param.type) {
    case 'date':
      return DATE;
    case 'integer':
    case 'decimal':
      return NUMBER;
    case 'boolean':
      return BOOLEAN;
    case 'reference':
      return { kind: 'reference', to: param.to ?? null };
    case 'text':
    case 'dictionary':
      return TEXT;
  }
}
