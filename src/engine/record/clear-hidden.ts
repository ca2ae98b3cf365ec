import type { Scope } from '../filter/scope.ts';
import type { RuleDefinition } from '../schema/lifecycle-definition.ts';
import type { ErpRecord, Resource } from '../schema/resource.ts';
import { filterReadPaths } from '../schema/filter-reads.ts';
import { formulasBefore, headPath } from '../schema/formula-order.ts';
import { isFieldEmpty } from '../fields/field-types.ts';
import { computeRecord } from './compute-record.ts';
import { isRuleActive } from './field-states.ts';
import { linesOf, lineScope, withRecord } from './record-lines.ts';

const MAX_ROUNDS = 10;

/**
 * Empties the fields that a rule hides with `"clear": true`, by the formulas that its condition reads as they come out
 * now. What that changes may hide more: it runs until nothing does.
 */
export function clearHidden(resource: Resource, record: ErpRecord, scope: Scope): ErpRecord {
  let current = computeRecord(resource, record, withRecord(scope, record), formulasRead(resource));
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const cleared = clearOnce(resource, current, scope);
    if (cleared === current) return current;
    current = cleared;
  }
  return current;
}

/** The formulas that decide about clearing, with those that they need. */
function formulasRead(resource: Resource): ReadonlySet<string> {
  const known = read.get(resource);
  if (known !== undefined) return known;
  const names = resource.rules.flatMap((rule) =>
    rule.clear === true ? filterReadPaths(rule.when).map((path) => headPath(path, rule.each)) : [],
  );
  const formulas = names.filter((name) => isFormula(resource, name));
  const found = new Set([...formulas, ...formulasBefore(resource, formulas)]);
  read.set(resource, found);
  return found;
}

function isFormula({ fields }: Resource, path: string): boolean {
  const [name = '', column] = path.split('.');
  const field = column === undefined ? fields[name] : fields[name]?.fields?.[column];
  return field?.formula !== undefined;
}

const read = new WeakMap<Resource, ReadonlySet<string>>();

function clearOnce(resource: Resource, record: ErpRecord, scope: Scope): ErpRecord {
  let current = record;
  for (const rule of resource.rules) {
    if (rule.clear !== true || rule.hide === undefined) continue;
    const here = { ...withRecord(scope, current), resource };
    current = rule.each === undefined ? clearHead(current, rule, here) : clearEach(current, rule, here);
  }
  return current;
}

function clearHead(record: ErpRecord, rule: RuleDefinition, scope: Scope): ErpRecord {
  if (!isRuleActive(rule, scope)) return record;
  let current = record;
  for (const path of rule.hide ?? []) {
    const [name = '', column] = path.split('.');
    if (column === undefined) current = empty(current, scope.resource.fields, name);
    else
      current = mapLines(current, name, (line) =>
        empty(line, scope.resource.fields[name]?.fields ?? {}, column),
      );
  }
  return current;
}

function clearEach(record: ErpRecord, rule: RuleDefinition, scope: Scope): ErpRecord {
  const lines = rule.each ?? '';
  return mapLines(record, lines, (line) => {
    if (!isRuleActive(rule, lineScope(scope, lines, line))) return line;
    return (rule.hide ?? []).reduce(
      (current, name) => empty(current, scope.resource.fields[lines]?.fields ?? {}, name),
      line,
    );
  });
}

function empty(record: ErpRecord, fields: Resource['fields'], name: string): ErpRecord {
  const field = fields[name];
  if (field === undefined || field.computed || isFieldEmpty(record[name], field)) return record;
  return { ...record, [name]: field.type === 'lines' ? [] : null };
}

function mapLines(record: ErpRecord, name: string, change: (line: ErpRecord) => ErpRecord): ErpRecord {
  const before = linesOf(record, name);
  const after = before.map(change);
  return after.every((line, index) => line === before[index]) ? record : { ...record, [name]: after };
}
