import type { ErpRecord, FieldProblem, Resource } from '#engine/schema/resource.ts';
import type { Tx } from '#server/kernel/db/database.ts';
import type { Caller, Services } from '#server/records/services.ts';

/** A record that a rule made, for the answer's `_created`. */
export interface CreatedRecord {
  readonly resource: string;
  readonly id: string;
  readonly label: string;
  /** It asks a second person: what was asked for is done when that one agrees. */
  readonly waits?: true;
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

/** What a named rule touches, for the lint, and why no construct of the definitions says it. */
export interface Declaration {
  /** Fields that it reads: `shipment.forwarder_id`, `export_contract.items.quantity`, `*.sales_id`. */
  readonly reads: readonly string[];
  /** Fields, states and actions that it writes and runs: `shipment.atd`, `partner.status:frozen`, `export_contract!start`. */
  readonly writes?: readonly string[];
  readonly why: string;
}

/** A check or effect under its name, with what it touches. */
export interface NamedRule<Run> extends Declaration {
  readonly run: Run;
}

/** The named checks and effects that definitions may use. */
export interface RuleRegistry {
  readonly checks: ReadonlyMap<string, Check>;
  readonly effects: ReadonlyMap<string, Effect>;
  /** What the rules write and run, for the lint. */
  readonly writes: readonly string[];
  /** The rules that write or run anything, by name. */
  readonly writing: ReadonlySet<string>;
}

/** A list of named rules, as a module of rules exports it. */
export interface RuleSet {
  readonly checks?: Readonly<Record<string, NamedRule<Check>>>;
  readonly effects?: Readonly<Record<string, NamedRule<Effect>>>;
}

/** Puts rule sets together; the same name twice is a mistake of the program. */
export function buildRuleRegistry(sets: readonly RuleSet[]): RuleRegistry {
  const checks = new Map<string, Check>();
  const effects = new Map<string, Effect>();
  const writes: string[] = [];
  const writing = new Set<string>();
  for (const set of sets) {
    for (const [name, { run, writes: own = [] }] of Object.entries(set.checks ?? {})) {
      addOnce(checks, name, run);
      writes.push(...own);
      if (own.length > 0) writing.add(name);
    }
    for (const [name, { run, writes: own = [] }] of Object.entries(set.effects ?? {})) {
      addOnce(effects, name, run);
      writes.push(...own);
      if (own.length > 0) writing.add(name);
    }
  }
  return { checks, effects, writes, writing };
}

function addOnce<Rule>(rules: Map<string, Rule>, name: string, rule: Rule): void {
  if (rules.has(name)) throw new TypeError(`rule "${name}" is defined twice`);
  rules.set(name, rule);
}
