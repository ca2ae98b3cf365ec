import { createContext, useContext } from 'react';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import type { FieldPlace, PickedRecord } from './field-view.ts';

export interface LookupQuery {
  readonly keyword?: string;
  readonly currentPage?: number;
  readonly pageSize?: number;
  /** Exact labels, numbers or names to resolve in one call (paste from Excel). */
  readonly texts?: readonly string[];
}

export interface LookupAnswer {
  readonly records: readonly PickedRecord[];
  readonly total: number;
}

export interface UploadedFile {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly type: string;
  /** Who brought it: a person, or somebody's link. Empty when nobody is known. */
  readonly uploadedBy: string;
  /** ISO 8601, empty when unknown. */
  readonly uploadedAt: string;
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
  readonly lookup: (place: FieldPlace, query: LookupQuery, signal?: AbortSignal) => Promise<LookupAnswer>;
  readonly upload: (request: UploadRequest) => Promise<UploadedFile>;
  /** Has the server fetch a picture from the web; the address of the product's own copy. */
  readonly capture: (address: string, place: FieldPlace) => Promise<string>;
  readonly fileInfo: (id: string) => Promise<UploadedFile | null>;
  /** The file's content, fetched with the session. */
  readonly fileContent: (id: string) => Promise<Blob>;
  /** A small picture of an image file. */
  readonly thumbnail: (id: string) => Promise<Blob>;
  /** Definition of another resource, null when the role may not see it. */
  readonly resource: (key: string) => Promise<Resource | null>;
  /** Opens a record's details in a tab; null when no page shows that resource. */
  readonly openRecord: (resource: string, id: string) => void;
}

export const FieldServicesContext = createContext<FieldServices | null>(null);

/** The services around a control; null outside the shell, where lookups and uploads are not offered. */
export function useFieldServices(): FieldServices | null {
  return useContext(FieldServicesContext);
}

/** Reads an answer of POST /lookup; anything of another shape counts as no candidates. */
export function parseLookupAnswer(data: unknown): LookupAnswer {
  if (!isObject(data) || !Array.isArray(data['records'])) return { records: [], total: 0 };
  const records = data['records'].filter(isObject).map(parsePicked);
  return { records, total: typeof data['total'] === 'number' ? data['total'] : records.length };
}

function parsePicked(record: Record<string, unknown>): PickedRecord {
  const caption = record['caption'];
  return {
    id: String(record['id']),
    label: typeof record['label'] === 'string' ? record['label'] : String(record['id']),
    caption: Array.isArray(caption) ? caption.filter((text) => typeof text === 'string') : [],
    fill: objectOr(record['fill']),
    fillLabels: labelsOr(record['fillLabels']),
    paths: objectOr(record['paths']),
  };
}

function objectOr(value: unknown): ErpRecord {
  return isObject(value) ? value : {};
}

function labelsOr(value: unknown): PickedRecord['fillLabels'] {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, label]) => [name, typeof label === 'string' ? label : null]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
