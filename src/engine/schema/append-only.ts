import type { Resource } from './resource.ts';

/** True when rows are only ever added: by the file's word, else ledgers and logs without a lifecycle. */
export function isAppendOnly(resource: Pick<Resource, 'appendOnly' | 'kind' | 'lifecycle'>): boolean {
  const isRecordKeeping = resource.kind === 'ledger' || resource.kind === 'log';
  return resource.appendOnly ?? (isRecordKeeping && resource.lifecycle === undefined);
}
