/**
 * What a resource file says, key by key. The JSON Schema in `schemas/resource.schema.json` and the lint
 * accept exactly this; `expandResource` turns it into the `Resource` that everything else works with.
 */

import type {
  AmendmentDefinition,
  BlockerDefinition,
  ExcludeDefinition,
  FindDefinition,
  FollowDefinition,
  LimitDefinition,
  MakeDefinition,
  SecondPersonDefinition,
  StateNames,
  TreeDefinition,
  ValueDefinitions,
} from './effects-definition.ts';
import type {
  AccountDefinition,
  HoldDefinition,
  LedgerDefinition,
  PostingDefinition,
  VoucherBookDefinition,
  VoucherDefinition,
} from './ledger-definition.ts';
import type {
  ListDefinition,
  SectionDefinition,
  DetailsDefinition,
  PageDefinition,
  PrintDefinition,
  UploadsDefinition,
} from './layout-definition.ts';
import type { RuleDefinition, LifecycleDefinition, AccessDefinition } from './lifecycle-definition.ts';

/** A literal, or a value taken from the surroundings: `{ "$": "user.sales_ids" | "today" | "record.x" | "parent.x" }`, or a formula `{ "=": "quantity * 2" }`. */
export type FilterValue =
  | null
  | boolean
  | number
  | string
  | readonly FilterValue[]
  | { readonly $: string }
  | { readonly '=': string };

export const FILTER_OPERATORS = [
  'eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'nin', 'contains', 'startswith', 'between', 'null', 'has', 'hasAny', 'under',
] as const; // prettier-ignore
export type FilterOperator = (typeof FILTER_OPERATORS)[number];
export type Comparison = { readonly [op in FilterOperator]?: FilterValue };

/** `{ field: { op: value } }`, several keys are joined by and; `and`, `or` take lists. A field may be a path over references: `buyer_id.country_id.is_sanctioned`. */
export type Filter = { readonly and?: readonly Filter[]; readonly or?: readonly Filter[] } & {
  readonly [field: string]: Comparison | readonly Filter[] | undefined;
};

export const FIELD_TYPES = [
  'text', 'textarea', 'richtext', 'integer', 'decimal', 'money', 'percent', 'date', 'datetime', 'boolean',
  'dictionary', 'reference', 'attachment', 'lines', 'json', 'secret',
] as const; // prettier-ignore
export type FieldType = (typeof FIELD_TYPES)[number];

/** A reference to one resource, to the lines of one (`export_contract.items`), or to the resource that another field names. */
export type ReferenceTarget = string | { readonly by: string };

/** Sum, count, min or max over other records (or their lines): `{ "of": "shipment.items", "by": "contract_line", "where": {...}, "sum": "quantity" }`. */
export interface RollupDefinition {
  readonly of: string;
  /** The field of `of` that holds this record's (or this line's) id, or a map of their fields to own ones (empty equals empty). */
  readonly by: string | Readonly<Record<string, string>>;
  /** Over the rows of `of`; a line's head is reached by `parent.`, the record that keeps the figure (not a line) by `source.`. */
  readonly where?: Filter;
  readonly sum?: string;
  readonly count?: true;
  readonly max?: string;
  readonly min?: string;
  readonly avg?: string;
}

/** What a text may name of the definitions, the routes and the companies. */
export const NAME_KINDS = [
  'resource', 'event', 'field', 'template', 'action', 'operation', 'company', 'page', 'dictionary', 'parameter',
  'parameter_value', 'report', 'report_column', 'report_param', 'amended',
] as const; // prettier-ignore
export type NameKind = (typeof NAME_KINDS)[number];

/** Columns of the same lines. */
export interface OpensDefinition {
  readonly resource: string;
  readonly where: string;
}

