import { companyTime } from '#engine/values/dates.ts';

/** One audit row as GET /data/{resource}/{id}/history tells it. */
export interface HistoryRow {
  readonly id: string;
  readonly at: string;
  readonly person_name: string | null;
  readonly for_sales_name?: string | null;
  readonly on_behalf_name?: string | null;
  readonly action: string;
  readonly action_title?: string;
  readonly from_status: string | null;
  readonly to_status: string | null;
  readonly opinion: string | null;
  readonly changes: readonly {
    readonly field: string;
    readonly title: string;
    readonly old: unknown;
    readonly new: unknown;
  }[];
}

/** An instant as the company's clock shows it: 2026-11-20 14:05. */
export function shownTime(at: string): string {
  return companyTime(at);
}

/** A value of a change in one line of text. */
export function changeText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '（空）';
  if (typeof value === 'boolean') return value ? '是' : '否';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
