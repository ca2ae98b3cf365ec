import { v7 as uuid } from 'uuid';
import type { ViewEntry, ViewForm } from '#contract/views.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Row, Tx } from '#server/kernel/db/database.ts';
import { rowText, rowTextOrNull } from '#server/kernel/db/row-text.ts';
import type { Call } from '#server/records/call/open-call.ts';

const MAX_SETTINGS = 50_000;
const MAX_VIEWS = 100;

/** The caller's own views of a list, and those that colleagues of the company share. */
export async function savedViews({ caller, resource, services }: Call): Promise<readonly ViewEntry[]> {
  const { subject } = caller;
  const rows = await services.db.query(
    `select id, name, page, is_default, is_shared, settings, person_id = $3 as is_own from sys_view
     where resource = $1 and co_code = $2 and (person_id = $3 or (is_shared and $4))
     order by person_id <> $3, name limit 200`,
    [resource.resource, subject.co_code, subject.id, subject.kind === 'staff'],
  );
  return rows.map(viewOf);
}

/** Keeps a view, new or under its id, and gives the id. @throws BODY_TOO_LARGE, BAD_REQUEST, DUPLICATE, NOT_FOUND */
export async function saveView(call: Call, form: ViewForm): Promise<string> {
  const settings = JSON.stringify(form.settings);
  if (settings.length > MAX_SETTINGS) throw new AppError('BODY_TOO_LARGE');
  const id = form.id ?? uuid();
  await call.services.db.transaction(async (tx) => {
    await requireRoom(tx, call, { id, name: form.name });
    await writeView(tx, call, { ...form, id, text: settings });
  });
  return id;
}

/** Takes away one of the caller's views. @throws NOT_FOUND */
export async function deleteView({ caller, resource, services }: Call, id: string): Promise<void> {
  const gone = await services.db.execute(
    'delete from sys_view where id = $1 and person_id = $2 and resource = $3',
    [id, caller.subject.id, resource.resource],
  );
  if (gone === 0) throw new AppError('NOT_FOUND');
}

async function requireRoom(
  tx: Tx,
  { caller, resource }: Call,
  view: { readonly id: string; readonly name: string },
): Promise<void> {
  const own = await tx.query('select id, name from sys_view where resource = $1 and person_id = $2', [
    resource.resource,
    caller.subject.id,
  ]);
  if (own.length >= MAX_VIEWS && !own.some((row) => row['id'] === view.id))
    throw new AppError('BAD_REQUEST', { message: `最多保存${MAX_VIEWS}个视图` });
  if (own.some((row) => row['name'] === view.name && row['id'] !== view.id))
    throw new AppError('DUPLICATE', { params: { field: '视图名称' } });
}

async function writeView(
  tx: Tx,
  { caller, resource }: Call,
  view: ViewForm & { readonly id: string; readonly text: string },
): Promise<void> {
  const { subject } = caller;
  const page = view.page ?? null;
  if (view.is_default)
    await tx.execute(
      'update sys_view set is_default = false where resource = $1 and person_id = $2 and page is not distinct from $3',
      [resource.resource, subject.id, page],
    );
  const written = await tx.execute(
    `insert into sys_view (id, co_code, person_id, resource, page, name, is_default, is_shared, settings)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (id) do update set page = excluded.page, name = excluded.name, is_default = excluded.is_default,
       is_shared = excluded.is_shared, settings = excluded.settings, updated_at = now()
       where sys_view.person_id = excluded.person_id and sys_view.resource = excluded.resource`,
    [
      view.id,
      subject.co_code,
      subject.id,
      resource.resource,
      page,
      view.name,
      view.is_default,
      view.is_shared && subject.kind === 'staff',
      view.text,
    ],
  );
  if (written === 0) throw new AppError('NOT_FOUND');
}

function viewOf(row: Row): ViewEntry {
  const settings: unknown = row['settings'];
  return {
    id: rowText(row, 'id'),
    name: rowText(row, 'name'),
    page: rowTextOrNull(row, 'page'),
    is_default: row['is_default'] === true,
    is_shared: row['is_shared'] === true,
    settings: typeof settings === 'object' && settings !== null ? { ...settings } : {},
    is_own: row['is_own'] === true,
  };
}
