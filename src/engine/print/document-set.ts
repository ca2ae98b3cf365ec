import type { Filter } from '../schema/definition.ts';

/** Papers that belong together and what has to agree between them: an entry of setup/document-sets.json. */
export interface DocumentSet {
  readonly set: string;
  readonly title: string;
  /** The resource that they are papers of. */
  readonly resource: string;
  readonly papers: readonly SetPaper[];
  readonly sources: readonly SetSource[];
  readonly checks: readonly SetCheck[];
}

/** Other records of the set: those whose field `by` refers to the head. */
interface RelatedRecords {
  readonly of?: string;
  readonly by?: string;
  readonly where?: Filter;
}

/** A print of the head or of records that refer to it; of those there may be none. */
export interface SetPaper extends RelatedRecords {
  readonly print: string;
  /** What it is called abroad. */
  readonly english?: string;
}

/** Records whose values are compared: the head itself, what refers to it, or what it refers to. */
export interface SetSource extends RelatedRecords {
  readonly source: string;
  readonly title: string;
  /** A path of the head over references, through its lines too: `lc_id`, `items.contract_id`. */
  readonly at?: string;
  /** Without such a record the set is not whole. */
  readonly required?: boolean;
}

export const CHECK_RULES = ['equal', 'within', 'atMost'] as const;
export type CheckRule = (typeof CHECK_RULES)[number];

/** Values that have to agree: the first with each of the others. */
export interface SetCheck {
  readonly title: string;
  /** `equal` the same, `within` one text is part of the other, `atMost` the first is no more (no later) than the others. */
  readonly rule: CheckRule;
  /** Numbers are summed up over all records and lines. */
  readonly as: 'number' | 'text' | 'date';
  readonly values: readonly SetValue[];
}

export interface SetValue {
  readonly source: string;
  readonly path: string;
  /** A path beside it by which values are told apart: quantities by `items.hs_code`. */
  readonly by?: string;
  /** May be empty where the others are not. */
  readonly optional?: boolean;
}
