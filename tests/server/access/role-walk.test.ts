import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseListRequest } from '#server/records/list/list-request.ts';
import { exportColumns } from '#server/workflow/transfer/export-columns.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Call, openAnyCall, openCall } from '#server/records/call/open-call.ts';
import { lineConditions, rowConditions } from '#server/records/call/row-conditions.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import { isPicker } from '#server/records/read/reader-eyes.ts';
import { isMasked } from '#server/records/read/present-record.ts';
import { canSee } from '#engine/access/resource-access.ts';
import { fieldPaths } from '#engine/access/hidden-fields.ts';
import { expandField } from '#engine/schema/expand-resource.ts';
import { hashPassword } from '#server/kernel/passwords.ts';
import { DEMO_AES_KEY, DEMO_PASSWORD } from '#server/kernel/config.ts';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { uuidv7 } from '#server/records/call/record-id.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { readWorkbook } from '#server/workflow/transfer/read-workbook.ts';
import type { Caller } from '#server/records/services.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { startTradeExample, type TradeExample } from '../trade/trade-example.ts';
import { type Marked, markEverything, MARKS } from './marked-records.ts';

/** Staff by role; AD without the group, which sees everything. */
const STAFF = {
  SP: 'sp.aa', DM: 'dm.aa', TM: 'tm.aa', DC: 'dc.aa', FN: 'fn.aa', RK: 'rk.aa',
  TR: 'tr.aa', CS: 'cs.aa', GM: 'gm.aa', AD: 'ad.aa',
} as const; // prettier-ignore
const PARTNER = 'PT';
const ROLES = [...Object.keys(STAFF), PARTNER];
const MOBILE = '13900007777';

let example: TradeExample;
let marked: Marked;
const tokens = new Map<string, string>();
const callers = new Map<string, Caller>();

beforeAll(async () => {
  example = await startTradeExample({ isRateLimited: false });
  const { services } = example;
  const { db } = services;
  await db.execute('update person set super_permission = false');
  const idOf = async (personid: string): Promise<string> =>
    String((await db.query('select id from person where personid = $1', [personid]))[0]?.['id']);
  marked = await markEverything(services, [
    { name: 'own', company: 'AA', owner: await idOf('sp.aa') },
    { name: 'other', company: 'AA', owner: await idOf('cs.aa') },
    { name: 'abroad', company: 'AE', owner: await idOf('sp.ae') },
  ]);
  const partner = marked.sets.find(({ name }) => name === 'own')?.ids.get('partner');
  await db.execute(
    `insert into partner__accounts (co_code, id, parent_id, line_order, mobile, name, status, password) values ('AA', $1, $2, 2, $3, '客户', 'active', $4)`,
    [uuidv7(new Date()), partner, MOBILE, await hashPassword(DEMO_PASSWORD)],
  );
  await services.definitions.refreshOverrides();
  for (const [role, person] of Object.entries(STAFF)) tokens.set(role, await example.signIn(person, role));
  const password = sealEnvelope(DEMO_PASSWORD, DEMO_AES_KEY);
  const login = await example.call('', 'POST', '/sys/loginByAgcustMobileNo', { personid: MOBILE, password });
  tokens.set(PARTNER, String((login.data as Record<string, unknown>)['authorization']));
  for (const [role, token] of tokens) callers.set(role, await callerOf(token));
}, 600_000);
afterAll(() => example.close());

async function callerOf(token: string): Promise<Caller> {
  const session = await example.services.sessions.find(token, { isPassive: true });
  const subject = session?.subject;
  if (subject === null || subject === undefined) throw new TypeError(`no session for ${token}`);
  const { services } = example;
  return {
    ...systemCaller(services, 'AA'),
    subject,
    context: services.definitions.contextFor(subject, services.clock()),
  };
}

const resources = (): readonly Resource[] => Object.values(example.services.definitions.catalog().resources);
const callerFor = (role: string): Caller => {
  const caller = callers.get(role);
  if (caller === undefined) throw new TypeError(role);
  return caller;
};
const callOf = (role: string, key: string): Call => openAnyCall(example.services, callerFor(role), key);

