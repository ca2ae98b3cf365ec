import type { Filter } from '../schema/definition.ts';

/**
 * A document that leaves the house, as a file: blocks from top to bottom. Texts hold placeholders: `{invoice_no}` a field,
 * `{buyer_id.name_en}` one of a referenced record, `{company.name_en}` the company, and in cells of a table the columns of
 * its lines first. A format follows a colon: `{etd:en}`.
 */
export interface PrintTemplate {
  /** What resources name it by. */
  readonly print: string;
  readonly resource: string;
  readonly title: string;
  /** Whether numbers, dates and yes or no read English or Chinese; labels are what the template says. */
  readonly language: 'en' | 'zh';
  readonly landscape?: boolean;
  /** Everything so much smaller, at least half: for official forms that have to fit their sheet. */
  readonly scale?: number;
  readonly blocks: readonly PrintBlock[];
  /** What a mail says that brings it, with the same placeholders. */
  readonly mail?: MailTemplate;
}

/** The words of a mail, as they are proposed to who sends it. */
export interface MailTemplate {
  /** An action that is run before it is sent, where the record's state has it: to see whether it still may be. */
  readonly first?: string;
  /** Only then it may be sent. */
  readonly when?: Filter;
  readonly to?: string;
  readonly subject: string;
  readonly lines: readonly string[];
  /** Attachments of the record that it is to bring: their files are proposed. */
  readonly files?: readonly string[];
}

/** Pictures of a company that go on paper. */
export const PICTURE_KINDS = ['logo', 'official', 'contract', 'document', 'finance', 'invoice'] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];

/** How a placeholder's value is written. */
export const PRINT_FORMATS = [
  'en',
  'money',
  'number',
  'words',
  'yuan',
  'upper',
  'code',
  'plus',
  'minus',
] as const;
export type PrintFormat = (typeof PRINT_FORMATS)[number];

interface Conditional {
  /** Printed only when this holds for the record. */
  readonly when?: Filter;
}

export type PrintBlock =
  | (Conditional & { readonly kind: 'letterhead'; readonly name: string; readonly lines?: readonly string[] })
  | (Conditional & { readonly kind: 'title'; readonly text: string; readonly sub?: string })
  | (Conditional & FieldsBlock)
  | (Conditional & { readonly kind: 'parties'; readonly parties: readonly PartyPart[] })
  | (Conditional & TableBlock)
  | (Conditional & TextBlock)
  | (Conditional & SignaturesBlock)
  | (Conditional & { readonly kind: 'space'; readonly height: number });

interface FieldsBlock {
  readonly kind: 'fields';
  /** Side by side, at most 8; default 2. */
  readonly columns?: number;
  /** Draws a grid around labels and values. */
  readonly grid?: boolean;
  /** Labels in small letters above their values, as on official forms. */
  readonly stacked?: boolean;
  /** The next block follows without a gap, as another row of the same form. */
  readonly joined?: boolean;
  /** 1., 2., 3. before the labels that are printed. */
  readonly numbered?: boolean;
  readonly items: readonly FieldPart[];
}

export interface FieldPart {
  readonly label: string;
  readonly value: string;
  /** Takes the whole width. */
  readonly wide?: boolean;
  /** Stands there although it is empty: to be filled in by hand. Otherwise an empty value is left out. */
  readonly keep?: boolean;
  /** Its share of the row; default 1. */
  readonly width?: number;
}

export interface PartyPart {
  readonly label: string;
  /** Empty ones are left out. */
  readonly lines: readonly string[];
}

interface TableBlock {
  readonly kind: 'table';
  /** The lines of the record, or over references those of another (`shipment_id.items`); without it `from` says. */
  readonly lines?: string;
  /** Other records instead of lines. */
  readonly from?: RelatedRows;
  /** What the row is called that says with what columns with `running` begin, and that with which they end. */
  readonly opening?: string;
  readonly closing?: string;
  readonly columns: readonly TableColumn[];
  /** Lines with the same text stand together under it. */
  readonly group?: string;
  /** Lines of zero height besides: an empty table is printed, too. */
  readonly keep?: boolean;
  /** Says of the totals what they are; without it there are none. */
  readonly total?: string;
  /** Sums so far at the foot of a page and the head of the next (过次页, 承前页). */
  readonly carry?: boolean;
  /** The next block follows without a gap, as another row of the same form. */
  readonly joined?: boolean;
}

export interface TableColumn {
  readonly label: string;
  readonly value: string;
  /** Share of the width. */
  readonly width: number;
  readonly align?: 'left' | 'right' | 'center';
  /** Summed up; the value is then one placeholder of a number. */
  readonly sum?: boolean;
  /** The unit of the number: different units are summed apart, each with its name. */
  readonly unit?: string;
  /** The number so far: this line's and those before it. */
  readonly running?: boolean;
}

/** Records that refer to the printed one. */
export interface RelatedRows {
  readonly resource: string;
  /** Their reference to it. */
  readonly by: string;
  readonly where?: Filter;
  readonly sort?: readonly string[];
  /** The date that the printed period is of; `{period.from}` and `{period.to}` say which it is. */
  readonly period?: string;
}

interface TextBlock {
  readonly kind: 'text';
  readonly lines: readonly string[];
  readonly title?: string;
  readonly align?: 'left' | 'right' | 'center';
  readonly bold?: boolean;
  /** 1., 2., 3. before the lines that are printed. */
  readonly numbered?: boolean;
}

interface SignaturesBlock {
  readonly kind: 'signatures';
  /** The action whose approval signs: who handed in and who agreed at each level, before the parties. */
  readonly approvals?: string;
  readonly parties: readonly SignaturePart[];
}

export interface SignaturePart {
  readonly label: string;
  readonly name: string;
  /** Room for the chop. */
  readonly seal?: boolean;
  /** Which of the company's seals stands there, and when; where the company has none its room stays empty. */
  readonly stamp?: StampPart;
  /** What stands below the line. */
  readonly foot?: string;
}

export interface StampPart {
  readonly kind: PictureKind;
  /** Without it always. */
  readonly when?: Filter;
}
