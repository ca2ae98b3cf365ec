import { createContext, useContext } from 'react';
import type { FileView } from '#contract/files.ts';
import type { LookupAnswer, LookupForm } from '#contract/lookup.ts';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import type { FieldPlace, PickedRecord } from './field-view.ts';

export type LookupQuery = Pick<LookupForm, 'keyword' | 'currentPage' | 'pageSize' | 'texts'>;

/** What may be picked. */
export interface Candidates {
  readonly records: readonly PickedRecord[];
  readonly total: number;
}

/** The value of a line of an earlier document. */
export interface Recalled {
  readonly id: string;
  readonly resource: string;
  readonly document: string;
  readonly line: ErpRecord;
  readonly value: unknown;
  readonly on: string;
  readonly currency: string;
}

export interface UploadRequest {
  readonly file: File;
  readonly place: FieldPlace;
  readonly recordId: string | undefined;
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

/** What the controls need of the world around them. The shell provides it; tests give their own. */
export interface FieldServices {
  readonly lookup: (place: FieldPlace, query: LookupQuery, signal?: AbortSignal) => Promise<Candidates>;
  readonly upload: (request: UploadRequest) => Promise<FileView>;
  /** Has the server fetch a picture from the web; the address of the product's own copy. */
  readonly capture: (address: string, place: FieldPlace) => Promise<string>;
  readonly fileInfo: (id: string) => Promise<FileView | null>;
  /** The file's content, fetched with the session. */
  readonly fileContent: (id: string) => Promise<Blob>;
  /** A small picture of an image file. */
  readonly thumbnail: (id: string) => Promise<Blob>;
  /** Definition of another resource, null when the role may not see it. */
  readonly resource: (key: string) => Promise<Resource | null>;
  /** What a column had in the last documents that are alike in the fields it recalls; none while one of these is empty. */
  readonly recall: (place: FieldPlace, column: Field) => Promise<readonly Recalled[]>;
  /** Whether records of a resource may be opened at all. */
  readonly mayRead: (resource: string) => boolean;
  /** Opens a record's details in a tab; null when no page shows that resource. */
  readonly openRecord: (resource: string, id: string) => void;
}

export const FieldServicesContext = createContext<FieldServices | null>(null);

/** The services around a control; null outside the shell, where lookups and uploads are not offered. */
export function useFieldServices(): FieldServices | null {
  return useContext(FieldServicesContext);
}

/** An answer of a lookup as the controls take it. */
export function pickedRecords({ records, total }: LookupAnswer): Candidates {
  return {
    records: records.map((record) => ({ ...record, fillLabels: labelsOf(record.fillLabels) })),
    total,
  };
}

function labelsOf(labels: ErpRecord): PickedRecord['fillLabels'] {
  return Object.fromEntries(
    Object.entries(labels).map(([name, label]) => [name, typeof label === 'string' ? label : null]),
  );
}
