import type { Subject } from '#engine/schema/resource.ts';
import { addDays, companyToday } from '#engine/values/dates.ts';
import type { InvoiceQuery } from '#trade/tax-invoice.ts';
import { type Decision, decideTask } from '#server/workflow/approvals/decide-task.ts';
import { withdrawApproval } from '#server/workflow/approvals/withdraw-approval.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { verifyInvoice } from '#server/business/invoices/verify-invoice.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { createRecord, updateRecord } from '#server/records/write/save-record.ts';
import { readRecord } from '#server/records/write/system-write.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { again } from './again.ts';
import { dice, type Dice } from './random.ts';
import type { Actor } from './staff.ts';

/**
 * What happens to one document from its draft on. Everything goes through the operations of the program, done by people
 * of the company; every step comes some minutes after the one before.
 */
export interface Story {
  readonly roll: Dice;
  readonly day: () => string;
  /** The last day of the demo. */
  readonly today: string;
  /** Lets days pass, up to the last day of the demo. */
  readonly wait: (days: number) => void;
  readonly create: (actor: Actor, resource: string, values: OpenRecord) => Promise<OpenRecord>;
  /** Makes a record that is not in force before a second person agrees; the id of the change that waits for one. */
  readonly propose: (actor: Actor, resource: string, values: OpenRecord) => Promise<string>;
  readonly update: (actor: Actor, resource: string, id: string, values: OpenRecord) => Promise<OpenRecord>;
  readonly act: (actor: Actor, resource: string, step: Step) => Promise<OpenRecord>;
  /** Hands a record in and lets the approvers decide within days. */
  readonly approve: (actor: Actor, resource: string, run: Approval) => Promise<void>;
  /** The approvers decide at last what has waited for them; nothing where nothing waits. */
  readonly agree: (resource: string, id: string) => Promise<void>;
  /** Sends back what waits for a decision; nothing where nothing waits. */
  readonly reject: (resource: string, id: string, opinion: string) => Promise<void>;
  /** Whoever is asked to decide lets somebody else do it; nothing where nothing waits. */
  readonly handOn: (
    resource: string,
    id: string,
    to: { readonly id: string; readonly opinion: string },
  ) => Promise<void>;
  /** Takes back what was handed in before anybody decided. */
  readonly withdraw: (
    actor: Actor,
    resource: string,
    asked: { readonly id: string; readonly opinion: string },
  ) => Promise<void>;
  readonly upload: (actor: Actor, name: string, bytes: Buffer) => Promise<string>;
  /** Asks the company's own register, whatever service is configured: nobody else knows a demo's invoices. */
  readonly verify: (actor: Actor, query: InvoiceQuery) => Promise<void>;
  readonly read: (resource: string, id: string) => Promise<OpenRecord>;
}

interface Step {
  readonly id: string;
  readonly action: string;
  readonly opinion?: string;
  readonly inputs?: OpenRecord;
}

interface Approval {
  readonly id: string;
  readonly action?: string;
  readonly opinion?: string;
  readonly inputs?: OpenRecord;
  /** So many levels are decided, then it stays where it is. Default: all. */
  readonly levels?: number;
  /** The first decision is a rejection with this opinion. */
  readonly rejection?: string;
  /** What the first approver fills in. */
  readonly fields?: OpenRecord;
}

interface Surroundings {
  readonly services: Services;
  readonly company: string;
  readonly today: string;
  readonly subjectOf: (actor: Actor) => Subject;
  /** Short names by id. */
  readonly actors: ReadonlyMap<string, Actor>;
  /** Given when the server stops. */
  readonly signal: AbortSignal;
}

const OPINIONS = ['同意', '同意', '资料齐全，同意', '已核对，同意', null] as const;
const MAX_LEVELS = 9;
/** Notices of older days are not kept: nobody would want to read them all. */
const NOTICE_DAYS = 5;
const MINUTE_MS = 60_000;