/** What a role may read where it stands, by its own rows and fields; labels and fills of what it may pick. */
async function openMarks(role: string): Promise<ReadonlySet<string>> {
  const rows = new Map<string, ReadonlySet<string>>();
  const calls = new Map(resources().map(({ resource }) => [resource, callOf(role, resource)]));
  for (const [key, call] of calls) rows.set(key, await openRows(call));
  const picked = pickedPaths([...calls.values()]);
  const setOf = new Map(marked.sets.map((set) => [set.name, set]));
  const open = new Set<string>();
  for (const [text, { resource, path, set }] of marked.marks) {
    const call = calls.get(resource);
    const field = call === undefined ? undefined : fieldPaths(call.resource).get(path);
    if (call === undefined || field === undefined || field.type === 'secret') continue;
    const place = setOf.get(set);
    const [head = ''] = path.split('.');
    const line = path.includes('.') ? place?.ids.get(`${resource}.${head}`) : undefined;
    const isRowOpen = rows.get(resource)?.has(line ?? place?.ids.get(resource) ?? '') === true;
    const isRead = isRowOpen && canSee(call.access, path) && !isMasked(call, path, field);
    const isAtHand = set === 'shared' || (place?.company === 'AA' && (role !== PARTNER || set === 'own'));
    if (isRead || (isAtHand && picked.has(`${resource}.${path}`))) open.add(text);
  }
  return open;
}

/** Ids of the records, and of their lines, that somebody reads. */
async function openRows(call: Call): Promise<ReadonlySet<string>> {
  const { resource, access, services } = call;
  if (!access.operations.has('list') && !access.operations.has('read')) return new Set();
  const values: unknown[] = [];
  const where = rowConditions(call, { alias: 't', values }).join(' and ');
  const heads = await services.db.query(`select t.id from ${tableOf(resource)} t where ${where}`, values);
  const ids = heads.map(({ id }) => String(id));
  const open = new Set(ids);
  for (const list of Object.values(resource.fields)) {
    if (list.type !== 'lines') continue;
    const bound: unknown[] = [ids];
    const limits = lineConditions(call, list.name, { alias: 'l', parentAlias: 't', values: bound });
    const lines = await services.db.query(
      `select l.id from ${linesTableOf(resource, list.name)} l join ${tableOf(resource)} t on t.id = l.parent_id
       where t.id = any($1::uuid[]) ${limits.map((limit) => `and ${limit}`).join(' ')}`,
      bound,
    );
    for (const { id } of lines) open.add(String(id));
  }
  return open;
}

/** Labels and declared fills of the records that pickers of a role offer, as `resource.path`. */
function pickedPaths(calls: readonly Call[]): ReadonlySet<string> {
  const picked = new Set<string>();
  const label = (call: Call, key: string, depth = 0): void => {
    const resource = call.catalog.resources[key.split('.')[0] ?? ''];
    if (resource === undefined || depth > 3) return;
    picked.add(`${resource.resource}.${resource.label}`);
    const to = resource.fields[resource.label]?.to;
    if (typeof to === 'string') label(call, to, depth + 1);
  };
  const offer = (call: Call, field: Field): void => {
    if (field.type === 'dictionary') {
      const from = call.catalog.dictionaries[field.dictionary ?? '']?.from;
      if (from !== undefined)
        picked.add(`${from.resource}.${from.value}`).add(`${from.resource}.${from.label ?? ''}`);
    }
    if (field.type !== 'reference' || typeof field.to !== 'string') return;
    label(call, field.to);
    for (const theirs of Object.values(field.fill ?? {})) picked.add(`${field.to}.${theirs}`);
  };
  for (const call of calls) {
    const { resource, access } = call;
    // What a document copies by its own words (formulas, lines that it makes) is the document's. Customers get no such leave.
    if (access.operations.has('read') && call.caller.subject.kind === 'staff') copiedPaths(call, picked);
    if (access.operations.has('name')) label(call, resource.resource);
    for (const [path, field] of fieldPaths(resource)) {
      if (field.type === 'dictionary' || isPicker(call, path)) offer(call, field);
    }
    for (const action of Object.values(resource.lifecycle?.actions ?? {}))
      if (access.operations.has(action.key))
        for (const [name, input] of Object.entries(action.inputs ?? {}))
          offer(call, expandField(name, input));
  }
  return picked;
}

