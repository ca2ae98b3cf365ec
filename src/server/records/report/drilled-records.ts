import type { ReportDrill } from '#contract/reports.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { captionTexts, speakingCaptions } from '#server/records/lookup/captions.ts';
import {
  loadReferences,
  needOf,
  type ReferenceBook,
  type ReferenceNeed,
} from '#server/records/read/reference-book.ts';

type Records = ReportDrill['records'];
type Row = Readonly<Record<string, unknown>>;

/** The records of a drill's rows with their labels and captions; of lines their head with the line's own name. */
export async function drilledRecords(call: Call, rows: readonly Row[]): Promise<Records> {
  const needs = new Map<string, ReferenceNeed>();
  for (const row of rows) {
    const source = String(row['s']);
    const need = needAnywhere(needs, source, String(row['id']));
    if (source.includes('.')) need.columns.add('parent');
  }
  const book = await load(call, needs);
  const records = rows.map((row) => {
    const source = String(row['s']);
    const id = String(row['id']);
    const known = book.get(source)?.get(id);
    const head = known?.values['parent'];
    return {
      resource: source.split('.')[0] ?? source,
      id: source.includes('.') && typeof head === 'string' ? head : id,
      label: known?.label ?? '—',
      value: typeof row['value'] === 'string' ? row['value'] : null,
    };
  });
  const captions = await captionsOf(call, records);
  return records.map((record) => ({
    ...record,
    caption: captions.get(record.resource)?.get(record.id) ?? [],
  }));
}

/** What stands beside the names of records, as far as the asker may read it: by resource and id. */
async function captionsOf(
  call: Call,
  records: readonly Pick<Records[number], 'resource' | 'id'>[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>> {
  const needs = new Map<string, ReferenceNeed>();
  const calls = new Map<string, Call>();
  for (const { resource, id } of records) {
    const own = calls.get(resource) ?? openAnyCall(call.services, call.caller, resource);
    calls.set(resource, own);
    const need = needAnywhere(needs, resource, id);
    for (const name of speakingCaptions(own)) need.columns.add(name);
  }
  const book = await load(call, needs);
  const found = [...calls].map(async ([resource, own]) => {
    const rows = [...(book.get(resource)?.values() ?? [])].filter(({ isOpen }) => isOpen);
    const columns = speakingCaptions(own);
    const texts = await captionTexts(own, own.resource, {
      rows: rows.map(({ values }) =>
        Object.fromEntries(columns.map((name) => [`c_${name}`, values[name] ?? null])),
      ),
      columns,
    });
    return [resource, new Map(rows.map(({ id }, index) => [id, texts[index] ?? []]))] as const;
  });
  return new Map(await Promise.all(found));
}

function needAnywhere(needs: Map<string, ReferenceNeed>, target: string, id: string): ReferenceNeed {
  const need = needOf(needs, target);
  need.isAnyCompany = true;
  need.ids.add(id);
  return need;
}

async function load(call: Call, needs: ReadonlyMap<string, ReferenceNeed>): Promise<ReferenceBook> {
  return await loadReferences(call.services.db, call.catalog, {
    needs: needs.values(),
    companies: [call.caller.subject.co_code],
    reader: call,
  });
}
