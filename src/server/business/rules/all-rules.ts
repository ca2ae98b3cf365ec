import { SESSION_RULES } from '#server/auth/session-rules.ts';
import { ARTICLE_RULES } from './article-rules.ts';
import { CREDIT_RULES } from './credit-rules.ts';
import { DOCUMENT_RULES } from './document-rules.ts';
import { HS_IMPORT_RULES } from '#server/business/setup/hs-import-job.ts';
import { DOCUMENT_SET_RULES } from './document-set-rules.ts';
import { INVOICE_RULES } from './invoice-matches.ts';
import { LETTER_RULES } from './letter-rules.ts';
import { LOGIN_RULES } from './login-rules.ts';
import { MASTER_RULES } from './master-rules.ts';
import { MESSAGE_RULES } from './message-rules.ts';
import { PERIOD_RULES } from './period-rules.ts';
import { PRINT_RULES } from './print-rules.ts';
import { RECEIPT_RULES } from './receipt-rules.ts';
import { REPORT_RULES } from './report-rules.ts';
import { SECOND_PERSON_RULES } from './second-person-rules.ts';
import { SEGREGATION_RULES } from './segregation-rules.ts';
import { STATEMENT_RULES } from './statement-rules.ts';
import { VOUCHER_RULES } from './voucher-rules.ts';
import type { RuleSet } from '#server/records/rules/rule-registry.ts';

/** Every rule set of the server. The linter reads the names from here, the start builds the registry. */
export const RULE_SETS: readonly RuleSet[] = [
  SESSION_RULES,
  ARTICLE_RULES,
  CREDIT_RULES,
  DOCUMENT_RULES,
  HS_IMPORT_RULES,
  DOCUMENT_SET_RULES,
  INVOICE_RULES,
  LETTER_RULES,
  LOGIN_RULES,
  MASTER_RULES,
  MESSAGE_RULES,
  PERIOD_RULES,
  PRINT_RULES,
  RECEIPT_RULES,
  REPORT_RULES,
  SECOND_PERSON_RULES,
  SEGREGATION_RULES,
  STATEMENT_RULES,
  VOUCHER_RULES,
];