/** Fields of other records that the words of a definition name: `coalesce(buyer_id.buyer_no, '-')`. */
function copiedPaths({ resource, catalog }: Call, into: Set<string>): void {
  const words = JSON.stringify({ ...resource, access: [], paths: [] });
  const starts = [resource.fields, ...Object.values(resource.fields).map(({ fields }) => fields ?? {})];
  for (const [path] of new Set(words.matchAll(/[a-z_]\w*(?:\.[a-z_]\w*)+/g)))
    for (const start of starts) {
      // A line reads its head: `parent.declaration_id.customs_no`.
      const steps = path.replace(/^parent\./, '').split('.');
      let fields: Readonly<Record<string, Field>> = start;
      let at = '';
      for (const step of steps) {
        const field = fields[step];
        if (field === undefined) break;
        if (at !== '') into.add(`${at}.${step}`);
        if (at !== '' && field.type === 'lines') {
          at = `${at}.${step}`;
          fields = field.fields ?? {};
          continue;
        }
        const [target = '', lines] = typeof field.to === 'string' ? field.to.split('.') : [];
        const beyond = catalog.resources[target];
        if (beyond === undefined) break;
        at = lines === undefined ? target : `${target}.${lines}`;
        fields = lines === undefined ? beyond.fields : (beyond.fields[lines]?.fields ?? {});
      }
    }
}

interface Ask {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** Who asks: each role, one of those that see the resource alike, or that one for every third resource only. */
  readonly by?: 'role' | 'sight' | 'third';
}

const get = (path: string): Ask => ({ method: 'GET', path });
const post = (path: string, body: unknown): Ask => ({ method: 'POST', path, body });
const by = (who: Ask['by'], ...asks: readonly Ask[]): readonly Ask[] =>
  asks.map((one) => ({ ...one, by: who ?? 'sight' }));

/**
 * The calls of each role. A list is asked by all: it shows every row and field. Whatever else is asked about a resource
 * is dealt out among the roles that see the same of it; what is written once for all resources is asked about a third
 * of them (by customers about half), each kind about others.
 */
function dealtCalls(): ReadonlyMap<string, readonly Ask[]> {
  const hands = new Map<string, Ask[]>(ROLES.map((role) => [role, [...COMMON]]));
  let turn = 0;
  for (const resource of resources())
    for (const alike of seeingAlike(resource)) {
      const isClosed = alike.every((role) => callOf(role, resource.resource).access.operations.size === 0);
      const about = isClosed ? callsWithoutGrant(resource) : callsAbout(alike, resource);
      turn += 1;
      for (const [at, one] of about.entries()) {
        const next = alike[(turn + at) % alike.length] ?? PARTNER;
        const every = next === PARTNER && !isClosed ? 2 : 3;
        const isSkipped = one.by === 'third' && (turn + at) % every !== 0;
        for (const role of one.by === 'role' ? alike : isSkipped ? [] : [next]) hands.get(role)?.push(one);
      }
    }
  return hands;
}

const COMMON: readonly Ask[] = [
  ...['/search?q=mk0', '/sys/session', '/self', '/meta/resources', '/approval/counts', '/notice/unread', '/face/home'].map(get),
  ...['mine', 'done', 'submitted'].map((tab) => post('/approval/tasks/query', { tab })),
  post('/notice/query', {}),
]; // prettier-ignore

const ID = /[0-9a-f-]{36}/g;

/** Roles in groups of equal sight of a resource. */
function seeingAlike({ resource: key }: Resource): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const role of ROLES) {
    const { operations, companies, hidden, lines } = callOf(role, key).access;
    const sight = operations.size === 0 ? [] : [role === PARTNER, companies, lines, [...hidden].sort()];
    const name = JSON.stringify(sight).replaceAll(ID, 'id');
    groups.set(name, [...(groups.get(name) ?? []), role]);
  }
  return [...groups.values()];
}

