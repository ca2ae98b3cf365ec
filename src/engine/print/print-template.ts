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
  readonly blocks: readonly PrintBlock[];
}

/** How a placeholder's value is written. */
export const PRINT_FORMATS = ['en', 'money', 'number', 'words', 'yuan', 'upper', 'code'] as const;
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
  | (Conditional & { readonly kind: 'signatures'; readonly parties: readonly SignaturePart[] })
  | (Conditional & { readonly kind: 'space'; readonly height: number });

interface FieldsBlock {
  readonly kind: 'fields';
  /** Side by side; default 2. */
  readonly columns?: 1 | 2 | 3;
  /** Draws a grid around labels and values. */
  readonly grid?: boolean;
  readonly items: readonly FieldPart[];
}

export interface FieldPart {
  readonly label: string;
  readonly value: string;
  /** Takes the whole width. */
  readonly wide?: boolean;
  /** Stands there although it is empty: to be filled in by hand. Otherwise an empty value is left out. */
  readonly keep?: boolean;
}

export interface PartyPart {
  readonly label: string;
  /** Empty ones are left out. */
  readonly lines: readonly string[];
}

interface TableBlock {
  readonly kind: 'table';
  /** The lines of the record. */
  readonly lines: string;
  readonly columns: readonly TableColumn[];
  /** Lines with the same text stand together under it. */
  readonly group?: string;
  /** Lines of zero height besides: an empty table is printed, too. */
  readonly keep?: boolean;
  /** Says of the totals what they are; without it there are none. */
  readonly total?: string;
  /** Sums so far at the foot of a page and the head of the next (过次页, 承前页). */
  readonly carry?: boolean;
}

export interface TableColumn {
  readonly label: string;
  readonly value: string;
  /** Share of the width. */
  readonly width: number;
  readonly align?: 'left' | 'right' | 'center';
  /** Summed up; the value is then one placeholder of a number. */
  readonly sum?: boolean;
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

export interface SignaturePart {
  readonly label: string;
  readonly name: string;
  /** Room for the company's chop. */
  readonly seal?: boolean;
}
