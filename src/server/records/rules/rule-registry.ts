import type { ErpRecord, FieldProblem, Resource } from '#engine/schema/resource.ts';
import type { Tx } from '#server/kernel/db/database.ts';
import type { Caller, Services } from '#server/records/services.ts';

/** A record that a rule made, for the answer's `_created`. */
export interface CreatedRecord {
  readonly resource: string;
  readonly id: string;
  readonly label: string;
}

/** What a named check or effect works with. `record` has its lines, their ids, `_labels` and `_paths`. */
export interface RuleCall {
  readonly tx: Tx;
  readonly services: Services;
  readonly caller: Caller;
  readonly resource: Resource;
  readonly record: ErpRecord;
  /** The record before this write; undefined for a new one. */
  readonly previous?: ErpRecord;
  /** Inputs of the action, empty for a save. */
  readonly input: ErpRecord;
  /** The action that runs; `create` and `update` for saves. */
  readonly action: string;
  /** Push what you create. */
  readonly created: CreatedRecord[];
}

/** Says what is wrong; warnings (`level: 'warning'`) never refuse. */
export type Check = (call: RuleCall) => Promise<readonly FieldProblem[]>;
/** Does what follows from a write, in its transaction; a thrown AppError undoes everything. */
export type Effect = (call: RuleCall) => Promise<void>;

/** The named checks and effects that definitions may use. */
export interface RuleRegistry {
  readonly checks: ReadonlyMap<string, Check>;
  readonly effects: ReadonlyMap<string, Effect>;
}

/** A list of named rules, as a module of rules exports it. */
export interface RuleSet {
  readonly checks?: Readonly<Record<string, Check>>;
  readonly effects?: Readonly<Record<string, Effect>>;
}

/** Puts rule sets together; the same name twice is a mistake of the program. */
export function buildRuleRegistry(sets: readonly RuleSet[]): RuleRegistry {
  const checks = new Map<string, Check>();
  const effects = new Map<string, Effect>();
  for (const set of sets) {
    for (const [name, check] of Object.entries(set.checks ?? {})) addOnce(checks, name, check);
    for (const [name, effect] of Object.entries(set.effects ?? {})) addOnce(effects, name, effect);
  }
  return { checks, effects };
}

function addOnce<Rule>(rules: Map<string, Rule>, name: string, rule: Rule): void {
  if (rules.has(name)) throw new TypeError(`rule "${name}" is defined twice`);
  rules.set(name, rule);
}
