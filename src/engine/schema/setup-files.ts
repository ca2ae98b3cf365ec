import type { RoleDuty } from '../access/role-duties.ts';
import type { Filter } from './definition.ts';
import type { PageDefinition } from './layout-definition.ts';
import type { FaceDefinition, FaceStart } from './face-definition.ts';
import { type PostingAccount, readAccounts } from './posting-accounts.ts';
import { type LookupTable, readTables } from './lookup-table.ts';
import type { ReportChart, ReportDefinition } from '../report/report-definition.ts';
import type { DocumentSet } from '../print/document-set.ts';
import type { PrintTemplate } from '../print/print-template.ts';
import type { Dictionary, MenuGroup, RoleDefinition } from './resource.ts';

/** One default approval flow; its other keys are the server's. */
export interface FlowDefinition {
  readonly resource: string;
  readonly amount_field?: string;
  readonly condition?: Filter;
  readonly levels: readonly { readonly role?: string | readonly string[]; readonly condition?: Filter }[];
}

/** How an event is told where no row of the notice sources says otherwise. */
export interface EventDefinition {
  /** With placeholders: the general words, or fields of the record. */
  readonly title: string;
  /** What the event is called; default: the title without its placeholders. */
  readonly name?: string;
  readonly content?: string;
  /** What the partner's own accounts read instead; in other words, too, nobody of the house is named and no opinion told to them. */
  readonly partnerContent?: string;
  readonly level?: string;
  /** Role codes, and parts of the record: `owner`, `previous_owner`, `service`, `handler`, `manager`, `submitter`, `partner`. */
  readonly to?: readonly string[];
  /** `live`, `center`, `sms`; default: live and center. */
  readonly channel?: readonly string[];
  /** For warnings: so many days before the date, or the parameter that says how many. */
  readonly advance_days?: number | string;
  /** Resources whose records the program tells of with it, besides those whose actions name it. */
  readonly about?: readonly string[];
  /** The program knows who is told: rows change words, level and channel, not the receivers. */
  readonly isAddressed?: boolean;
}

/** What stands in a definition and waits for a resource still to come: `received_amount`, `!settle`, `status:settled`. */
export interface WaitingDefinition {
  readonly resource: string;
  readonly name: string;
  readonly for: string;
}

/** A page of its own: hand-written, or that of a report. */
export interface SetupPage extends PageDefinition {
  readonly report?: number;
}

/** The parsed files of `resources/setup` that the engine reads; others (regions, flows, parameters) go to the server as they are. */
export interface Setup {
  readonly dictionaries: readonly Dictionary[];
  readonly roles: readonly RoleDefinition[];
  readonly menu: readonly MenuGroup[];
  readonly pages: readonly SetupPage[];
  readonly flows: readonly FlowDefinition[];
  /** Notices by their codes, from message-events.json. */
  readonly events: Readonly<Record<string, EventDefinition>>;
  /** The tables of `lookup` by their names, from tables.json. */
  readonly tables: Readonly<Record<string, LookupTable>>;
  /** Accounts by the keys that vouchers name, from accounts.json. */
  readonly accounts: Readonly<Record<string, PostingAccount>>;
  readonly waiting: readonly WaitingDefinition[];
  /** The reports of the files in reports/, by their numbers. */
  readonly reports: Readonly<Record<string, ReportDefinition>>;
  readonly dashboards: Readonly<Record<string, DashboardDefinition>>;
  /** Menu and home page of the holders of a duty, from faces.json. */
  readonly faces: Partial<Readonly<Record<RoleDuty, FaceDefinition>>>;
  /** Print templates by their names, from the files in `prints` folders. */
  readonly prints: Readonly<Record<string, PrintTemplate>>;
  readonly documentSets: readonly DocumentSet[];
  /** Every setup file by its name without `.json`. */
  readonly files: Readonly<Record<string, unknown>>;
}

