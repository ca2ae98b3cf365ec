import { AppError } from '#server/kernel/errors.ts';
import { openCall } from '#server/records/call/open-call.ts';
import { isRehearsal } from '#server/records/call/rehearsal.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import { assembleSet, type AssembledSet } from '#server/workflow/printing/assemble-set.ts';
import { setFiles } from '#server/workflow/printing/set-files.ts';
import { updateNamed } from '#server/business/named-records.ts';
import type { ResourceName } from '#trade/names.ts';
import { companyOf, textOf } from './rule-values.ts';

/** What the shipped set is of. */
const HEAD = 'shipment' satisfies ResourceName;

/** Makes the papers of one snapshot, checks them against each other and keeps them as files of the set. */
async function assembleDocuments(call: RuleCall): Promise<void> {
  const { record, tx } = call;
  const set = await assembled(call);
  await updateNamed(call, 'document_set', {
    id: String(record['id']),
    action: 'make',
    fields: {
      // What is only tried lays out no pages and leaves no file behind.
      ...(isRehearsal(tx) ? {} : await keepFiles(call, set)),
      papers: set.papers.map(({ title, english, number, print }) => ({
        title,
        english,
        record_no: number,
        blocks: print.filled.blocks.length,
      })),
      differences: set.differences.map(({ check, group, placeA, valueA, placeB, valueB }) => ({
        title: check,
        part: group === '' ? null : group,
        place_a: placeA,
        value_a: valueA,
        place_b: placeB,
        value_b: valueB,
      })),
      fingerprint: set.fingerprint,
      changes_then: record['changes'] ?? 0,
    },
  });
}

/** The papers as one PDF and one by one, as files of the set. */
async function keepFiles(
  call: RuleCall,
  { papers }: AssembledSet,
): Promise<{ readonly file: readonly string[]; readonly archive: readonly string[] }> {
  const { record, services, caller, tx } = call;
  const name = `${textOf(record, 'set_no') ?? ''} V${String(record['version_no'] ?? 1)}`;
  const { pdf, zip } = await setFiles(services.config, papers);
  const owner = {
    coCode: companyOf(call),
    createdBy: caller.subject.id,
    resource: 'document_set',
    recordId: String(record['id']),
  };
  const keep = async (field: string, bytes: Buffer, ending: string): Promise<string> => {
    const stored = await services.files.store({ bytes, name: `${name}.${ending}` });
    return (await services.files.register(tx, stored, { ...owner, field, at: services.clock() })).id;
  };
  return { file: [await keep('file', pdf, 'pdf')], archive: [await keep('archive', zip, 'zip')] };
}

/** Whether the papers would still be what they were made as. */
async function recheckDocuments(call: RuleCall): Promise<void> {
  const { fingerprint } = await assembled(call);
  if (fingerprint === textOf(call.record, 'fingerprint')) return;
  await updateNamed(call, 'document_set', {
    id: String(call.record['id']),
    action: 'recheck',
    fields: { is_changed: true },
  });
}

/** As whoever runs the action may see it: what is closed to him would be empty on the papers. */
function assembled({ record, services, caller }: RuleCall): Promise<AssembledSet> {
  const set = services.definitions.setup().documentSets.find(({ resource }) => resource === HEAD);
  if (set === undefined) throw new AppError('RULE_REFUSED', { message: '没有成套单证的定义' });
  const head = openCall(services, caller, HEAD, 'print');
  return assembleSet(head, { set, id: textOf(record, 'shipment_id') ?? '' });
}

/** The rules of document sets, by the names that the definitions use. */
export const DOCUMENT_SET_RULES: RuleSet = {
  effects: {
    assemble_documents: {
      run: assembleDocuments,
      reads: ['document_set.shipment_id', 'document_set.changes'],
      writes: [
        'document_set.file',
        'document_set.archive',
        'document_set.papers',
        'document_set.differences',
        'document_set.fingerprint',
        'document_set.changes_then',
      ],
      why: 'lays out papers and writes files',
    },
    recheck_documents: {
      run: recheckDocuments,
      reads: ['document_set.fingerprint'],
      writes: ['document_set.is_changed'],
      why: 'compares papers as they would be with those that were made',
    },
  },
};