/** Starts a story on a day. */
export function openStory(
  surroundings: Surroundings,
  start: { readonly seed: string; readonly day: string },
): Story {
  const { services, company, today, subjectOf, actors, signal } = surroundings;
  const roll = dice(start.seed);
  const end = officeTime(today, 480);
  let now = officeTime(start.day, roll.between(0, 240));
  const moveTo = (time: Date): void => {
    now = time > end ? end : time;
  };
  /** The services as of a few minutes later, and who works with them. */
  const next = (actor: Actor): { readonly served: Services; readonly caller: Caller } => {
    signal.throwIfAborted();
    moveTo(new Date(now.getTime() + roll.between(2, 25) * MINUTE_MS));
    const time = now;
    const subject = subjectOf(actor);
    const context = services.definitions.contextFor(subject, time);
    const isRecent = companyToday(time) >= addDays(today, -NOTICE_DAYS);
    const notices: Services['notices'] = {
      ...services.notices,
      // No window pops up for what happened days ago.
      notify: (tx, notice) =>
        isRecent ? services.notices.notify(tx, { ...notice, isLive: false }) : Promise.resolve(),
    };
    return {
      served: { ...services, clock: () => time, notices },
      caller: { subject, sessionId: '', requestId: 'demo', address: '', context },
    };
  };
  const open = (actor: Actor, resource: string): Call => {
    const { served, caller } = next(actor);
    return { ...openAnyCall(served, caller, resource), isUnshown: true };
  };
  const act: Story['act'] = (actor, resource, { id, action, opinion = null, inputs = {} }) => {
    const call = open(actor, resource);
    return again(() => runAction(call, { id, action }, { version: null, opinion, inputs }));
  };
  const wait = (days: number): void => {
    if (days > 0) moveTo(officeTime(addDays(companyToday(now), days), roll.between(0, 240)));
  };
  /** An approval has the opinion that comes to mind, anything else its own. */
  const decide = async (
    task: OpenTask,
    { opinion, ...how }: Partial<Decision> & Pick<Decision, 'kind'>,
  ): Promise<boolean> => {
    const { served, caller } = next(actors.get(roll.pick(task.assignees)) ?? 'gm');
    const decision = { ...how, version: null, opinion: opinion ?? roll.pick(OPINIONS) };
    return (await again(() => decideTask(served, caller, { taskId: task.id, decision }))).isEnded;
  };
  const agree = async (resource: string, run: Approval): Promise<void> => {
    for (let level = 0; level < (run.levels ?? MAX_LEVELS); level += 1) {
      const task = await openTask(services, resource, run.id);
      if (task === null) return;
      wait(roll.between(0, 1));
      const decision: Parameters<typeof decide>[1] =
        run.rejection === undefined ? { kind: 'approve' } : { kind: 'reject', opinion: run.rejection };
      if (await decide(task, { ...decision, ...(level === 0 ? { fields: run.fields } : {}) })) return;
    }
  };
  const make: Story['create'] = (actor, resource, values) => {
    const call = open(actor, resource);
    return again(() => createRecord(call, values));
  };
  return {
    roll,
    day: () => companyToday(now),
    today,
    wait,
    create: async (actor, resource, values) => {
      const record = await make(actor, resource, values);
      const change = firstMade(record);
      const task = change?.waits === true ? await openTask(services, change.resource, change.id) : null;
      if (task !== null) await decide(task, { kind: 'approve' });
      return record;
    },
    propose: async (actor, resource, values) => {
      const change = firstMade(await make(actor, resource, values));
      if (change === undefined) throw new RangeError(`nobody is asked about a new ${resource}`);
      return change.id;
    },
    update: (actor, resource, id, values) => {
      const call = open(actor, resource);
      return again(async () => {
        const [row] = await services.db.query(`select version from "${resource}" where id = $1`, [id]);
        return updateRecord(call, id, { ...values, version: Number(row?.['version']) });
      });
    },
    act,
    approve: async (actor, resource, run) => {
      await act(actor, resource, { ...run, action: run.action ?? 'submit' });
      await agree(resource, run);
    },
    agree: (resource, id) => agree(resource, { id }),
    reject: async (resource, id, opinion) => {
      const task = await openTask(services, resource, id);
      if (task !== null) await decide(task, { kind: 'reject', opinion });
    },
    handOn: async (resource, id, { id: to, opinion }) => {
      const task = await openTask(services, resource, id);
      if (task !== null) await decide(task, { kind: 'delegate', to, opinion });
    },
    withdraw: async (actor, resource, asked) => {
      const { served, caller } = next(actor);
      await again(() => withdrawApproval(served, caller, { resource, ...asked }));
    },
    upload: async (actor, name, bytes) => {
      const { served, caller } = next(actor);
      const owner = { coCode: company, createdBy: caller.subject.id, at: served.clock() };
      return (await services.files.save({ bytes, name, ...owner })).id;
    },
    verify: async (actor, query) => {
      const { served, caller } = next(actor);
      const own = { ...served, config: { ...served.config, invoice: null } };
      await again(() => verifyInvoice(own, query, { caller, company, address: '' }));
    },
    read: async (resource, id) => {
      const { served, caller } = next('ad');
      const record = await services.db.transaction((tx) =>
        readRecord({ tx, services: served, caller }, resource, id),
      );
      if (record === null) throw new RangeError(`no ${resource} ${id}`);
      return record;
    },
  };
}

/** The document that waits for a second person, as the answer of a write names it. */
function firstMade({ _created: made }: OpenRecord): CreatedRecord | undefined {
  return Array.isArray(made) ? (made as readonly CreatedRecord[])[0] : undefined;
}

/** So many minutes after nine o'clock in Shanghai. */
function officeTime(day: string, minutes: number): Date {
  return new Date(Date.parse(`${day}T01:00:00Z`) + minutes * MINUTE_MS);
}

interface OpenTask {
  readonly id: string;
  readonly assignees: readonly string[];
}

async function openTask(services: Services, resource: string, id: string): Promise<OpenTask | null> {
  const [row] = await services.db.query<{ id: string; assignee_ids: readonly string[] }>(
    `select id, assignee_ids from approval_task where resource = $1 and record_id = $2 and status = 'pending' limit 1`,
    [resource, id],
    'demo_task',
  );
  return row === undefined ? null : { id: row.id, assignees: row.assignee_ids };
}