export interface FieldDefinition {
  readonly type: FieldType;
  readonly title: string;
  /** What customers read instead. */
  readonly partnerTitle?: string;
  /** Former name of the column: the migration renames it. */
  readonly was?: string;
  /** Shown under the control. */
  readonly hint?: string;
  readonly required?: boolean;
  readonly readOnly?: boolean;
  /** Written at creation, never after. */
  readonly fixed?: boolean;
  /** Written by effects and by the engine only. */
  readonly system?: boolean;
  readonly default?: FilterValue;
  readonly multiple?: boolean;
  /** text, textarea, richtext: greatest length in characters (richtext: words). lines: greatest count. integer: greatest value. */
  readonly max?: number | string;
  readonly min?: number | string;
  readonly pattern?: string;
  /** What the pattern's failure says. */
  readonly message?: string;
  /** A named check of one value: see `engine/values/checks.ts` (`credit_code`, `id_no`, `mobile`, `email`, `cnaps` ...). */
  readonly check?: string;
  readonly precision?: number;
  readonly scale?: number;
  /** money: a field of the same record, `parent.currency` inside lines, or a fixed code such as `CNY`. */
  readonly currency?: string;
  /** A column of lines that is not added up though it is an amount: a balance of each day, amounts of two sides. */
  readonly total?: false;
  /** A column of lines: its cell leads to the list of the resource that one column names, under the filter in another. */
  readonly opens?: OpensDefinition;
  readonly dictionary?: string;
  /** A small closed list, value to label, for text and dictionary. */
  readonly options?: Readonly<Record<string, string>>;
  readonly to?: ReferenceTarget;
  readonly where?: Filter;
  /** reference: candidates that are offered before the others, among those equally close to what was typed. */
  readonly prefers?: Filter;
  /** On picking: own field -> field (or path) of the picked record. */
  readonly fill?: Readonly<Record<string, string>>;
  readonly formula?: string;
  readonly rollup?: RollupDefinition;
  /** reference: the first match is taken at every write. */
  readonly find?: FindDefinition;
  /** find, formula, rollup: taken when the record enters one of these states from outside them, frozen from then on. */
  readonly until?: StateNames;
  /** formula: false for what is computed when it is read. */
  readonly stored?: boolean;
  /** lines: sources whose open lines may be picked (`export_contract.shipment`: a make of that resource). */
  readonly from?: readonly string[];
  /** reference: asked again with these actions. */
  readonly again?: readonly string[];
  /** A column: beside its cell stand the values of the last documents that have these fields in common with this one. */
  readonly recalls?: readonly string[];
  /** false: of this one record, like the number of a bill of lading; a copy begins without it. */
  readonly copied?: false;
  /** Read by rules, formulas and the system only: pages offer it nowhere that the definition does not name it. */
  readonly internal?: true;
  readonly mask?: 'id_no' | 'mobile' | 'account' | 'name';
  /** json: what the value must be. */
  readonly json?: 'filter';
  /**
   * The value is a name of the definitions, so that a rename goes along and people pick it by its title: the key of a
   * resource, an event's code, or, of that resource or of the event's, a field, an action, an operation or a template
   * with fields in braces; or a company's code, a page's route, a dictionary, a parameter, or one of the values of
   * the parameter that the record names, where it has a list of them.
   */
  readonly names?: NameKind;
  /** names: only resources with approval or with a number, only fields with an amount. */
  readonly having?: 'approval' | 'number' | 'amount';
  /** lines: columns, and fields of the head (`parent.x`), shown beside the name of a line in pickers. */
  readonly caption?: readonly string[];
  /** lines */
  readonly fields?: Readonly<Record<string, FieldDefinition>>;
  readonly unique?: readonly UniqueDefinition[];
  /**
   * lines: column -> formula over the head that gives a column of values. As long as it gives any there is a line for each
   * value of the first column, none comes or goes by hand, these columns are read-only, and a line keeps its other cells
   * while its first value stays.
   */
  readonly follows?: Readonly<Record<string, string>>;
  /** A column: a former text of the head whose parts (by semicolons) become lines with the list's first migration. */
  readonly partsOf?: string;
  /** dictionary: former value -> the one that records get in its place with the migration. */
  readonly were?: Readonly<Record<string, string>>;
}

export interface UniqueDefinition {
  readonly fields: readonly string[];
  readonly scope?: 'global' | 'company';
  /** `same`: empty equals empty. */
  readonly nulls?: 'same';
  /** Only rows that match count. */
  readonly where?: Filter;
  /** Letter case is ignored. */
  readonly ignoreCase?: boolean;
  readonly message?: string;
  /** The field that the refusal stands at; default: the first one. */
  readonly at?: string;
}

export interface TitlesDefinition {
  /** A dictionary field: `doc_type`. */
  readonly by: string;
  /** Titles by its values; where there is none the resource's holds. */
  readonly of: Readonly<Record<string, string>>;
}

