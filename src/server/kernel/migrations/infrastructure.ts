import { AUDIT_SEALS, ON_BEHALF } from './audit-steps.ts';
import { COUNTED_CALLS, FAILED_QUERIES, KEY_CLAIMS, KEY_OWNERS } from './call-steps.ts';
import { DEFINITION_FILES, DERIVED_TEXTS, EPOCH, RENAMES } from './definition-steps.ts';
import { CHAIN, CHAIN_PER, HOLDS_AND_VOUCHED } from './effect-steps.ts';
import { STORED_FILES, UPLOADS, UPLOAD_LINKS } from './file-steps.ts';
import { FIRST_TABLES } from './first-tables.ts';
import { IMPORT_PROGRESS } from './import-steps.ts';
import { LIVE_NOTICES, MAILS, NOTICE_LINKS, READERS, TOLD } from './message-steps.ts';
import { DELEGATED_KINDS, DELEGATIONS, IDENTITIES, PASSWORDS_DUE } from './person-steps.ts';

/**
 * The tables that no definition describes, as steps in the order in which they came. Databases remember only how many of
 * them they have run: a step that has been released is never edited and keeps its place, and a change is a new step at
 * the end.
 */
export const INFRASTRUCTURE_STEPS: readonly string[] = [
  FIRST_TABLES,
  DELEGATIONS,
  PASSWORDS_DUE,
  KEY_CLAIMS,
  DERIVED_TEXTS,
  COUNTED_CALLS,
  UPLOAD_LINKS,
  LIVE_NOTICES,
  READERS,
  STORED_FILES,
  UPLOADS,
  FAILED_QUERIES,
  NOTICE_LINKS,
  ON_BEHALF,
  RENAMES,
  CHAIN,
  KEY_OWNERS,
  DEFINITION_FILES,
  HOLDS_AND_VOUCHED,
  AUDIT_SEALS,
  EPOCH,
  MAILS,
  IDENTITIES,
  DELEGATED_KINDS,
  CHAIN_PER,
  IMPORT_PROGRESS,
  TOLD,
];
