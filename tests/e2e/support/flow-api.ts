import { expect as expectSoon, type Page } from 'playwright/test';
import { baseUrl } from './session.ts';

/** A step that takes longer has failed. */
export const PATIENCE_MS = 120_000;
export const expect = expectSoon.configure({ timeout: PATIENCE_MS });

/** A record as the API answers it. */
export type Fields = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly msg: string;
  readonly data: Fields;
}

/** Calls the API as the person of a desk (see `staff`); anything but success ends the test. */
export async function call(page: Page, method: string, address: string, body?: unknown): Promise<Fields> {
  const given = await request(page, method, address, body);
  expect(given.status === 200 ? '' : `${method} ${address}: ${given.msg}`).toBe('');
  return given.data;
}

const sessions = new WeakMap<Page, string>();

/** Calls of this page go out as whoever signed in with this. */
export function signedIn(page: Page, authorization: string): void {
  sessions.set(page, authorization);
}

export async function request(page: Page, method: string, address: string, body?: unknown): Promise<Answer> {
  const response = await page.request.fetch(`${baseUrl()}/erp/api${address}`, {
    method,
    headers: { Authorization: sessions.get(page) ?? '' },
    ...(body === undefined ? {} : { data: body }),
  });
  const { msg, data } = (await response.json()) as Omit<Answer, 'status'>;
  return { status: response.status(), msg, data };
}

export function recordOf(page: Page, resource: string, id: string): Promise<Fields> {
  return call(page, 'GET', `/data/${resource}/${id}`);
}

/** Records by a filter, the newest first. */
export async function find(page: Page, resource: string, filters: object): Promise<readonly Fields[]> {
  const answer = await call(page, 'POST', `/data/${resource}/query`, {
    pageSize: 200,
    filters,
    sorters: ['-created_at'],
  });
  return list(answer['records']);
}

/** The newest record by a filter; the test ends with a clear word where there is none. */
export async function newest(page: Page, resource: string, filters: object): Promise<Fields> {
  const [record] = await find(page, resource, filters);
  if (record === undefined) throw new TypeError(`no ${resource} with ${JSON.stringify(filters)}`);
  return record;
}

export function create(page: Page, resource: string, values: Fields): Promise<Fields> {
  return call(page, 'POST', `/data/${resource}`, values);
}

export async function change(page: Page, resource: string, id: string, values: Fields): Promise<Fields> {
  const { version } = await recordOf(page, resource, id);
  return call(page, 'PATCH', `/data/${resource}/${id}`, { version, ...values });
}

export async function run(
  page: Page,
  resource: string,
  id: string,
  {
    action,
    inputs = {},
    opinion,
  }: { readonly action: string; readonly inputs?: Fields; readonly opinion?: string },
): Promise<Fields> {
  const { version } = await recordOf(page, resource, id);
  return call(page, 'POST', `/data/${resource}/${id}/actions/${action}`, {
    version,
    inputs,
    ...(opinion === undefined ? {} : { opinion }),
  });
}

/** Submits, and lets everybody of the list approve whose turn it is. */
export async function approved(
  page: Page,
  resource: string,
  id: string,
  approvers: readonly Page[],
  fields?: Fields,
): Promise<void> {
  await run(page, resource, id, { action: 'submit' });
  for (const approver of approvers) {
    const state = await request(approver, 'GET', `/approval/record/${resource}/${id}`);
    // Who may not see it has no say in it.
    if (state.status === 404) continue;
    const { task } = state.data;
    if (task === null || task === undefined) continue;
    const { id: taskId, version } = task as Fields;
    await call(approver, 'POST', `/approval/${String(taskId)}/approve`, {
      version,
      opinion: '同意',
      ...(fields === undefined ? {} : { fields }),
    });
  }
}

/** The first document that an action has made. */
export function madeBy(answer: Fields): string {
  const [made] = list(answer['_created']);
  return String(made?.['id']);
}

/** A scan that a field may hold. */
export async function scanOf(page: Page, resource: string, field: string): Promise<string> {
  const response = await page.request.post(`${baseUrl()}/erp/api/files?resource=${resource}&field=${field}`, {
    headers: { Authorization: sessions.get(page) ?? '' },
    multipart: { files: scan('扫描件.pdf') },
  });
  const { data } = (await response.json()) as { readonly data: Fields | readonly Fields[] };
  const [file] = [data].flat();
  return String(file?.['id']);
}

export const scan = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.4\n%%EOF'),
});

export function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value : [];
}

export async function expectStatus(page: Page, resource: string, id: string, status: string): Promise<void> {
  await expect.poll(async () => (await recordOf(page, resource, id))['status']).toBe(status);
}
