import type { FieldProblem } from '#engine/schema/resource.ts';
import type { RuleCall, RuleSet } from './rule-registry.ts';

/** Rules that know no resource. */
export const GENERIC_RULES: RuleSet = {
  checks: {
    /** Values of a list field appear once. */
    unique_in_list: async (call) => repeatedValues(call),
    /** Whoever confirms is not who created the record. */
    not_own: async (call) => ownRecord(call),
  },
};

function repeatedValues({ resource, record }: RuleCall): readonly FieldProblem[] {
  return Object.values(resource.fields).flatMap((field): readonly FieldProblem[] => {
    const value = record[field.name];
    if (field.multiple !== true || !Array.isArray(value) || new Set(value).size === value.length) return [];
    return [{ path: field.name, code: 'duplicate', message: `${field.title}中有重复的值` }];
  });
}

function ownRecord({ caller, record }: RuleCall): readonly FieldProblem[] {
  if (record['created_by'] !== caller.subject.id) return [];
  return [{ path: '', code: 'own_record', message: '不能处理本人录入的记录' }];
}
