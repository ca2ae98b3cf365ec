/**
 * What a resource file says, key by key. The JSON Schema in `schemas/resource.schema.json` and the lint
 * accept exactly this; `expandResource` turns it into the `Resource` that everything else works with.
 */

import type {
  AccountDefinition,
  AmendmentDefinition,
  BlockerDefinition,
  ExcludeDefinition,
  FindDefinition,
  FollowDefinition,
  HoldDefinition,
  LedgerDefinition,
  LimitDefinition,
  MakeDefinition,
  PostingDefinition,
  SecondPersonDefinition,
  StateNames,
  TreeDefinition,
  ValueDefinitions,
  VoucherBookDefinition,
  VoucherDefinition,
} from './effects-definition.ts';

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
  'report', 'report_column', 'report_param',
] as const; // prettier-ignore
export type NameKind = (typeof NAME_KINDS)[number];

export interface FieldDefinition {
  readonly type: FieldType;
  readonly title: string;
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
  readonly dictionary?: string;
  /** A small closed list, value to label, for text and dictionary. */
  readonly options?: Readonly<Record<string, string>>;
  readonly to?: ReferenceTarget;
  readonly where?: Filter;
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
  readonly mask?: 'id_no' | 'mobile' | 'account' | 'name';
  /** json: what the value must be. */
  readonly json?: 'filter';
  /**
   * The value is a name of the definitions, so that a rename goes along and people pick it by its title: the key of a
   * resource, an event's code, or, of that resource or of the event's, a field, an action, an operation or a template
   * with fields in braces; or a company's code, a page's route, a dictionary, a parameter.
   */
  readonly names?: NameKind;
  /** names: only resources with approval or with a number, only fields with an amount. */
  readonly having?: 'approval' | 'number' | 'amount';
  /** lines */
  readonly fields?: Readonly<Record<string, FieldDefinition>>;
  readonly unique?: readonly UniqueDefinition[];
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

export interface NumberDefinition {
  readonly field: string;
  /** `{co} {yyyy} {mm} {ww} {seq:n} {field}`; or by a field's value; or the same as another record's (`{ "same": "shipment_id.invoice_no" }`). */
  readonly pattern:
    string | ({ readonly by: string } & Readonly<Record<string, string>>) | { readonly same: string };
  /** Fields that take the number where they are empty. */
  readonly also?: readonly string[];
  readonly at?: 'create' | 'post';
}

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

export interface StateDefinition {
  readonly title: string;
  /** What customers read instead. */
  readonly partnerTitle?: string;
  /** Former name: the migration renames it in the records and all that speaks of them. */
  readonly was?: string;
  readonly edit?: EditableDefinition;
  /** Tag colour; by default from the state's key. */
  readonly color?: string;
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
  readonly confirm?: string;
  readonly inputs?: Readonly<Record<string, FieldDefinition>>;
  readonly checks?: readonly string[];
  readonly effects?: readonly string[];
  readonly event?: string;
  readonly system?: boolean;
  /** The day-end job runs it on every record in `from` to which `when` applies; a system action only. */
  readonly daily?: boolean;
  /** Like `daily`, but looked for every ten minutes. */
  readonly often?: boolean;
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
  readonly readOnly?: readonly string[];
  /** Only these may be written. */
  readonly write?: readonly string[];
  readonly lines?: Readonly<Record<string, Filter>>;
}
export const ROW_SCOPES = ['own', 'target', 'dept', 'dept_tree', 'company', 'all', 'partner'] as const;
export type RowScope = (typeof ROW_SCOPES)[number];

export type ColumnDefinition =
  | string
  | { readonly field: string; readonly total?: boolean; readonly width?: number; readonly title?: string };

export interface ListDefinition {
  readonly columns?: readonly ColumnDefinition[];
  readonly filters?: readonly string[];
  readonly sort?: readonly string[];
  readonly group?: string;
  /** What an empty list says; default: how to start. */
  readonly empty?: string;
}

export type SectionDefinition =
  | { readonly title: string; readonly columns?: number; readonly fields: readonly string[] }
  | {
      readonly title: string;
      readonly lines: string;
      readonly columns?: readonly string[];
      readonly conversation?: ConversationDefinition;
    };

/** Lines shown as what people wrote to one another: the names of their fields, and what one answers with. */
export interface ConversationDefinition {
  readonly text: string;
  readonly at: string;
  /** True where the other company's people wrote. */
  readonly partner: string;
  readonly by?: string;
  readonly files?: string;
  /** A field of the record itself: what the conversation began with, written by the other company. */
  readonly opening?: string;
  /** Actions that are answered below the conversation; the first that is possible. */
  readonly answers: readonly string[];
}

export interface DetailsDefinition {
  readonly sections?: readonly SectionDefinition[];
  /** Key figures on top. */
  readonly figures?: readonly string[];
  /** Other resources shown below; `by` is their field (or `items.contract_id`) that holds this record's id. */
  readonly related?: readonly {
    readonly resource: string;
    readonly by: string;
    readonly title?: string;
    readonly columns?: readonly string[];
  }[];
  readonly panels?: readonly ('timeline' | 'attachments' | 'comments' | 'history')[];
  /** Ways to other pages with values of this record as query parameters: parameter name -> field. They open in a window of their own. */
  readonly links?: readonly {
    readonly title: string;
    readonly to: string;
    readonly with?: Readonly<Record<string, string>>;
  }[];
}

export const PAGE_KINDS = [
  'list',
  'edit',
  'details',
  'approval',
  'print',
  'settings',
  'custom',
  'dashboard',
] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

export interface PageDefinition {
  readonly route: string;
  readonly kind: PageKind;
  readonly title?: string;
  /** What customers read instead. */
  readonly partnerTitle?: string;
  /** `eq` members are stamped on create and read-only there. */
  readonly where?: Filter;
  readonly columns?: readonly ColumnDefinition[];
  readonly filters?: readonly string[];
  readonly group?: string;
  /** A reference into a tree: the tree stands beside the list and narrows it to a branch. */
  readonly tree?: string;
  /** Routes. */
  readonly list?: string;
  readonly edit?: string;
  readonly details?: string;
  readonly print?: string;
  /** Who sees the page in the menu. */
  /** `administration`: only the role with that duty. */
  readonly audience?: 'staff' | 'partner' | 'both' | 'administration';
  /** Reached only while in the person's menu (guard step 4). */
  readonly guard?: 'menu' | 'login' | 'public';
  /** custom, dashboard: the component that shows it. */
  readonly component?: string;
  /** Creating from this page is not offered. */
  readonly create?: boolean;
  /** settings, list: further resources, each in a tab of its own beside the page's. */
  readonly tabs?: readonly string[];
  /** list: what stands above the rows. */
  readonly overview?: OverviewDefinition;
  /** list: a picture of the rows, above them. */
  readonly chart?: ListChartDefinition;
}

/** Sums of a list's rows as a picture. */
export interface ListChartDefinition {
  readonly kind: 'bar' | 'stackedBar' | 'line';
  /** The field whose values stand along the axis. */
  readonly by: string;
  readonly amounts: readonly string[];
  /** A dictionary whose values have series of their own. */
  readonly per?: string;
}

/** A list at a glance: what is due when, how much is at stake a month, and how far each record has come. */
export interface OverviewDefinition {
  /** Which records are still to be dealt with. */
  readonly where?: Filter;
  /** Dates by which something has to be done, the first of them the one that counts. */
  readonly dates: readonly string[];
  /** The money at stake, and the date whose months it is drawn by (else the first of the dates). */
  readonly amount?: string;
  readonly month?: string;
  /** What has to be there, in its order: title to a field that is then true, filled or more than zero. */
  readonly steps: Readonly<Record<string, string>>;
}

export interface PrintDefinition {
  readonly id: string;
  readonly title: string;
  readonly template: string;
  readonly when?: Filter;
}

/** Images that come by a link from people without a session (a driver's phone): into which field, and for how long. */
export interface UploadsDefinition {
  /** An attachment field of the head. */
  readonly field: string;
  readonly title: string;
  /** Records that take images now; default: all. */
  readonly when?: Filter;
  /** How long a link is good (default 7). */
  readonly days?: number;
  /** How many files the field holds at most (default 50). */
  readonly max?: number;
  /** How many MiB a link brings in at most, removed images included (default 1000: the field full of the largest). */
  readonly maxTotalMb?: number;
  /** A log with the fields apply_id, record_type, record_id, record_no, file, file_name and uploaded_by, a row an image. */
  readonly log?: string;
}

export type ResourceKind = 'master' | 'document' | 'ledger' | 'log' | 'view' | 'config';
export type Mixin = 'scope' | 'biz' | 'appr' | 'note';

export interface ResourceDefinition {
  readonly $schema?: string;
  readonly resource: string;
  readonly title: string;
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
  readonly holds?: readonly HoldDefinition[];
  readonly vouchers?: readonly VoucherDefinition[];
  readonly voucherBook?: VoucherBookDefinition;
  readonly lifecycle?: LifecycleDefinition;
  readonly access?: readonly AccessDefinition[];
  readonly indexes?: readonly (readonly string[])[];
  readonly list?: ListDefinition;
  readonly edit?: readonly SectionDefinition[];
  readonly details?: DetailsDefinition;
  readonly print?: readonly PrintDefinition[];
  readonly pages?: readonly PageDefinition[];
}