export interface NumberDefinition {
  readonly field: string;
  /** `{co} {yyyy} {mm} {ww} {seq:n} {field}`; or by a field's value; or the same as another record's (`{ "same": "shipment_id.invoice_no" }`). */
  readonly pattern:
    string | ({ readonly by: string } & Readonly<Record<string, string>>) | { readonly same: string };
  /** Fields that take the number where they are empty. */
  readonly also?: readonly string[];
  readonly at?: 'create' | 'post';
  /** The date that year, month and week are of: `voucher_date`. Default, and where it is empty: the day the number is drawn. */
  readonly on?: string;
}

export type ResourceKind = 'master' | 'document' | 'ledger' | 'log' | 'view' | 'config';
export type Mixin = 'scope' | 'biz' | 'appr' | 'note';

export interface ResourceDefinition {
  readonly $schema?: string;
  readonly resource: string;
  readonly title: string;
  /** What customers read instead. */
  readonly partnerTitle?: string;
  readonly was?: string;
  readonly kind: ResourceKind;
  readonly scope?: 'global' | 'company';
  readonly mixins?: readonly Mixin[];
  readonly versioned?: boolean;
  /** Rows are never changed or removed, not even by SQL. Default: ledgers and logs without a lifecycle of their own. */
  readonly appendOnly?: boolean;
  /** view: the named query of the server. */
  readonly source?: string;
  /** The named values of the server that hold until a row of the same key overrides them. */
  readonly defaults?: string;
  /** The field that names a record in references, titles, messages. */
  readonly label: string;
  /** Shown beside the label in pickers. */
  readonly caption?: readonly string[];
  /** Records that come before others where one is picked: of two ports of one name the one that ships call at. */
  readonly foremost?: Filter;
  /** Records of one kind among others have a title of their own, by a field. */
  readonly titles?: TitlesDefinition;
  readonly number?: NumberDefinition;
  readonly fields: Readonly<Record<string, FieldDefinition>>;
  readonly uploads?: UploadsDefinition;
  /** An integer field that counts the people who have read the record; whoever has read it is remembered. */
  readonly reads?: string;
  readonly unique?: readonly UniqueDefinition[];
  readonly rules?: readonly RuleDefinition[];
  /** Named checks of the server: on every save, and on every submit. */
  readonly checks?: { readonly save?: readonly string[]; readonly submit?: readonly string[] };
  /** Named effects of the server after create, after update and after delete, in the same transaction. */
  readonly effects?: {
    readonly create?: readonly string[];
    readonly update?: readonly string[];
    readonly delete?: readonly string[];
  };
  readonly limits?: readonly LimitDefinition[];
  readonly makes?: Readonly<Record<string, MakeDefinition>>;
  readonly then?: { readonly [on in 'create' | 'update' | 'save' | 'delete']?: readonly FollowDefinition[] };
  readonly blockers?: readonly BlockerDefinition[];
  readonly exclude?: readonly ExcludeDefinition[];
  readonly tree?: TreeDefinition;
  readonly amendment?: AmendmentDefinition;
  readonly secondPerson?: SecondPersonDefinition;
  readonly ledger?: LedgerDefinition;
  readonly account?: AccountDefinition;
  readonly postings?: readonly PostingDefinition[];
  /** What every entry of this document says besides, by formulas of its head; a posting's own `set` wins. */
  readonly everyEntry?: ValueDefinitions;
  readonly holds?: readonly HoldDefinition[];
  readonly vouchers?: readonly VoucherDefinition[];
  readonly voucherBook?: VoucherBookDefinition;
  readonly lifecycle?: LifecycleDefinition;
  readonly access?: readonly AccessDefinition[];
  /**
   * What a letter must allow whoever acts for a customer under one, to do more than read; `*`: any letter does. Without
   * it only the customer's own accounts write.
   */
  readonly mandate?: string;
  /** Whose rows they are for a customer, where `partner_id` does not say it: a path, into lines too (any line counts). */
  readonly partnerPath?: string;
  readonly indexes?: readonly (readonly string[])[];
  readonly list?: ListDefinition;
  readonly edit?: readonly SectionDefinition[];
  readonly details?: DetailsDefinition;
  readonly print?: readonly PrintDefinition[];
  readonly pages?: readonly PageDefinition[];
}
