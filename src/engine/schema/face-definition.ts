import type { Filter } from './definition.ts';
import type { MenuGroup } from './resource.ts';

/** Records that a face shows, as the reader's list would: a few, the first by `sort`. */
export interface FaceRecords {
  readonly title?: string;
  readonly resource: string;
  /** Shown only to whoever may do this with the resource. */
  readonly do?: string;
  readonly where?: Filter;
  readonly sort?: readonly string[];
  readonly size?: number;
  /** The field that names a record; default: the resource's label. */
  readonly name?: string;
  /** The field whose words stand as its state; default: its status. Nothing where it is empty. */
  readonly state?: string;
  /** Texts and dates beside the name. */
  readonly fields?: readonly string[];
  /** Money fields, the first the one that counts. */
  readonly amounts?: readonly string[];
  /** Dates in order: what has one is done. */
  readonly steps?: readonly { readonly title: string; readonly field: string }[];
  /** Prints to open and to send on. */
  readonly prints?: readonly string[];
  /** Records below each: entries of an account by their reference to it. */
  readonly entries?: FaceRecords & { readonly by: string };
}

/** A page that one may begin something on. */
export interface FaceStart {
  readonly title: string;
  readonly resource: string;
  readonly do: string;
  readonly route: string;
}

export const FACE_KINDS = ['tasks', 'start', 'money', 'journey', 'records'] as const;

/** A part of a face's home page. */
export interface FaceBlock {
  readonly kind: (typeof FACE_KINDS)[number];
  readonly title: string;
  /** What stands there where nothing is to be shown; without it the part is left out. */
  readonly empty?: string;
  readonly records?: readonly FaceRecords[];
  readonly starts?: readonly FaceStart[];
}

/** What people of a duty see instead of the staff's menu and home page. */
export interface FaceDefinition {
  readonly menu: readonly MenuGroup[];
  readonly home: readonly FaceBlock[];
}
