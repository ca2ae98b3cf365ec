import { useEffect, useState } from 'react';
import type { PickAnswer } from '#contract/pick.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { useRead } from '#web/data/use-read.ts';
import { useComposedText } from '#web/fields/composed-text.ts';
import type { FormStore } from '../form/form-store.ts';

/** What the dialog asks for. */
export interface PickAsked {
  /** Null: the first source. */
  readonly from: string | null;
  readonly keyword: string;
  /** Null: as the form's head stands. */
  readonly filters: Readonly<Record<string, string | null>> | null;
  readonly page: number;
}

const NOTHING: PickAnswer = {
  sources: [],
  from: null,
  filters: [],
  records: [],
  total: 0,
  currentPage: 1,
  pageSize: 50,
};
const TYPING_PAUSE_MS = 250;

/** The open lines for a list of a form; what the form holds already is left out. Asked after a pause in typing. */
export function usePickLines(
  store: FormStore,
  lines: string,
  asked: PickAsked,
): { readonly answer: PickAnswer; readonly isLoading: boolean; readonly problem: string | null } {
  const keyword = useDelayed(useComposedText(asked.keyword));
  const [form] = useState(() => ({
    record: headOf(store.resource, store.record()),
    except: linesOf(store.record(), lines).flatMap(sourceLine),
  }));
  const body = {
    ...form,
    from: asked.from,
    keyword,
    filters: asked.filters ?? form.record,
    currentPage: asked.page,
  };
  const filters = Object.fromEntries(
    Object.entries(body.filters).filter(([, value]) => typeof value === 'string' && value !== ''),
  );
  const [opened] = useState(() => `${store.resource.resource}.${lines}.${Math.random()}`);
  const read = useRead(
    'POST /pick/:resource/:lines',
    { params: { resource: store.resource.resource, lines }, body: { ...body, filters: fewest(filters) } },
    {
      key: ['pick', opened, asked.from, keyword, asked.page, JSON.stringify(asked.filters)],
      keepsLast: true,
    },
  );
  return {
    answer: read.data ?? NOTHING,
    isLoading: read.isFetching,
    problem: read.isError ? (read.error?.message ?? '查找失败') : null,
  };
}

/** The server looks at its own filters only; a form may have more fields than it takes. */
function fewest(filters: ErpRecord): ErpRecord {
  return Object.fromEntries(Object.entries(filters).slice(0, 20));
}

function sourceLine(line: ErpRecord): readonly string[] {
  const from = line['_from'];
  const id: unknown =
    typeof from === 'object' && from !== null ? (Reflect.get(from, 'line') ?? Reflect.get(from, 'id')) : null;
  return typeof id === 'string' ? [id] : [];
}

function headOf({ fields }: Resource, record: ErpRecord): ErpRecord {
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => {
      const type = fields[name]?.type;
      return type !== undefined && !['lines', 'attachment', 'richtext', 'secret'].includes(type);
    }),
  );
}

function useDelayed(text: string): string {
  const [delayed, setDelayed] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return delayed;
}
