/** What a document enters into ledgers and vouchers, as a resource file says it. */
import type { Filter } from './definition.ts';
import type { StateNames, ValueDefinitions } from './effects-definition.ts';

/** A type or account that goes by a value: `{ "by": "pay_type", "goods": "PAY_GOODS", "*": "PAY_OTHER" }`. */
export type ByValue = { readonly by: string } & Readonly<Record<string, string>>;

export interface LedgerDefinition {
  readonly account: string;
  readonly amount: string;
  readonly after: string;
  readonly type: string;
  readonly net: string;
  readonly date: string;
  readonly reverses: string;
  readonly same: readonly string[];
  /** Fields for the source's resource, id and line. */
  readonly source: readonly [string, string, string];
  /** Field for the currency of the account. */
  readonly currency?: string;
  /** Text fields for what the source is called, and for the action that posted. */
  readonly label?: string;
  readonly event?: string;
  /** Field that says in words what an entry is about. */
  readonly summary?: string;
}

export interface AccountDefinition {
  readonly ledger: string;
  readonly balance: string;
  readonly held?: string;
  readonly available?: string;
  readonly key: readonly string[];
  /** Event when `available` sinks below zero. */
  readonly overdrawn?: string;
  readonly keys?: Readonly<Record<string, ValueDefinitions>>;
}

export interface PostingDefinition {
  /** A state entered, or an action. */
  readonly at: StateNames;
  readonly name?: string;
  readonly each?: string;
  readonly when?: Filter;
  readonly type?: string | ByValue;
  /** A reference, or a key of the account (`@general`). */
  readonly account?: string;
  readonly amount?: string;
  /** Default: today. A reversal may say it too. */
  readonly date?: string;
  readonly set?: ValueDefinitions;
  readonly force?: boolean | Filter;
  readonly reverse?: '*' | readonly string[];
}

export interface HoldDefinition {
  readonly in: StateNames;
  /** States at whose entry the account's limits are asked as if the hold were new. */
  readonly again?: readonly string[];
  readonly each?: string;
  readonly when?: Filter;
  readonly account: string;
  readonly amount: string;
}

export interface VoucherLineDefinition {
  readonly each?: string;
  readonly when?: Filter;
  readonly debit: string | ByValue;
  readonly credit: string | ByValue;
  readonly amount: string;
  /** Currency, amount and rate in foreign currency. */
  readonly fc?: { readonly currency: string; readonly amount: string; readonly rate?: string };
  readonly with?: ValueDefinitions;
  /** Dimensions of one side only, over those of both. */
  readonly withDebit?: ValueDefinitions;
  readonly withCredit?: ValueDefinitions;
}

/** The resource whose records are vouchers: which of its fields hold what. */
export interface VoucherBookDefinition {
  readonly date: string;
  readonly event: string;
  /** Fields for the source's resource and id. */
  readonly source: readonly [string, string];
  readonly reverses: string;
  /** Text field for what the source is called. */
  readonly label?: string;
  /** The state of a voucher that an event makes; default: the initial one. */
  readonly made?: string;
  readonly lines: string;
  /** Columns of the lines. What a voucher's `with` names are columns too. */
  readonly columns: {
    readonly key?: string;
    readonly code: string;
    readonly name?: string;
    readonly debit: string;
    readonly credit: string;
    readonly currency?: string;
    /** Amount and rate in foreign currency. */
    readonly foreign?: string;
    readonly rate?: string;
  };
  /** Rows of a company that say which account a key stands for. */
  readonly accounts?: {
    readonly of: string;
    readonly key: string;
    readonly code: string;
    readonly name: string;
  };
  /** The period that a date lies in; one that is missing is opened for its month (`yyyyMM`). */
  readonly period?: {
    readonly field: string;
    readonly month: string;
    readonly from: string;
    readonly to: string;
    /** States in which nothing is entered any more. */
    readonly closed: StateNames;
  };
}

export interface VoucherDefinition {
  readonly at: StateNames;
  readonly event: string;
  readonly date?: string;
  readonly when?: Filter;
  readonly lines: readonly VoucherLineDefinition[];
}
