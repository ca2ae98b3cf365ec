/**
 * A resource with every default written out and its standard fields added. Plain data: it travels to the
 * browser as it is (less what the role may not see) and both sides work with the same object.
 */
import type { ProblemDetail } from './problem-detail.ts';
import type { RoleDuty } from '../access/role-duties.ts';
import type {
  FieldDefinition,
  Filter,
  NumberDefinition,
  ResourceKind,
  TitlesDefinition,
  UniqueDefinition,
} from './definition.ts';
import type {
  DetailsDefinition,
  ListDefinition,
  PageDefinition,
  PrintDefinition,
  SectionDefinition,
  UploadsDefinition,
} from './layout-definition.ts';
import type { MenuIcon } from './menu-icons.ts';
import type {
  AccessDefinition,
  ActionDefinition,
  ApprovalDefinition,
  RuleDefinition,
  StateDefinition,
} from './lifecycle-definition.ts';
import type { Workdays } from '../values/workdays.ts';
import type { LookupTable } from './lookup-table.ts';
import type { PostingAccount } from './posting-accounts.ts';
import type {
  AmendmentDefinition,
  BlockerDefinition,
  ExcludeDefinition,
  FollowDefinition,
  LimitDefinition,
  MakeDefinition,
  SecondPersonDefinition,
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

export interface Field extends Omit<FieldDefinition, 'fields'> {
  readonly name: string;
  readonly required: boolean;
  /** Added by the engine: id, version, co_code ... */
  readonly standard: boolean;
  /** Never taken from a client: formula, rollup, system, number and most standard fields. */
  readonly computed: boolean;
  /** Left empty in a new record it takes the record's number. */
  readonly drawn?: true;
  /** lines only: the columns, without id and line_order. */
  readonly fields?: Readonly<Record<string, Field>>;
  /** lines only: own formulas in the order in which they must run. */
  readonly formulaOrder?: readonly string[];
  /** status and dictionaries: names for lists of its values, `@name` in filters. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** `until`: the states at whose entry it is taken, and those in which it is still taken at every write. */
  readonly frozen?: { readonly at: readonly string[]; readonly open: readonly string[] };
  /** No column: neither mirrored nor a mirror (entries of ledgers; the value is their field for what is mirrored). */
  readonly liveBy?: string;
  /** No column: the ids of a record of a tree and of all above it, by this reference to the record above. */
  readonly lineageBy?: string;
  /** A reference into a tree: it may be compared by `under`. */
  readonly inTree?: true;
  /** What a reference to one record leads to: somebody one deals with, a document, or base data that all companies share. */
  readonly leadsTo?: 'party' | 'document' | 'base';
  /** In a browser, where `where` is not: the fields that its candidates depend on, `partner_id` or `parent.partner_id`. */
  readonly chosenAfter?: readonly string[];
}

export interface Approval extends Omit<ApprovalDefinition, 'released'> {
  /** Names of effects run when it is rejected or withdrawn. */
  readonly released: readonly string[];
  /** Entries that follow then. */
  readonly onRelease: readonly FollowDefinition[];
}

export interface Action extends Omit<ActionDefinition, 'from' | 'approval'> {
  readonly key: string;
  /** States, groups written out. */
  readonly from: readonly string[];
  readonly approval?: Approval;
  /** Rules and required fields are checked before it runs. */
  readonly complete: boolean;
}

export interface Lifecycle {
  readonly initial: string;
  readonly states: Readonly<Record<string, StateDefinition>>;
  /** States that are no more -> the state that their records enter. */
  readonly retired: Readonly<Record<string, string>>;
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Fields of the head that nobody may write once the record is made, since its first state does not open them. */
  readonly sealed: readonly string[];
  readonly actions: Readonly<Record<string, Action>>;
}

export interface Resource {
  readonly resource: string;
  readonly title: string;
  readonly partnerTitle?: string;
  readonly was?: string;
  readonly kind: ResourceKind;
  readonly scope: 'global' | 'company';
  readonly versioned: boolean;
  readonly appendOnly?: boolean;
  readonly source?: string;
  /** What holds where no row says otherwise, by the server's name for it. */
  readonly defaults?: string;
  readonly label: string;
  /** Known by a name that people give, where others are known by a number. */
  readonly isNamed?: boolean;
  readonly caption: readonly string[];
  readonly foremost?: Filter;
  readonly titles?: TitlesDefinition;
  readonly number?: NumberDefinition;
  /** In the order of the file, standard fields last. Every record has `id`. */
  readonly fields: Readonly<Record<string, Field>>;
  /**
   * Head formulas and line formulas in the order in which they must run: `items.amount` stands for the
   * formula of every line, `total_amount` for one of the head.
   */
  readonly formulaOrder: readonly string[];
  /** Paths over references that rules, formulas, guards and where-clauses read: `buyer_id.country_id.is_sanctioned`, `items.goods_id.hs_code`. The server loads their values. */
  readonly paths: readonly string[];
  /** Those of them that end in a percent field: said where the other resources are not at hand, in a browser. */
  readonly percentPaths?: readonly string[];
  /** The field that counts readers. */
  readonly reads?: string;
  readonly uploads?: Required<Omit<UploadsDefinition, 'log' | 'when'>> &
    Pick<UploadsDefinition, 'log' | 'when'>;
  readonly unique: readonly UniqueDefinition[];
  readonly rules: readonly RuleDefinition[];
  readonly checks: { readonly save: readonly string[]; readonly submit: readonly string[] };
  readonly effects: {
    readonly create: readonly string[];
    readonly update: readonly string[];
    readonly delete: readonly string[];
  };
  readonly limits: readonly LimitDefinition[];
  readonly makes: Readonly<Record<string, MakeDefinition>>;
  readonly then: Readonly<Record<'create' | 'update' | 'save' | 'delete', readonly FollowDefinition[]>>;
  readonly blockers: readonly BlockerDefinition[];
  readonly exclude: readonly ExcludeDefinition[];
  readonly tree?: TreeDefinition;
  readonly amendment?: AmendmentDefinition;
  readonly secondPerson?: SecondPersonDefinition;
  readonly ledger?: LedgerDefinition;
  readonly account?: AccountDefinition;
  readonly postings: readonly PostingDefinition[];
  readonly everyEntry?: ValueDefinitions;
  readonly holds: readonly HoldDefinition[];
  readonly vouchers: readonly VoucherDefinition[];
  readonly voucherBook?: VoucherBookDefinition;
  readonly lifecycle?: Lifecycle;
  readonly access: readonly AccessDefinition[];
  /** What a letter must allow whoever acts for a customer, to do more than read; see `ResourceDefinition`. */
  readonly mandate?: string;
  readonly partnerPath?: string;
  readonly indexes: readonly (readonly string[])[];
  readonly list: Required<Pick<ListDefinition, 'columns' | 'filters' | 'sort'>> &
    Pick<ListDefinition, 'group' | 'parts' | 'empty'>;
  readonly edit: readonly SectionDefinition[];
  readonly details: Required<Omit<DetailsDefinition, 'facts' | 'partner'>> &
    Pick<DetailsDefinition, 'partner'>;
  readonly print: readonly PrintDefinition[];
  readonly pages: readonly PageDefinition[];
  /** Hash of the file, for ETags and hot reload. */
  readonly hash: string;
}

/** All resources and dictionaries that serve together; a reload makes a new one. */
export interface Catalog {
  readonly resources: Readonly<Record<string, Resource>>;
  /** The tables of `lookup`, by name; none where there is no setup/tables.json. */
  readonly tables?: Readonly<Record<string, LookupTable>>;
  /** What the system parameters are called, by their names; none where there is no setup/parameters.json. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** What the keys of vouchers stand for, from setup/accounts.json; none where there is no such file. */
  readonly accounts?: Readonly<Record<string, PostingAccount>>;
  readonly dictionaries: Readonly<Record<string, Dictionary>>;
  readonly roles: Readonly<Record<string, RoleDefinition>>;
  readonly menu: readonly MenuGroup[];
  /** Which resources declare what others name without saying whose it is; looked for among all where it is not given. */
  readonly declaring?: { readonly accounts: readonly string[]; readonly voucherBooks: readonly string[] };
}

export interface Dictionary {
  readonly name: string;
  readonly label: string;
  readonly builtin: boolean;
  readonly items: readonly {
    readonly value: string;
    readonly label: string;
    /** What customers read instead. */
    readonly partnerLabel?: string;
    readonly isDefault?: boolean;
    readonly disabled?: boolean;
  }[];
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** Filled from a resource. */
  readonly from?: { readonly resource: string; readonly value: string; readonly label?: string };
}

export interface RoleDefinition {
  readonly code: string;
  /** What the program needs this role for; at most one role for each. */
  readonly duty?: RoleDuty;
  readonly name: string;
  readonly row_scope: string;
  readonly can_represent: boolean;
  readonly hidden_paths: readonly string[];
}

export interface MenuGroup {
  readonly title: string;
  readonly icon?: MenuIcon;
  /** Routes in order; a nested group nests the menu. */
  readonly items: readonly (string | MenuGroup)[];
}

/** A record as it travels: decimals, money, dates as text, lines as arrays, references as ids. */
export type ErpRecord = { readonly [field: string]: unknown };

/** Who asks; everything that filters and defaults may read as `{ "$": "user.x" }`. */
export interface Subject {
  readonly id: string;
  readonly personid: string;
  readonly name: string;
  readonly kind: 'staff' | 'partner';
  readonly role_code: string;
  readonly role_codes: readonly string[];
  readonly co_code: string;
  readonly dept_code: string;
  /** The department itself; null for partners and the system. */
  readonly dept_id?: string | null;
  readonly dept_codes: readonly string[];
  /** Self and the service targets the session may act for; narrowed when one is chosen. */
  readonly sales_ids: readonly string[];
  /** The service target chosen at login, else self: stamped on new records. */
  readonly sales_id: string | null;
  readonly partner_id: string | null;
  /** Who serves the customer that somebody signs in for; null or absent for employees, and where nobody is named. */
  readonly service_id?: string | null;
  readonly super_permission: boolean;
  readonly scope_override: string | null;
  /** What a letter lets somebody do who acts for a customer; absent: they act in their own right. */
  readonly mandates?: readonly string[];
}

/** Clock, subject and parameters that evaluation may read. `today` is the company's date (Asia/Shanghai), `now` an ISO instant. */
export interface EvaluationContext {
  readonly subject: Subject;
  readonly today: string;
  readonly now: string;
  /** System parameters (`param('QTY_TOLERANCE')`): percent kinds as fractions, in text. */
  readonly params: Readonly<Record<string, string>>;
  /** `rate('USD', 'book', date)`: CNY per unit, text; null when there is none. */
  readonly rate?: (currency: string, kind: string, date: string) => string | null;
  /** `param('REFUND_DEADLINE', date)`: what holds on a date; null when nothing does. */
  readonly paramOn?: (name: string, date: string) => string | null;
  /** Holidays and moved working days; without them Monday to Friday are worked. */
  readonly workdays?: Workdays;
  /** Decimals of amounts by currency, where they are not those of ISO 4217. */
  readonly decimals?: Readonly<Record<string, number>>;
  /** Inputs of the running action. */
  readonly input?: ErpRecord;
  /** What the inputs are, so that a percent is read as a fraction. */
  readonly inputFields?: Readonly<Record<string, Field>>;
  /** The company that the record belongs to: `company.name`, `company.tax_no` ... */
  readonly company?: ErpRecord;
}

/** What is wrong with one place of a record; the same from form and server. */
export interface FieldProblem {
  /** `lc_no`, `items.3.quantity` (by index of the submitted list), or '' for the whole record. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly level?: 'error' | 'warning';
  /** What a limit or a blocker refuses over. */
  readonly detail?: ProblemDetail;
}
