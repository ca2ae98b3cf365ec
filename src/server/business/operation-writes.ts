/**
 * What operations of the server besides named rules write and run, for the lint: approvals, the verification of invoices,
 * registration, the merge of suppliers, sign-in, the drawing of numbers.
 */
export const OPERATION_WRITES: readonly string[] = [
  'approval_task.*',
  'invoice_check.*',
  'invoice_image.*',
  'number_rule.current',
  'partner!register',
  'partner.accounts.last_login_at',
  'supplier!merge',
];
