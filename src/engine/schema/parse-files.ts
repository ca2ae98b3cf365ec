import type { ReportDefinition } from '../report/report-definition.ts';
import type { ReportFile } from '../report/lint-report.ts';
import { REPORT_SCHEMA } from '../report/report-schema.ts';
import type { PrintFile } from '../print/lint-print.ts';
import { PRINT_FILE_SCHEMA } from '../print/print-schema.ts';
import type { PrintTemplate } from '../print/print-template.ts';
import type { ResourceDefinition } from './definition.ts';
import { expandResource } from './expand-resource.ts';
import type { Verdict } from './lint-memory.ts';
import type { Resource } from './resource.ts';
import { RESOURCE_SCHEMA } from './resource-schema.ts';
import { schemaFaults } from './schema-faults.ts';
import { isPrintFile, isReportFile, setupName } from './setup-files.ts';
import { SETUP_SCHEMAS } from './setup-schema.ts';
import { type LintFault, readSource, type SourceFile, trustSource } from './source-file.ts';

export interface DefinitionFile {
  readonly path: string;
  readonly text: string;
}

export interface ResourceFile {
  readonly file: SourceFile;
  readonly definition: ResourceDefinition;
  readonly resource: Resource;
}

/** A file by itself: its text, what is wrong with its form, and what it defines when nothing is. */
export interface ParsedFile {
  readonly text: string;
  readonly file: SourceFile;
  readonly faults: readonly LintFault[];
  readonly resource: ResourceFile | null;
  readonly report: ReportFile | null;
  readonly print: PrintFile | null;
  /** What the lint said of it beside other files, while that stands. */
  verdict?: Verdict;
}

/** Files that were parsed before, by path: what did not change is not read again. */
export type ParsedFiles = Map<string, ParsedFile>;

/** Reads a file and checks its form, unless that was done with this very text. */
export function parseFile(
  { path, text }: DefinitionFile,
  hashOf: (text: string) => string,
  parsed: ParsedFiles,
): ParsedFile {
  const known = parsed.get(path);
  if (known?.text === text) return known;
  const { file, faults: syntax } = readSource(path, text);
  const made = takeApart(file, syntax.length > 0 ? syntax : schemaFaults(file, schemaOf(path)), hashOf);
  parsed.set(path, made);
  return made;
}

/** Reads a file whose form was found right before: its syntax tree is made when a place in it is asked for. */
export function trustFile(
  { path, text }: DefinitionFile,
  hashOf: (text: string) => string,
  parsed: ParsedFiles,
): ParsedFile {
  const made = takeApart(trustSource(path, text), [], hashOf);
  parsed.set(path, made);
  return made;
}

/** What a file of good form defines; by its path it is a resource, a report, a print or of the setup. */
function takeApart(
  file: SourceFile,
  faults: readonly LintFault[],
  hashOf: (text: string) => string,
): ParsedFile {
  const { path, text } = file;
  const plain = { text, file, faults, resource: null, report: null, print: null };
  if (faults.length > 0 || setupName(path) !== null) return plain;
  if (isReportFile(path)) return { ...plain, report: { file, definition: file.value as ReportDefinition } };
  if (isPrintFile(path)) return { ...plain, print: { file, template: file.value as PrintTemplate } };
  const definition = file.value as ResourceDefinition;
  return { ...plain, resource: { file, definition, resource: expandResource(definition, hashOf(text)) } };
}

function schemaOf(path: string): object {
  if (isReportFile(path)) return REPORT_SCHEMA;
  if (isPrintFile(path)) return PRINT_FILE_SCHEMA;
  const setup = setupName(path);
  if (setup === null) return RESOURCE_SCHEMA;
  const schemas: Readonly<Record<string, object>> = SETUP_SCHEMAS;
  return schemas[setup] ?? {};
}
