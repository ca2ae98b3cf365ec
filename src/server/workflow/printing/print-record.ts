import type { FilledPrint } from '#engine/print/filled-print.ts';
import { fillPrint } from '#engine/print/fill-print.ts';
import { cutText, templateTexts } from '#engine/print/placeholders.ts';
import { plainTemplate } from '#engine/print/plain-template.ts';
import type { PrintTemplate } from '#engine/print/print-template.ts';
import type { PrintValue } from '#engine/print/write-value.ts';
import { describeFilter } from '#engine/filter/describe-filter.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { PrintDefinition } from '#engine/schema/definition.ts';
import { companyTime } from '#engine/values/dates.ts';
import { AppError } from '#server/kernel/errors.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { companyValues } from '#server/records/definitions/regions.ts';
import { attachFor } from '#server/records/prepare/complete-record.ts';
import { presentRecord } from '#server/records/read/present-record.ts';
import { isRecordId, readStored } from '#server/records/read/read-stored.ts';
import { type Holder, linesOf, PathReader } from './print-paths.ts';

/** A record's print, filled in for whoever asks. */
export interface RecordPrint {
  readonly definition: PrintDefinition;
  readonly filled: FilledPrint;
  /** At the foot of every page: who printed it, when. */
  readonly foot: string;
  /** A name for its file, without an ending. */
  readonly name: string;
}

/** Fills one of a record's prints in, through the eyes of the caller. @throws NOT_FOUND, ACTION_NOT_ALLOWED when the print's condition does not hold */
export async function printRecord(
  call: Call,
  asked: { readonly id: string; readonly printId: string },
): Promise<RecordPrint> {
  const { resource, services, caller } = call;
  const definition = resource.print.find(({ id }) => id === asked.printId);
  if (definition === undefined) throw new AppError('UNKNOWN_ACTION', { message: '没有这个打印模板' });
  const { prints } = services.definitions.setup();
  const template = prints[definition.template] ?? plainTemplate(resource, definition);
  const stored = isRecordId(asked.id)
    ? await readStored(callersReader(call), call, asked.id, { operation: 'print' })
    : null;
  if (stored === null) throw new AppError('NOT_FOUND');
  await attachFor(services.db, call, stored);
  const scope = recordScope(call, stored);
  if (definition.when !== undefined && !matchesFilter(definition.when, scope))
    throw new AppError('ACTION_NOT_ALLOWED', {
      message: `不能打印${definition.title}，须满足：${describeFilter(definition.when, scope)}`,
    });
  const record = await presentRecord(services.db, call, stored);
  const head: Holder = { record, fields: resource.fields, parent: null };
  const company = companyValues(services.definitions, String(stored['co_code'] ?? caller.subject.co_code));
  const values = await readValues(new PathReader(call), { template, head, call, company });
  const number = String(record[resource.label] ?? '');
  return {
    definition,
    filled: fillPrint(template, { ...values, holds: (when) => matchesFilter(when, scope) }),
    foot: `${number}　打印：${caller.subject.name} ${companyTime(services.clock().toISOString())}`,
    name: `${definition.title} ${number}`.replaceAll(/[\\/:*?"<>|]/g, '-').trim(),
  };
}

const COMPANY = 'company.';

/** Every value that a template names, read before it is filled in. */
async function readValues(
  reader: PathReader,
  given: {
    readonly template: PrintTemplate;
    readonly head: Holder;
    readonly call: Call;
    readonly company: Readonly<Record<string, unknown>>;
  },
) {
  const { template, head, call, company } = given;
  const heads = new Map<string, PrintValue | null>();
  const lines = new Map<string, readonly Map<string, PrintValue | null>[]>();
  for (const { text, lines: name } of templateTexts(template)) {
    const paths = cutText(text).flatMap((part) => (typeof part === 'string' ? [] : [part.path]));
    for (const path of paths) {
      const isOfLine =
        name !== null && call.resource.fields[name]?.fields?.[path.split('.')[0] ?? ''] !== undefined;
      if (path.startsWith(COMPANY)) heads.set(path, named(company[path.slice(COMPANY.length)]));
      else if (!isOfLine) heads.set(path, heads.get(path) ?? (await reader.read(head, path)));
      else {
        const holders = linesOf(head, call.resource, name);
        const known = lines.get(name) ?? holders.map(() => new Map<string, PrintValue | null>());
        lines.set(name, known);
        for (const [place, holder] of holders.entries())
          known[place]?.set(path, await reader.read(holder, path));
      }
    }
  }
  return {
    head: (path: string) => heads.get(path) ?? null,
    lines: (name: string) =>
      linesOf(head, call.resource, name).map(
        (_holder, place) => (path: string) => lines.get(name)?.[place]?.get(path) ?? null,
      ),
  };
}

function named(value: unknown): PrintValue | null {
  return typeof value === 'string' ? { value, label: null, field: null, currency: null } : null;
}
