/** What a resource file says of its pages: lists, details, menus, prints. */

import type { Filter } from './definition.ts';

export type ColumnDefinition =
  | string
  | {
      readonly field: string;
      /** A total below the list, of all records that are not dead, or of those that a condition admits. */
      readonly total?: boolean | { readonly where: Filter };
      readonly width?: number;
      readonly title?: string;
    };

export interface ListDefinition {
  readonly columns?: readonly ColumnDefinition[];
  readonly filters?: readonly string[];
  readonly sort?: readonly string[];
  readonly group?: string;
  /** A field with choices, each of which is a tab of the list. */
  readonly parts?: string;
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
  /** What the form does not show, by what it is, after its sections; what no section names comes last. */
  readonly facts?: readonly { readonly title: string; readonly fields: readonly string[] }[];
  /** Key figures on top. */
  readonly figures?: readonly string[];
  /** The whole page as customers read it, in their order: no other field of the record is on theirs. */
  readonly partner?: {
    readonly sections: readonly SectionDefinition[];
    readonly figures?: readonly string[];
  };
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
  /** list: the action that stands first in every row it may start from, for whoever may not edit that row. */
  readonly rowAction?: string;
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
  /** The field that is true or filled once that was done: then no day is waited for any more. */
  readonly done?: string;
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