/** The name of a setup file (`menu` for `resources/setup/menu.json`), null for a resource file. */
export function setupName(path: string): string | null {
  const match = /(?:^|[\\/])setup[\\/]([^\\/]+)\.json$/.exec(path);
  return match?.[1] ?? null;
}

/** A card over a report's total. */
export interface DashboardCard {
  readonly title: string;
  readonly report: number;
  readonly column: string;
  /** Of a column in original currency the sum of this one. */
  readonly currency?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Together with `params`: those of the figure that it is compared with. */
  readonly before?: Readonly<Record<string, unknown>>;
  /** What that figure is called: 昨日. */
  readonly against?: string;
  readonly tone?: 'bad';
  /** A balance: how many entries make it up says nothing. */
  readonly stock?: boolean;
  /** Warnings: the column of days, and whether positive or negative ones are overdue. */
  readonly days?: string;
  readonly overdue?: 'positive' | 'negative';
  /** Warnings: the column of whom it concerns (default: the second that says something). */
  readonly party?: string;
  /** Warnings: together with `params`, what shows the overdue ones alone. */
  readonly late?: Readonly<Record<string, unknown>>;
}

/** A chart over a report's rows. */
export interface DashboardChart extends ReportChart {
  readonly title: string;
  readonly report: number;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Cards and charts of a page, from dashboards.json. */
export interface DashboardDefinition {
  /** Offered to whoever may do them, the first eight. */
  readonly starts?: readonly FaceStart[];
  readonly cards: readonly DashboardCard[];
  readonly charts?: readonly DashboardChart[];
}

/** Whether a path is that of a report's file. */
export function isReportFile(path: string): boolean {
  return /^reports[\\/][^\\/]+\.json$/.test(path);
}

/** The setup with the reports, and their pages among the others. */
export function withReports(setup: Setup, reports: readonly ReportDefinition[]): Setup {
  const pages = reports.map(({ report, title, route }): SetupPage => ({
    route,
    kind: 'custom',
    title,
    report,
    audience: 'both',
  }));
  return {
    ...setup,
    pages: [...setup.pages, ...pages],
    reports: Object.fromEntries(reports.map((report) => [String(report.report), report])),
  };
}

/** Whether a path is that of a print template. */
export function isPrintFile(path: string): boolean {
  return /(?:^|[\\/])prints[\\/][^\\/]+\.json$/.test(path);
}

/** Reads the setup from parsed files that passed their meta-schemas. */
export function readSetup(files: Readonly<Record<string, unknown>>): Setup {
  return {
    dictionaries: readDictionaries(files['dictionaries']),
    roles: list(files['roles']) as RoleDefinition[],
    menu: list(files['menu']) as MenuGroup[],
    pages: list(files['pages']) as PageDefinition[],
    flows: list(files['approval-flows']) as FlowDefinition[],
    events: readEvents(files['message-events']),
    tables: readTables(files['tables']),
    accounts: readAccounts(files['accounts']),
    waiting: list(files['waiting']) as WaitingDefinition[],
    reports: {},
    faces: record(files['faces']),
    dashboards: record(files['dashboards']) as Readonly<Record<string, DashboardDefinition>>,
    prints: {},
    documentSets: list(files['document-sets']) as DocumentSet[],
    files,
  };
}

type DictionaryFile = Readonly<Record<string, Omit<Dictionary, 'name'>>>;

function readDictionaries(file: unknown): readonly Dictionary[] {
  return Object.entries(record(file) as DictionaryFile)
    .filter(([name]) => name !== '$schema')
    .map(([name, dictionary]) => ({
      ...dictionary,
      name,
      builtin: dictionary.builtin ?? false,
      items: dictionary.items ?? [],
    }));
}

/** An event may be just its title. */
function readEvents(file: unknown): Readonly<Record<string, EventDefinition>> {
  const entries = Object.entries(record(file) as Record<string, string | EventDefinition>);
  return Object.fromEntries(
    entries
      .filter(([code]) => code !== '$schema')
      .map(([code, event]) => [code, typeof event === 'string' ? { title: event } : event]),
  );
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
