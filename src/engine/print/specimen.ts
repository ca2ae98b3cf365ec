import { type PathPlace, resolveFieldPath } from '../schema/field-path.ts';
import type { Catalog, ErpRecord, Field } from '../schema/resource.ts';
import type { PrintSource } from './fill-print.ts';
import { lineFieldsAt } from './line-fields.ts';
import { rowsKey } from './placeholders.ts';
import type { PrintTemplate } from './print-template.ts';
import type { PrintValue } from './write-value.ts';

/** What of a specimen is real: the company's names and pictures, and the day. */
export interface SpecimenGround {
  readonly catalog: Catalog;
  readonly company: ErpRecord;
  readonly picture: PrintSource['picture'];
  /** Of statements: the days that they are of. */
  readonly period: { readonly from: string; readonly to: string };
}

/** Lines of every table. */
const ROWS = [1, 2, 3] as const;
const OPENING = '1000.00';
const COMPANY = 'company.';
const PERIOD = 'period.';

/** Values for a template behind which no record stands: each field tells what it is called, numbers look like some, and every condition holds. */
export function specimenSource(template: PrintTemplate, ground: SpecimenGround): PrintSource {
  const { catalog, company, period } = ground;
  const resource = catalog.resources[template.resource];
  const head: PathPlace | null = resource === undefined ? null : { resource, catalog };
  const places = rowPlaces(template, head, catalog);
  return {
    head: (path) => {
      if (path.startsWith(COMPANY)) return plain(company[path.slice(COMPANY.length)]);
      if (path.startsWith(PERIOD)) return plain(Reflect.get(period, path.slice(PERIOD.length)));
      return example(head, path, { row: 1, ground });
    },
    rows: (key) => ROWS.map((row) => (path) => example(places.get(key) ?? null, path, { row, ground })),
    opening: () => OPENING,
    picture: ground.picture,
    signers: () => ['提交', '审核'].map((title) => ({ title, name: `${title}人`, day: period.to })),
    holds: () => true,
  };
}

function rowPlaces(
  { blocks }: PrintTemplate,
  head: PathPlace | null,
  catalog: Catalog,
): ReadonlyMap<string, PathPlace> {
  const places = new Map<string, PathPlace>();
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== 'table') continue;
    const other = block.from === undefined ? undefined : catalog.resources[block.from.resource];
    const lines = head === null || block.lines === undefined ? null : lineFieldsAt(head, block.lines);
    const place = other === undefined ? lines?.place : { resource: other, catalog };
    if (place !== undefined) places.set(rowsKey(block, index), place);
  }
  return places;
}

interface Example {
  readonly row: number;
  readonly ground: SpecimenGround;
}

function example(place: PathPlace | null, path: string, asked: Example): PrintValue | null {
  const found = place === null ? null : resolveFieldPath(place, path);
  if (found?.kind !== 'field') return null;
  const { field } = found;
  const currency = field.type === 'money' ? currencyOf(field) : null;
  return { value: valueOf(field, asked), label: labelOf(field, asked.ground), field, currency };
}

/** What stands in a field of this type. */
function valueOf(field: Field, { row, ground }: Example): unknown {
  switch (field.type) {
    case 'money':
      return `${row}234.50`;
    case 'decimal':
      return `${row}00`;
    case 'percent':
      return '13';
    case 'integer':
      return row;
    case 'boolean':
      return true;
    case 'date':
      return ground.period.to;
    case 'datetime':
      return `${ground.period.to}T02:00:00.000Z`;
    case 'attachment':
    case 'lines':
    case 'secret':
      return null;
    default:
      return field.title;
  }
}

/** The first choice of a dictionary; what is referenced is called what the reference is. */
function labelOf(field: Field, { catalog }: SpecimenGround): string | null {
  if (field.type === 'reference') return field.title;
  if (field.type !== 'dictionary') return null;
  const [own] = Object.values(field.options ?? {});
  const [shared] = catalog.dictionaries[field.dictionary ?? '']?.items ?? [];
  return own ?? shared?.label ?? field.title;
}

/** Most amounts of the trade are in dollars. */
function currencyOf({ currency = '' }: Field): string {
  return /^[A-Z]{3}$/.test(currency) ? currency : 'USD';
}

function plain(value: unknown): PrintValue | null {
  return typeof value === 'string' ? { value, label: null, field: null, currency: null } : null;
}
