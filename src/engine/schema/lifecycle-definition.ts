/** What a resource file says of its life: rules, states, actions, approvals and who may do what. */

import type { Filter, FieldDefinition } from './definition.ts';
import type { FollowDefinition, StateNames, ValueDefinitions } from './effects-definition.ts';

/** One conditional rule; `each` runs it for every line. */
export interface RuleDefinition {
  readonly each?: string;
  readonly when?: Filter;
  readonly require?: readonly string[];
  readonly hide?: readonly string[];
  /** With `hide`: a hidden field is emptied. */
  readonly clear?: boolean;
  readonly readOnly?: readonly string[];
  readonly assert?: Filter;
  /** A condition as a formula, where a comparison with a field does not say it; what it leaves open is not broken. */
  readonly holds?: string;
  /** Formulas in braces are shown as people see them: `应为 {round(sum(items.tax), 2)}`. */
  readonly message?: string;
  /** Where the message stands; default: the first field of the assertion. */
  readonly at?: string;
  /** The assertion is checked with these actions (`submit`: also others that leave the initial state; `approved`: the last level) only, not on every save. */
  readonly on?: string | readonly string[];
  /** A warning never refuses: it is shown in preview and to approvers. */
  readonly level?: 'error' | 'warning';
}

/** Fields editable in a state: all, a list, or a list for each role (`"*"` as a role means everybody else). */
export type EditableDefinition = '*' | readonly string[] | Readonly<Record<string, '*' | readonly string[]>>;

/** What a tag may say by its colour, by the names that antd has for it; `default` is grey. */
export const STATE_COLORS = [
  'default',
  'blue',
  'geekblue',
  'purple',
  'cyan',
  'processing',
  'green',
  'lime',
  'success',
  'orange',
  'gold',
  'warning',
  'red',
  'volcano',
  'magenta',
  'error',
] as const;
export type StateColor = (typeof STATE_COLORS)[number];

export interface StateDefinition {
  readonly title: string;
  /** What customers read instead. */
  readonly partnerTitle?: string;
  /** Former name: the migration renames it in the records and all that speaks of them. */
  readonly was?: string;
  readonly edit?: EditableDefinition;
  /** Stands above the form: why only some of it may be changed now, and how a mistake is put right. */
  readonly editNote?: string;
  /** Tag colour; by default from the state's key. */
  readonly color?: StateColor;
}

export interface ActionDefinition {
  readonly title: string;
  /** What customers read instead. */
  readonly partnerTitle?: string;
  /** `$new` = creation. */
  readonly from: StateNames;
  /** A state, `$same`, or `$previous` (the state before the current one was entered). */
  readonly to: string;
  readonly when?: Filter;
  /** Why `when` refuses, in plain Chinese; default: the filter's sentence. */
  readonly whenMessage?: string;
  readonly reason?: boolean;
  /** Asked before it runs; formulas in braces are figures of the record. */
  readonly confirm?: string;
  readonly inputs?: Readonly<Record<string, FieldDefinition>>;
  /** Inputs that are asked only where this holds of the record, and empty elsewhere. */
  readonly asks?: Readonly<Record<string, Filter>>;
  readonly checks?: readonly string[];
  readonly effects?: readonly string[];
  readonly event?: string;
  readonly system?: boolean;
  /** The day-end job runs it on every record in `from` to which `when` applies; a system action only. */
  readonly daily?: boolean;
  /** Like `daily`, but looked for every ten minutes. */
  readonly often?: boolean;
  /** The event that tells why the clock could not run it, once a day and record. */
  readonly refused?: string;
  readonly batch?: boolean;
  /** The record moves itself as soon as `when` holds. */
  readonly auto?: boolean;
  readonly then?: readonly FollowDefinition[];
  /** Appends a line to each of these lists. */
  readonly add?: Readonly<Record<string, ValueDefinitions>>;
  /** Takes all lines that may be picked into these lists, in place of those taken before. */
  readonly pull?: Readonly<Record<string, Filter>>;
  /** Frozen values are taken anew. */
  readonly refresh?: boolean;
  /** Refuses with this message when a frozen value would now be another. */
  readonly fresh?: string;
  /** Required fields and rules are checked; default: true when the action leaves the initial state for a state that is not an end (`void`, `cancelled`), or starts an approval. */
  readonly complete?: boolean;
  /**
   * 变更: the action carries new values of these fields (lines too) as its input `changes`, in the form of a PATCH. They are
   * checked like a PATCH, although the state itself does not open them.
   */
  readonly amends?: readonly string[];
  /** What empty fields of an amendment begin with in its form: the value of another field beside them. */
  readonly proposes?: Readonly<Record<string, string>>;
  /** Fields set by the action: `{ "valid_to": "input.valid_to" }`. */
  readonly set?: ValueDefinitions;
  readonly approval?: ApprovalDefinition;
  /** Roles that may run it in addition to `access` (shorthand). */
  readonly danger?: boolean;
}

export interface ApprovalDefinition {
  readonly approved: string;
  readonly rejected: string;
  readonly withdrawn: string;
  /** Run once, with the last level, in its transaction. */
  readonly effects?: readonly string[];
  readonly then?: readonly FollowDefinition[];
  /** Refuses with this message when a frozen value would now be another. */
  readonly fresh?: string;
  /** Run again with the last level; a refusal there refuses the approval. */
  readonly checks?: readonly string[];
  /** Paths to people who do not decide, besides whoever submitted or made the record: `receipt_id.created_by`. */
  readonly notBy?: readonly string[];
  /** What follows when rejected or withdrawn: entries, or names of effects. */
  readonly released?: readonly (string | FollowDefinition)[];
  readonly event?: string;
}

export interface LifecycleDefinition {
  readonly initial: string;
  readonly states: Readonly<Record<string, StateDefinition>>;
  /** States that are no more -> the state that their records enter; `to` stands for every one that is not named. */
  readonly retired?: Readonly<Record<string, string>>;
  /** Names for lists of states; `final` (nothing happens any more) and `dead` (as if it had never been) mean this everywhere. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  readonly actions?: Readonly<Record<string, ActionDefinition>>;
}

export interface AccessDefinition {
  /** A role code, a list of them, or `*` = all staff. */
  readonly role: string | readonly string[];
  /**
   * Operations list read create update delete export import print approve, and action keys; `*` = everything. `name`
   * shows what a record is called where another record refers to it, and nothing else of it.
   */
  readonly do: readonly string[];
  /** Named scope (`own target dept dept_tree company all partner`) or a filter. Default: the role's row_scope. */
  readonly rows?: Filter | RowScope;
  readonly hide?: readonly string[];
  readonly show?: readonly string[];
  /** Results that are shown although some of what they are made of is hidden: a bill tells its sums, not the reckoning. */
  readonly tell?: readonly string[];
  readonly readOnly?: readonly string[];
  /** Only these may be written. */
  readonly write?: readonly string[];
  readonly lines?: Readonly<Record<string, Filter>>;
}
export const ROW_SCOPES = ['own', 'target', 'dept', 'dept_tree', 'company', 'all', 'partner'] as const;
export type RowScope = (typeof ROW_SCOPES)[number];
