import { SESSION_RULES } from '../auth/session-rules.ts';
import { GENERIC_RULES } from './generic-rules.ts';
import { ARTICLE_RULES } from './trade/article-rules.ts';
import { CREDIT_RULES } from './trade/credit-rules.ts';
import { DOCUMENT_RULES } from './trade/document-rules.ts';
import { INVOICE_RULES } from './trade/invoice-rules.ts';
import { MASTER_RULES } from './trade/master-rules.ts';
import { MESSAGE_RULES } from './trade/message-rules.ts';
import type { RuleSet } from './rule-registry.ts';

/** Every rule set of the server. The linter reads the names from here, the start builds the registry. */
export const RULE_SETS: readonly RuleSet[] = [
  GENERIC_RULES,
  SESSION_RULES,
  ARTICLE_RULES,
  CREDIT_RULES,
  DOCUMENT_RULES,
  INVOICE_RULES,
  MASTER_RULES,
  MESSAGE_RULES,
];