/** Every call about a resource and the records of the sets; of other records than the own only a few. */
function callsAbout(alike: readonly string[], resource: Resource): readonly Ask[] {
  const key = resource.resource;
  const about = marked.sets.flatMap(({ name, ids }): readonly Ask[] => {
    const id = ids.get(key);
    if (id === undefined) return [];
    const read = get(`/data/${key}/${id}`);
    const few = [get(`/data/${key}/${id}/history`), post(`/data/${key}/preview`, { id, version: 1 })];
    if (name === 'abroad') return [read, ...by('third', ...few.slice(0, 1))];
    if (name === 'other') return [read, ...by('third', ...few)];
    const actions = Object.values(resource.lifecycle?.actions ?? {}).filter((one) =>
      alike.every((role) => callOf(role, key).access.operations.has(one.key)),
    );
    return [
      read,
      ...few,
      ...resource.print.map((print) => get(`/data/${key}/${id}/print/${print.id}`)),
      ...by(
        'third',
        ...['neighbours', 'chain', 'entries', 'limits'].map((what) => get(`/data/${key}/${id}/${what}`)),
        // What an action would do takes a transaction each: one of a kind tells.
        ...actions
          .slice(0, 1)
          .map(({ key: action }) => post(`/data/${key}/preview`, { id, version: 1, action })),
        get(`/approval/record/${key}/${id}`),
        get(`/comments/${key}/${id}`),
      ),
      ...(resource.ledger === undefined ? [] : [get(`/ledger/${key}/${id}/trace`)]),
    ];
  });
  // A form filled with ids of others, as somebody makes it up.
  const others = marked.sets.find(({ name }) => name === (alike.includes(PARTNER) ? 'other' : 'abroad'));
  const foreign = Object.values(resource.fields).flatMap(({ name, to, multiple }) => {
    const id = typeof to === 'string' ? others?.ids.get(to) : undefined;
    return id === undefined ? [] : [[name, multiple === true ? [id] : id]];
  });
  return [
    ...by('role', post(`/data/${key}/query`, { pageSize: 100 })),
    post(`/data/${key}/preview`, Object.fromEntries(foreign)),
    ...about,
    ...by(
      'third',
      post(`/data/${key}/query`, { keyword: 'mk0' }),
      post(`/data/${key}/export`, {}),
      post(`/data/${key}/preview`, {}),
      get(`/data/${key}/defaults`),
      get(`/meta/resources/${key}`),
      ...lookupsOf(resource),
    ),
  ];
}

/** Pickers whose answers come from records. */
function lookupsOf(resource: Resource): readonly Ask[] {
  const { dictionaries } = example.services.definitions.catalog();
  return [...fieldPaths(resource)].flatMap(([path, { type, dictionary }]) =>
    type === 'reference' || (type === 'dictionary' && dictionaries[dictionary ?? '']?.from !== undefined)
      ? [post(`/lookup/${resource.resource}/${path}`, {})]
      : [],
  );
}

/** Without a grant nothing is open. */
function callsWithoutGrant({ resource: key, fields, print }: Resource): readonly Ask[] {
  const id = marked.sets.map(({ ids }) => ids.get(key)).find((known) => known !== undefined) ?? 'x';
  const picker = Object.values(fields).find(({ type, standard }) => type === 'reference' && !standard);
  const reads = ['/history', '/neighbours', '/chain', '/entries', '/limits', `/print/${print[0]?.id ?? 'x'}`];
  return [
    get(`/data/${key}/${id}`),
    post(`/data/${key}/query`, {}),
    ...by(
      'third',
      ...reads.map((what) => get(`/data/${key}/${id}${what}`)),
      post(`/data/${key}/export`, {}),
      post(`/data/${key}/preview`, { id, version: 1 }),
      post(`/lookup/${key}/${picker?.name ?? 'x'}`, {}),
      get(`/approval/record/${key}/${id}`),
      get(`/meta/resources/${key}`),
    ),
  ];
}

