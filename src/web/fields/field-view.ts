import type { ComponentType } from 'react';
import type { Comparison } from '#engine/schema/definition.ts';
import type { ErpRecord, Field } from '#engine/schema/resource.ts';

/** Text of a reference or dictionary value as the server sent it in `_labels`; a list for `multiple`. */
export type ValueLabel = string | readonly string[] | null | undefined;

/** What a reference control hands over beside the id: its text, the values that the schema fills, and what rules read of the picked record. */
export interface PickedRecord {
  readonly id: string;
  readonly label: string;
  readonly caption: readonly string[];
  readonly fill: ErpRecord;
  readonly fillLabels: Readonly<Record<string, ValueLabel>>;
  readonly paths: ErpRecord;
}

/** Where a control stands: the server looks up candidates of a field for a record, so it needs both. */
export interface FieldPlace {
  readonly resource: string;
  /** `buyer_id`, or `items.goods_id` inside lines. */
  readonly path: string;
  /** The record as typed so far, read when a lookup runs. Inside lines: the line, with its head under `parent`. */
  readonly readRecord: () => ErpRecord;
  /** Title of the field that has to be chosen before this one; null when nothing is missing. */
  readonly awaits?: () => string | null;
  /** The title of what narrows its candidates too and is still empty, though one may choose without. */
  readonly narrowedBy?: () => string | null;
}

export interface ControlProps {
  readonly field: Field;
  readonly value: unknown;
  readonly onChange: (value: unknown, picked?: PickedRecord | readonly PickedRecord[] | null) => void;
  readonly onBlur?: (() => void) | undefined;
  readonly id?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly isInvalid?: boolean | undefined;
  readonly describedBy?: string | undefined;
  readonly label?: ValueLabel;
  /** Resolved code of a money field's currency. */
  readonly currency?: string | undefined;
  readonly place?: FieldPlace | undefined;
  /** Inside a grid cell: no border, focused as soon as it appears. */
  readonly isCell?: boolean | undefined;
  /** With `isCell`: entered by a click, so a list opens at once. */
  readonly isClicked?: boolean | undefined;
  /** Of a date: the panel offers no day before it. */
  readonly earliest?: string | undefined;
  /** id of the saved record, for uploads. */
  readonly recordId?: string | undefined;
}

export interface ShowProps {
  readonly field: Field;
  readonly value: unknown;
  readonly label?: ValueLabel;
  readonly currency?: string | undefined;
  /** Given where a reference may be opened. */
  readonly onOpen?: ((resource: string, id: string) => void) | undefined;
}

export interface FilterControlProps {
  readonly field: Field;
  readonly value: Comparison | undefined;
  readonly onChange: (value: Comparison | undefined) => void;
  readonly id?: string | undefined;
  readonly place?: FieldPlace | undefined;
}

/** What the pages know of one field type. */
export interface FieldView {
  readonly Control: ComponentType<ControlProps>;
  /** For lists and grids: text, or as few elements as possible. */
  readonly Cell: ComponentType<ShowProps>;
  /** In tables of lines that are read, where it is more than the cell of a list. */
  readonly LineCell?: ComponentType<ShowProps>;
  readonly Detail: ComponentType<ShowProps>;
  readonly FilterControl: ComponentType<FilterControlProps>;
}
