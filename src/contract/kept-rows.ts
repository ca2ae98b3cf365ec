/** Rows of templates that companies wrote themselves. */
export const PRINT_TEMPLATES = 'print_template';

/** Where people keep the reports that are sent to them. */
export const REPORT_SUBSCRIPTIONS = 'report_subscription';