async function ask(role: string, { method, path, body }: Ask): Promise<{ status: number; text: string }> {
  const response = await fetch(`${example.url}/erp/api${path}`, {
    method,
    headers: {
      authorization: tokens.get(role) ?? '',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { status } = response;
  const isFile = response.headers.get('content-type')?.includes('spreadsheet') === true;
  if (!isFile) return { status, text: await response.text() };
  const cells: string[] = [];
  for await (const row of readWorkbook(Buffer.from(await response.arrayBuffer())))
    cells.push(...row.cells.map((cell) => cell?.text ?? ''));
  return { status, text: cells.join('\n') };
}

/** Does all of it, some at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const run = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: 6 }, run));
}

/** What the files alone grant a role: every operation and action of every grant that names it. */
function grantedByFile(role: string, resource: Resource): ReadonlySet<string> {
  const grants = resource.access.filter((grant) => {
    const roles = typeof grant.role === 'string' ? [grant.role] : grant.role;
    return roles.includes(role) || (roles.includes('*') && role !== PARTNER);
  });
  const open = new Set(grants.flatMap((grant) => grant.do));
  for (const [right, implied] of IMPLIED) if (open.has(right)) for (const one of implied) open.add(one);
  return open.has('*') ? new Set(operationsOfAll(resource)) : open;
}

/** What comes with a right by itself (resources.md, section 1). */
const IMPLIED = [
  ['create', ['delete', 'void']],
  ['update', ['enable', 'disable']],
] as const;

const operationsOfAll = (resource: Resource): readonly string[] => [
  'list', 'read', 'create', 'update', 'delete', 'export', 'import', 'print', 'name', 'approve',
  ...Object.keys(resource.lifecycle?.actions ?? {}),
]; // prettier-ignore

/** Fields that every grant of a role which shows rows hides. */
function hiddenByFile(role: string, resource: Resource): readonly string[] {
  const seeing = resource.access.filter((grant) => {
    const roles = typeof grant.role === 'string' ? [grant.role] : grant.role;
    const isRoles = roles.includes(role) || (roles.includes('*') && role !== PARTNER);
    return isRoles && grant.do.some((operation) => ['list', 'read', '*'].includes(operation));
  });
  if (seeing.length === 0) return [];
  const named = (names: readonly string[], path: string): boolean =>
    names.includes(path) ||
    names.includes(path.split('.')[0] ?? '') ||
    names.some((name) => name.startsWith(`${path}.`));
  const always = ['id', 'version', 'status', resource.label];
  return [...fieldPaths(resource).keys()].filter((path) =>
    seeing.every(
      ({ hide = [], show }) =>
        hide.includes(path) ||
        hide.includes(path.split('.')[0] ?? '') ||
        (show !== undefined && !named([...show, ...always], path)),
    ),
  );
}

describe('the matrix of roles, resources, calls and fields', () => {
  it.each(ROLES)('opens to %s what the files grant and nothing else', (role) => {
    const wrong: string[] = [];
    let judged = 0;
    for (const resource of resources()) {
      const key = resource.resource;
      const granted = grantedByFile(role, resource);
      for (const operation of operationsOfAll(resource)) {
        judged += 1;
        const isOpen = callOf(role, key).access.operations.has(operation);
        if (isOpen && !granted.has(operation)) wrong.push(`${key}: ${operation}`);
        if (isRefused(() => openCall(example.services, callerFor(role), key, operation)) === isOpen)
          wrong.push(`${key}: ${operation} is not asked for`);
      }
      const call = callOf(role, key);
      if (!call.access.operations.has('list')) continue;
      for (const path of hiddenByFile(role, resource)) {
        if (canSee(call.access, path)) wrong.push(`${key}.${path} is shown`);
        for (const query of [
          { filters: { [path]: { null: true } } },
          { sorters: [path] },
          { columns: [path] },
          { group: path },
        ]) {
          judged += 1;
          if (!isRefused(() => parseListRequest(call, query)))
            wrong.push(`${key}.${path} ${JSON.stringify(query)}`);
        }
        if (exportColumns(call, [path]).length > 0) wrong.push(`${key}.${path} is exported`);
      }
    }
    expect(wrong).toEqual([]);
    expect(judged).toBeGreaterThan(500);
  });

  it('holds over HTTP: each call asks for its operation', async () => {
    const wrong: string[] = [];
    const shipment = resources().find(({ resource }) => resource === 'shipment');
    const id = marked.sets.find(({ name }) => name === 'own')?.ids.get('shipment') ?? '';
    if (shipment === undefined) throw new TypeError('shipment');
    const calls: Readonly<Record<string, Ask>> = {
      list: { method: 'POST', path: '/data/shipment/query', body: {} },
      read: { method: 'GET', path: `/data/shipment/${id}` },
      create: { method: 'POST', path: '/data/shipment', body: {} },
      update: { method: 'PATCH', path: `/data/shipment/${id}`, body: { version: 0 } },
      delete: { method: 'DELETE', path: `/data/shipment/${id}?version=0` },
      export: { method: 'POST', path: '/data/shipment/export', body: {} },
      import: { method: 'GET', path: '/data/shipment/import/template' },
      print: { method: 'GET', path: `/data/shipment/${id}/print/none` },
    };
    for (const role of ROLES) {
      const granted = grantedByFile(role, shipment);
      for (const [operation, one] of Object.entries(calls)) {
        const { status } = await ask(role, one);
        if ((status === 403) === granted.has(operation)) wrong.push(`${role} ${operation}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

function isRefused(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return true;
    throw error;
  }
}

/** What the house keeps to itself whatever the record: no customer's answer has such a key with a value. */
const INNER_KEYS =
  /"(?:risk_level|blacklist|company_profit|assessed_profit|profit_rate|fund_cost|exchange_cost|company_cost|commission_rate|created_by|updated_by|submitted_by|approved_by|reject_reason|opinion|on_behalf_name|handler_id)":(?!null|\[\])/g;

describe('what is hidden at its source', () => {
  it.each(ROLES)(
    'is hidden from %s in every call about every resource',
    { timeout: 120_000 },
    async (role) => {
      const open = await openMarks(role);
      const leaks = new Set<string>();
      const faults: string[] = [];
      let seen = 0;
      const asks = dealtCalls().get(role) ?? [];
      await each(asks, async (one) => {
        const { status, text } = await ask(role, one);
        if (status === 500)
          faults.push(
            `${status} ${one.method} ${one.path} ${JSON.stringify(one.body ?? null)} ${text.slice(0, 200)}`,
          );
        if (role === PARTNER)
          for (const [found] of text.matchAll(INNER_KEYS)) leaks.add(`${one.method} ${one.path}: ${found}`);
        for (const [found] of text.matchAll(MARKS)) {
          const mark = marked.marks.get(found);
          if (mark === undefined) continue;
          if (open.has(found)) seen += 1;
          else
            leaks.add(
              `${one.method} ${one.path} ${JSON.stringify(one.body ?? null)}: ${mark.set} ${mark.resource}.${mark.path}`,
            );
        }
      });
      expect(seen).toBeGreaterThan(50);
      expect([...faults, ...leaks].toSorted((a, b) => (a < b ? -1 : 1))).toEqual([]);
    },
  );
});

describe('what another door might tell', () => {
  const idIn = (set: string, key: string): string =>
    marked.sets.find(({ name }) => name === set)?.ids.get(key) ?? '';

  it('a report names no record of another company that its reader asks for by id', async () => {
    const asked = async (set: string): Promise<unknown> => {
      const body = { params: { partner: [idIn(set, 'partner')] } };
      const { status, text } = await ask('FN', post('/report/51/run', body));
      expect(status).toBe(200);
      const { data } = JSON.parse(text) as { data: { params: readonly { title: string; text: string }[] } };
      return data.params.find(({ title }) => title === '委托方')?.text;
    };
    expect(await asked('own')).toMatch(/^mk\d{6}z$/);
    expect(await asked('abroad')).toBe('—');
  });

  it('the business ledger has no shipments that are still written, were refused or are cancelled', async () => {
    const { db, definitions } = example.services;
    const id = idIn('own', 'shipment');
    const shown: Record<string, string[]> = { [PARTNER]: [], FN: [] };
    const [before] = await db.query('select status from shipment where id = $1::uuid', [id]);
    const setTo = (status: unknown) =>
      db.execute('update shipment set status = $2 where id = $1::uuid', [id, status]);
    for (const state of Object.keys(definitions.catalog().resources['shipment']?.lifecycle?.states ?? {})) {
      await setTo(state);
      for (const [role, states] of Object.entries(shown)) {
        const { text } = await ask(role, post('/data/business_ledger/query', { pageSize: 100 }));
        const { data } = JSON.parse(text) as { data: { records: readonly { id: string }[] } };
        if (data.records.some((row) => row.id === id)) states.push(state);
      }
    }
    await setTo(before?.['status']);
    const counted = ['pending', 'approved', 'amending', 'declared', 'shipped', 'settled'];
    expect(shown).toEqual({ [PARTNER]: counted, FN: counted });
  });
});
