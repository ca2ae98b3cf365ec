/**
 * What a document does to others, as a resource file says it (limits, documents made, what follows, blockers,
 * changes after approval). Types beside those of `definition.ts`.
 */
import type { Filter } from './definition.ts';

/** A formula when it is text (`"partner_id"` copies, `"'partner'"` is text), else the value itself. */
export type ValueDefinition = string | number | boolean | null;
/** Values by the field that they are for. */
export type ValueDefinitions = Readonly<Record<string, ValueDefinition>>;
/** A state, an action or a group of states (`@counts`), or several. */
export type StateNames = string | readonly string[];

/** Other records: by a path of one's own (`items.contract_id`, or own lines), or from the other side. */
export interface OthersDefinition {
  readonly to?: string;
  /** Their resource, lines of it (`shipment.items`), or `*`: every document with such a reference here. */
  readonly of?: string;
  /** Their field with this record's id, or a map of their fields to own ones. */
  readonly by?: string | Readonly<Record<string, string>>;
  readonly where?: Filter;
  readonly order?: readonly string[];
}

/** What must hold of a record whenever one of its figures or fields moves. */
export interface LimitDefinition {
  readonly each?: string;
  readonly when?: Filter;
  readonly assert: Filter;
  /**
   * The figure is what documents claim: only what adds to it is refused, and the last approval of such a document is asked
   * as if it were new. What takes from the bound is not: of money, the account's own limits say whether it may go.
   */
  readonly claim?: boolean;
  readonly message: string;
  readonly level?: 'error' | 'warning';
}

/** An action is refused while such records are there. */
export interface BlockerDefinition extends OthersDefinition {
  /** Actions, `approved` and `delete`. */
  readonly actions: readonly string[];
  readonly when?: Filter;
  /** The own field, or the input of the actions, that the refusal stands at. */
  readonly at?: string;
  readonly message: string;
  readonly level?: 'error' | 'warning';
}

/** `of` of made lines that gives one line of the record itself (under `each`: of the line). */
export const OF_RECORD = '$record';

/** The lines of a document that is made: of which own lines (or `$record`), and with what. */
export interface MakeLinesDefinition {
  readonly of?: string;
  readonly where?: Filter;
  readonly same?: '*' | readonly string[];
  readonly except?: readonly string[];
  readonly map?: ValueDefinitions;
  readonly find?: MadeFinds;
}

/** References of what is made that are looked for: `source.x` is of the record or line that it is made of. */
export type MadeFinds = Readonly<Record<string, MadeFind>>;

export interface MadeFind {
  readonly where: Filter;
  readonly order?: readonly string[];
  /** Taken only when nothing else fits. */
  readonly only?: boolean;
  /** What is made otherwise, where nothing is found. */
  readonly else?: ValueDefinitions;
}

/** A document (or with `resource.lines` a line) made from this one. */
export interface MakeDefinition {
  readonly to: string;
  readonly title?: string;
  /** For a person: a filled form, or a saved draft. */
  readonly as?: 'form' | 'draft';
  /** An action of the made document. */
  readonly do?: string;
  readonly same?: '*' | readonly string[];
  readonly except?: readonly string[];
  readonly map?: ValueDefinitions;
  readonly find?: MadeFinds;
  /** A document a line. */
  readonly each?: string;
  readonly when?: Filter;
  /** A document for each value of this column. */
  readonly per?: string;
  readonly lines?: Readonly<Record<string, MakeLinesDefinition>>;
  /** Refuses when there are no lines to make. */
  readonly empty?: string;
  /** One target a source that is not dead. */
  readonly once?: boolean;
  /** Lines are added to such a target where there is one. */
  readonly into?: Filter;
  /** The greatest number of lines of one target. */
  readonly max?: number;
}

/** One entry of what follows a write. */
export interface FollowDefinition extends OthersDefinition {
  readonly when?: Filter;
  readonly each?: string;
  /** Only when one of these fields changed (with `each`: of the line). */
  readonly changed?: readonly string[];
  readonly make?: string;
  readonly remake?: string;
  readonly do?: string;
  readonly inputs?: ValueDefinitions;
  readonly set?: ValueDefinitions;
  /** Appends a line to each of these lists. */
  readonly add?: Readonly<Record<string, ValueDefinitions>>;
  /** A named effect. */
  readonly effect?: string;
  /** A sum given to the chosen records in turn, the smaller of what is left and their `take`. */
  readonly spread?: string;
  readonly take?: string;
  /** What is refused, in these words, when the chosen records do not take all of the sum. */
  readonly rest?: string;
}

/** Rows of equal keys do not overlap in all ranges at once. */
export interface ExcludeDefinition {
  readonly fields: readonly string[];
  readonly ranges: readonly (readonly [string, string])[];
  readonly where?: Filter;
  readonly message: string;
}

export interface TreeDefinition {
  readonly parent: string;
  /** A text field that keeps the titles from the root. */
  readonly path?: string;
  /** An integer field that keeps the depth, from 1. */
  readonly depth?: string;
  readonly max?: number;
}

/** A document that changes another after its approval. */
export interface AmendmentDefinition {
  readonly of: string;
  /** The reference to what is changed. */
  readonly by: string;
  /** Own lines with the changes: path, line, operation, old and new value. */
  readonly changes: string;
  readonly open: string;
  readonly close: string;
  readonly fields: readonly string[];
  readonly lines?: Readonly<Record<string, readonly ('change' | 'add' | 'remove')[]>>;
  /** A field that keeps the state in which the target was opened. */
  readonly stage?: string;
  /** By the state in which the target was opened: fields of it that may only become less. */
  readonly onlyLess?: Readonly<Record<string, readonly string[]>>;
  /** json fields that keep the target as it was, and as it would be. */
  readonly snapshots?: readonly [string, string];
}

/**
 * Changes that wait for a second person: they become a document of `in`, whose last approval carries them out. It has
 * the fields `target_resource`, `target_id`, `target_label`, `target_action`, `asked_role`, `body` and the lines `changes`.
 */
export interface SecondPersonDefinition {
  readonly in: string;
  /** Fields whose change waits. */
  readonly fields: readonly string[];
  /** Last days: a change waits where the day has come and would be taken away or moved on. */
  readonly until?: readonly string[];
  /** Actions that wait; `delete` too. */
  readonly actions?: readonly string[];
  /** A new record stands in this state, and the action waits. */
  readonly created?: { readonly state: string; readonly action: string };
}

/** The first match of a reference, taken at every write. */
export interface FindDefinition {
  readonly where: Filter;
  readonly order?: readonly string[];
}
