import type { FieldDefinition, Filter, FilterValue, ResourceDefinition } from './definition.ts';
import type { ValueDefinition } from './effects-definition.ts';
import { ruleFormulas } from '../record/message-text.ts';
import { filterReads, valueReads } from './filter-reads.ts';
import { effectReads } from './effect-reads.ts';
import { findReads, headPath } from './formula-order.ts';
import { formulaReads } from './formula-reads.ts';
import { lifecycleOf } from './standard-fields.ts';

/**
 * Every path over references that rules, formulas, guards, defaults and where-clauses of a resource read, as seen
 * from the head (`buyer_id.country_id.is_sanctioned`, `items.goods_id.hs_code`). The server loads their values.
 */
export function readPaths(definition: ResourceDefinition): readonly string[] {
  const paths = new Set<string>();
  const add = (path: string, lines?: string): void => {
    const whole = headPath(path, lines);
    if (isReferencePath(whole, definition)) paths.add(whole);
  };
  const addFilter = (filter: Filter | undefined, lines?: string): void => {
    const { fields, values } = filterReads(filter);
    for (const path of fields) add(path, lines);
    for (const path of values) add(path, lines);
  };
  const addValues = (values: readonly (FilterValue | undefined)[], lines?: string): void => {
    for (const value of values) for (const path of valueReads(value)) add(path, lines);
  };
  const addFormula = (value: ValueDefinition, lines?: string): void => {
    if (typeof value === 'string') for (const path of formulaReads(value)) add(path, lines);
  };
  const addField = (field: FieldDefinition, lines?: string): void => {
    if (field.formula !== undefined) for (const path of formulaReads(field.formula)) add(path, lines);
    if (field.currency !== undefined) add(field.currency, lines);
    addValues([field.default], lines);
    for (const path of filterReads(field.where).values) add(path, lines);
    for (const path of filterReads(field.prefers).values) add(path, lines);
    for (const path of filterReads(field.rollup?.where).values) add(path, lines);
    if (field.find !== undefined) for (const path of findReads(field.find)) add(path, lines);
    for (const formula of Object.values(field.follows ?? {})) addFormula(formula);
  };

  for (const [name, field] of Object.entries(definition.fields)) {
    addField(field);
    for (const cell of Object.values(field.fields ?? {})) addField(cell, name);
  }
  for (const rule of definition.rules ?? []) {
    addFilter(rule.when, rule.each);
    addFilter(rule.assert, rule.each);
    for (const formula of ruleFormulas(rule)) addFormula(formula, rule.each);
  }
  for (const action of Object.values(lifecycleOf(definition)?.actions ?? {})) {
    addFilter(action.when);
    for (const value of Object.values(action.set ?? {})) addFormula(value);
    for (const input of Object.values(action.inputs ?? {})) addField(input);
  }
  for (const { path, lines } of effectReads(definition)) add(path, lines);
  for (const print of definition.print ?? []) addFilter(print.when);
  for (const grant of definition.access ?? [])
    for (const [lines, filter] of Object.entries(grant.lines ?? {})) addFilter(filter, lines);
  const pattern = definition.number?.pattern;
  if (typeof pattern === 'object' && 'same' in pattern && typeof pattern.same === 'string') add(pattern.same);
  return [...paths].sort();
}

function isReferencePath(path: string, definition: ResourceDefinition): boolean {
  const [first = '', second, third] = path.split('.');
  if (second === undefined) return false;
  const field = definition.fields[first];
  if (field?.type === 'lines') return third !== undefined && field.fields?.[second] !== undefined;
  return field?.type === 'reference' || STAMPED_REFERENCES.has(first);
}

const STAMPED_REFERENCES: ReadonlySet<string> = new Set([
  'sales_id',
  'created_by',
  'updated_by',
  'submitted_by',
  'approved_by',
]);
