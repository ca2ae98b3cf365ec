import {
  type FilledMail,
  fillMail,
  fillPrint,
  type PrintSource,
  type Signer,
} from '#engine/print/fill-print.ts';
import type { FilledPrint } from '#engine/print/filled-print.ts';
import { plainTemplate } from '#engine/print/plain-template.ts';
import type { PrintTemplate } from '#engine/print/print-template.ts';
import { describeFilter } from '#engine/filter/describe-filter.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { PrintDefinition } from '#engine/schema/layout-definition.ts';
import { addDays, companyTime } from '#engine/values/dates.ts';
import { AppError } from '#server/kernel/errors.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { companyValues } from '#server/records/definitions/regions.ts';
import { attachFor } from '#server/records/prepare/complete-record.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { isRecordId, readStored } from '#server/records/read/read-stored.ts';
import { readSigners } from '#server/workflow/approvals/read-signers.ts';
import { companyPictures, type Pictures, usedPictures } from './company-pictures.ts';
import { ownTemplate } from './own-templates.ts';
import { PathReader } from './print-paths.ts';
import { readValues } from './print-source.ts';
import type { PrintPeriod } from './related-rows.ts';

/** A record's print, filled in for whoever asks. */
export interface RecordPrint {
  readonly definition: PrintDefinition;
  readonly filled: FilledPrint;
  /** The pictures that it names. */
  readonly pictures: Pictures;
  /** At the foot of every page. */
  readonly foot: string;
  /** A name for its file, without an ending. */
  readonly name: string;
  /** What the record is called. */
  readonly number: string;
  /** The days that it is of; null for what is of no period. */
  readonly period: PrintPeriod | null;
  readonly mail: FilledMail;
  /** Why it may not be sent as a mail now; null when it may. */
  readonly mailRefusal: string | null;
}

/** Which print of which record. */
export interface PrintAsk {
  readonly id: string;
  readonly printId: string;
  readonly period?: Partial<PrintPeriod> | undefined;
  /** Instead of the template that serves: for the preview of one that is being written. */
  readonly template?: PrintTemplate;
}

/**
 * Fills one of a record's prints in, through the eyes of the caller. `on` is a transaction behind the caller's wall, for
 * several that have to be of one moment.
 * @throws NOT_FOUND, ACTION_NOT_ALLOWED when the print's condition does not hold
 */
export async function printRecord(
  call: Call,
  asked: PrintAsk,
  on: Reader | null = null,
): Promise<RecordPrint> {
  const { resource, services, caller } = call;
  const definition = resource.print.find(({ id }) => id === asked.printId);
  if (definition === undefined) throw new AppError('UNKNOWN_ACTION', { message: '没有这个打印模板' });
  const stored = isRecordId(asked.id)
    ? await readStored(on ?? callersReader(call), call, asked.id, { operation: 'print' })
    : null;
  if (stored === null) throw new AppError('NOT_FOUND');
  await attachFor(on ?? services.db, call, stored);
  const scope = recordScope(call, stored);
  if (definition.when !== undefined && !matchesFilter(definition.when, scope))
    throw new AppError('ACTION_NOT_ALLOWED', {
      message: `不能打印${definition.title}，须满足：${describeFilter(definition.when, scope)}`,
    });
  const coCode = String(stored['co_code'] ?? caller.subject.co_code);
  const template = asked.template ?? templateOf(call, { definition, coCode });
  const reader = new PathReader(call, on);
  const head = await reader.present(call, stored);
  const company = companyValues(services.definitions, coCode);
  const period = periodOf(template, { asked: asked.period, today: caller.context.today });
  const values = await readValues(reader, { template, head, call, company, period });
  const known = await companyPictures(services, coCode);
  const signers = await signersOf(call, stored, template);
  const source: PrintSource = {
    ...values,
    signers: (action) => signers.get(action) ?? [],
    holds: (when) => matchesFilter(when, scope),
    picture: (kind) => known[kind]?.name ?? null,
  };
  const filled = fillPrint(template, source);
  const number = String(head.record[resource.label] ?? '');
  const isOpen = template.mail?.when === undefined || matchesFilter(template.mail.when, scope);
  return {
    definition,
    filled: isOpen ? filled : { ...filled, note: NOT_IN_FORCE[template.language] },
    pictures: usedPictures(filled, known),
    foot: footOf(call, { template, number }),
    name: `${definition.title} ${number}`.replaceAll(/[\\/:*?"<>|]/g, '-').trim(),
    number,
    period,
    mail: fillMail(template, source),
    mailRefusal: isOpen
      ? null
      : `${definition.title}现在不能发出，须满足：${describeFilter(template.mail?.when, scope)}`,
  };
}

/** What may not be sent out says so on the paper too: a rejected invoice looks like any other. */
const NOT_IN_FORCE = { zh: '未生效，仅供核对', en: 'DRAFT - NOT VALID' } as const;

/** The template that a print has now in a company: its own, the file's, or none of either. */
export function templateOf(
  { resource, services }: Call,
  { definition, coCode }: { readonly definition: PrintDefinition; readonly coCode: string },
): PrintTemplate {
  const { template } = definition;
  const own = ownTemplate(services, coCode, template);
  return own ?? services.definitions.setup().prints[template] ?? plainTemplate(resource, definition);
}

/** Who signed in the approvals that a template names. */
async function signersOf(
  call: Call,
  record: OpenRecord,
  { blocks }: PrintTemplate,
): Promise<ReadonlyMap<string, readonly Signer[]>> {
  const signers = new Map<string, readonly Signer[]>();
  for (const block of blocks) {
    const action = block.kind === 'signatures' ? block.approvals : undefined;
    if (action !== undefined && !signers.has(action))
      signers.set(action, await readSigners(call, record, action));
  }
  return signers;
}

/** Who printed it when stands on papers of the house; what goes abroad has its number only. */
function footOf(
  { caller, services }: Call,
  { template, number }: { readonly template: PrintTemplate; readonly number: string },
): string {
  if (template.language === 'en') return number;
  return `${number}　打印：${caller.subject.name} ${companyTime(services.clock().toISOString())}`;
}

/** From the first of the month before until today, unless something else is asked for; null for what has no period. */
function periodOf(
  { blocks }: PrintTemplate,
  { asked, today }: { readonly asked: PrintAsk['period']; readonly today: string },
): PrintPeriod | null {
  const isOfPeriod = blocks.some((block) => block.kind === 'table' && block.from?.period !== undefined);
  if (!isOfPeriod) return null;
  const lastMonth = addDays(`${today.slice(0, 7)}-01`, -1);
  return { from: asked?.from ?? `${lastMonth.slice(0, 7)}-01`, to: asked?.to ?? today };
}
