import { plannedValues } from './report-statement.ts';
import { namingColumn, type ReportPlan } from '#engine/report/plan-report.ts';
import { rowName } from '#engine/report/report-definition.ts';
import { fieldOf } from '#engine/report/report-names.ts';
import type { Field } from '#engine/schema/resource.ts';
import { dictionaryLabels } from '#server/records/read/dictionary-labels.ts';
import { eyesOn, isPicker } from '#server/records/read/reader-eyes.ts';
import { loadReferences, needOf, type ReferenceNeed } from '#server/records/read/reference-book.ts';
import type { OpenSource } from './report-sources.ts';

/** The field that a value of a report shows, for its labels and its kind; of a union the first source's. */
export function shownField(
  open: OpenSource | undefined,
  text: string,
  plan: Pick<ReportPlan, 'report'>,
): Field | null {
  if (open === undefined) return null;
  const { call, named, lines } = open;
  const place = { resource: named, catalog: call.catalog, ...(lines === undefined ? {} : { lines }) };
  return fieldOf(text, place, { catalog: call.catalog, params: plan.report.params });
}

/** The text of a value: its own, or what the reader may know of what it refers to. */
export type LabelOf = (index: number, value: unknown) => string;

/** Reads the labels of everything that rows show, in one statement. */
export async function readLabels(
  sources: readonly OpenSource[],
  plan: ReportPlan,
  rows: readonly { readonly shown: readonly unknown[] }[],
): Promise<LabelOf> {
  const [open] = sources;
  const fields = plannedValues(plan).map(({ text }) => shownField(open, text, plan));
  if (open === undefined) return plainText;
  const { call } = open;
  const needs = new Map<string, ReferenceNeed>();
  for (const [index, field] of fields.entries()) {
    if (field?.type !== 'reference' || typeof field.to !== 'string') continue;
    const isNamed = eyesOn(call, field.to).seesLabel || isPicker(call, field.name);
    if (!isNamed) continue;
    const need = needOf(needs, field.to);
    need.isAnyCompany = true;
    for (const row of rows) {
      const id = row.shown[index];
      if (typeof id === 'string') need.ids.add(id);
    }
  }
  const book = await loadReferences(call.services.db, call.catalog, {
    needs: needs.values(),
    companies: [call.caller.subject.co_code],
    reader: call,
  });
  const texts = fields.map((field) => (field === null ? null : dictionaryLabels(call.catalog, field)));
  const named = plannedValues(plan).map((one) => namingColumn(plan, one));
  const empty = plannedValues(plan).map(
    ({ columns }) =>
      plan.columns.find(({ key, none }) => none !== undefined && columns.includes(key))?.none ?? EMPTY,
  );
  return (index, value) => {
    const name = rowName(named[index], value);
    if (name !== null) return typeof name === 'string' ? name : name.title;
    if (value === null || value === undefined || value === '') return empty[index] ?? EMPTY;
    const field = fields[index];
    if (field?.type !== 'reference') return texts[index]?.get(String(value)) ?? plainText(index, value);
    const row = typeof field.to === 'string' ? book.get(field.to)?.get(String(value)) : undefined;
    return row?.isOpen === true ? (row.label ?? EMPTY) : CLOSED;
  };
}

const EMPTY = '（空）';
const CLOSED = '—';

function plainText(_index: number, value: unknown): string {
  if (value === true) return '是';
  return value === false ? '否' : String(value ?? EMPTY);
}
