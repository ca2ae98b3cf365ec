import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { performAction, requireAction } from '#server/records/action/run-action.ts';
import { type ChainRow, keepChain, keepLinks } from '#server/records/follow/document-chain.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import { readForWrite } from '#server/records/write/save-record.ts';
import type { DocumentForm } from './document-form.ts';
import { noteFilled } from './filled-makes.ts';
import { sourceOfLine } from './made-values.ts';

/**
 * After a document was saved that came from others: remembers what came from what, line by line, and runs the actions
 * that made it on its sources, as the person and in the same transaction.
 */
export async function keepMade(
  tx: Tx,
  call: Call,
  {
    form,
    saved,
    created,
  }: { readonly form: DocumentForm | null; readonly saved: OpenRecord; readonly created: CreatedRecord[] },
): Promise<void> {
  if (form !== null) await keepForm(tx, call, { form, saved });
  await keepLines(tx, call, saved);
  if (form !== null) await runCarriers(tx, call, { form, created });
}

async function keepForm(
  tx: Tx,
  call: Call,
  { form, saved }: { readonly form: DocumentForm; readonly saved: OpenRecord },
): Promise<void> {
  const { source, offered, records, drafts } = form;
  for (const [index, record] of records.entries())
    await keepChain(tx, {
      from: { resource: source.resource.resource, id: String(record['id']), make: offered.key },
      draft: {
        resource: call.resource.resource,
        line: drafts[index]?.line ?? null,
        per: drafts[index]?.per,
        lineSources: {},
      },
      made: saved,
      company: saved['co_code'],
    });
}

/** Each new line and the line that it came from. */
async function keepLines(tx: Tx, call: Call, saved: OpenRecord): Promise<void> {
  for (const field of Object.values(call.resource.fields)) {
    if (field.type !== 'lines') continue;
    const links = linesOf(saved[field.name]).flatMap((line): readonly ChainRow[] => {
      const from = sourceOfLine(line);
      delete line['_from'];
      if (from === null) return [];
      const { resource, id, make, line: fromLine } = from;
      return [
        { resource, id, make, fromLine: null, toLine: null },
        { resource, id, make, fromLine, toLine: String(line['id']) },
      ];
    });
    await keepLinks(tx, {
      to: { resource: call.resource.resource, id: String(saved['id']) },
      company: saved['co_code'],
      links,
    });
  }
}

async function runCarriers(
  tx: Tx,
  call: Call,
  { form, created }: { readonly form: DocumentForm; readonly created: CreatedRecord[] },
): Promise<void> {
  const { source, offered, records } = form;
  if (offered.action === null) return;
  const own = openAnyCall(call.services, call.caller, source.resource.resource);
  const action = requireAction(own, offered.action.key);
  for (const record of records) {
    const id = String(record['id']);
    noteFilled(tx, { resource: own.resource.resource, id, make: offered.key });
    const before = await readForWrite(tx, own, { id, version: null, operation: action.key });
    const request = { version: null, opinion: null };
    // What the document takes is taken by now: the form was asked for it, under the same lock.
    await performAction(tx, own, { action, before, request, created, isSystem: false, isAsked: true });
  }
}
