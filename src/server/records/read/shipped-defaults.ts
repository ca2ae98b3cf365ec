import type { ShippedDefault } from '#contract/lists.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { attachReferences, type OpenRecord } from './attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { quoteName } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';

/** Where an event is told when its file does not say. */
export const SHIPPED_CHANNELS: readonly string[] = ['live', 'center'];

/**
 * What holds where no row of the resource says otherwise, in the order of the files.
 * @throws AppError 404 when the resource overrides nothing.
 */
export async function shippedDefaults(call: Call): Promise<readonly ShippedDefault[]> {
  const source = SOURCES[call.resource.defaults ?? ''];
  const key = call.resource.unique[0]?.fields ?? [];
  if (source === undefined || key.length === 0) throw new AppError('NOT_FOUND');
  const rows = await overridingRows(call, key);
  const overriding = new Map(rows.map((row) => [keyOf(row, key), String(row['id'])]));
  const shipped = await source(call);
  const labels = await labelsOf(call, shipped);
  return shipped.map((values, place) => ({
    values,
    labels: labels[place] ?? {},
    id: overriding.get(keyOf(values, key)) ?? null,
  }));
}

async function labelsOf(call: Call, shipped: readonly ErpRecord[]): Promise<readonly ErpRecord[]> {
  const { resource, catalog, services, caller } = call;
  const names = Object.values(resource.fields).flatMap(({ name, type }) => (type === 'lines' ? [] : name));
  const records = shipped.map((values): OpenRecord =>
    Object.fromEntries(names.map((name) => [name, values[name] ?? null])),
  );
  const company = caller.subject.co_code;
  await attachReferences(services.db, {
    catalog,
    resource,
    records,
    withPaths: false,
    withLabels: true,
    company,
    reader: call,
  });
  return records.map(({ _labels: labels }) => ({ ...(typeof labels === 'object' ? labels : {}) }));
}

/** By the names that the schema of definitions knows. */
const SOURCES: Readonly<
  Record<string, (call: Call) => Promise<readonly ErpRecord[]> | readonly ErpRecord[]>
> = {
  dictionaries: ({ services }) =>
    Object.values(services.definitions.catalog().dictionaries)
      .filter((dictionary) => dictionary.from === undefined)
      .map(({ name, label, builtin, items }) => ({
        name,
        label,
        builtin,
        items: items.map((item, place) => ({
          value: item.value,
          label: item.label,
          sort_no: (place + 1) * 10,
          is_default: item.isDefault === true,
          status: item.disabled === true ? 'disabled' : 'active',
        })),
      })),
  numbers: ({ services, caller }) =>
    Object.values(services.definitions.catalog().resources).flatMap(({ resource, number }) =>
      typeof number?.pattern === 'string'
        ? [
            {
              resource,
              co_code: caller.subject.co_code,
              pattern: number.pattern,
              reset: resetOf(number.pattern),
            },
          ]
        : [],
    ),
  messages: shippedMessages,
};

/** Events of setup/message-events.json as rows of notice sources; their other receivers are the program's. */
async function shippedMessages({ services, caller }: Call): Promise<readonly ErpRecord[]> {
  const roles = await services.db.query<{ id: string; code: string }>(
    'select id, code from role where not is_deleted',
  );
  const idOf = new Map(roles.map(({ id, code }) => [code, id]));
  return Object.entries(services.definitions.setup().events).map(([code, event]) => {
    const { title, content = title, level = 'info', to = [], channel = SHIPPED_CHANNELS } = event;
    const days = event.advance_days ?? null;
    return {
      event_code: code,
      name: event.name ?? nameIn(title, code),
      title_tpl: title,
      content_tpl: content,
      level,
      receiver_roles: to.flatMap((name) => idOf.get(name) ?? []),
      receiver_owner: to.includes('owner'),
      receiver_partner: to.includes('partner'),
      advance_days: typeof days === 'string' ? Number(caller.context.params[days] ?? 0) : days,
      channel: [...channel],
      is_addressed: event.isAddressed === true,
      is_warning: days !== null,
    };
  });
}

/** A title without its placeholders and what stands around them. */
function nameIn(title: string, code: string): string {
  return title.replace(/[：:]?\s*\{\w+\}(\s*\{\w+\})*/g, '').slice(0, 40) || code;
}

/** A number starts anew with the smallest part of the date that it shows. */
function resetOf(pattern: string): string {
  if (/\{mm\}/i.test(pattern)) return 'month';
  return /\{yy(yy)?\}/.test(pattern) ? 'year' : 'never';
}

function overridingRows(call: Call, key: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const { resource, caller, services } = call;
  const isOwn = resource.scope === 'company';
  return services.db.query(
    `select t.id, ${key.map((name) => `t.${quoteName(name)}`).join(', ')} from ${tableOf(resource)} t
     where not t.is_deleted${isOwn ? ' and t.co_code = $1' : ''}`,
    isOwn ? [caller.subject.co_code] : [],
  );
}

function keyOf(row: Readonly<Record<string, unknown>>, key: readonly string[]): string {
  return JSON.stringify(key.map((name) => row[name] ?? null));
}
