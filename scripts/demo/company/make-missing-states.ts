import { copiedValues } from '#engine/record/copied-values.ts';
import type { Action, ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { AppError } from '#server/kernel/errors.ts';
import { demoPdf } from './demo-files.ts';
import { creditCode } from './demo-numbers.ts';
import { actorOf } from './actor-of.ts';
import type { Actor } from './staff.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

/** Copies of these would be people, rights and accounts that nobody has. */
const SPARED: ReadonlySet<string> = new Set([
  'person', 'role', 'department', 'approval_flow', 'company_bank_account', 'accounting_period', 'account', 'partner',
]); // prettier-ignore
/** So many copies of one kind at most. */
const COPIES = 6;
const DIGITS = 9;
/** 宁波市江北区. */
const AREA = '330205';

/** A step of a copy from one state to another: an action, and how far its approval goes. */
interface Step {
  readonly action: Action;
  readonly to: string;
  readonly decided: 'none' | 'all' | 'rejected';
}

/**
 * What no record has become by itself: copies of records are brought into states that nobody is in, by actions that people
 * may do and that ask for nothing but a day, a word or a file.
 */
export async function makeMissingStates(world: World): Promise<void> {
  const { resources } = world.stage.services.definitions.catalog();
  const all = Object.values(resources).filter(
    ({ resource, lifecycle, kind, scope }) =>
      lifecycle !== undefined &&
      (scope === 'company' ? kind !== 'view' : kind === 'document') &&
      !SPARED.has(resource),
  );
  for (const [place, resource] of all.entries()) {
    await completeStates(world, resource);
    world.onStep('少见的状态', place + 1, all.length);
  }
}

async function completeStates(world: World, resource: Resource): Promise<void> {
  const { stage } = world;
  const { lifecycle } = resource;
  const maker = actorOf(world, resource, 'create');
  if (lifecycle === undefined || maker === null) return;
  const known = await statesIn(world, resource);
  let copies = 0;
  let spare: string | null = null;
  for (const state of Object.keys(lifecycle.states)) {
    if (known.has(state) || copies >= COPIES || pathTo(world, resource, state) === null) continue;
    const story = stage.begin(`missing ${resource.resource} ${state}`, addDays(stage.today, -6));
    await unlessRefused(async () => {
      spare ??= await copyOne(world, resource, story);
      if (spare === null) return;
      const id: string = spare;
      copies += 1;
      for (const step of pathTo(world, resource, state) ?? []) {
        // What has left its first state is not tried again.
        spare = null;
        await take(world, resource, { story, id, step });
        known.add(step.to);
      }
      spare = null;
      known.add(state);
    });
  }
}

/** The states that records have, of whichever company: one of each is enough. */
async function statesIn({ stage }: World, { resource }: Resource): Promise<Set<string>> {
  const rows = await stage.services.db.query<{ status: string }>(
    `select distinct status from "${resource}" where not is_deleted`,
  );
  return new Set(rows.map(({ status }) => status));
}

/** The fewest steps from the first state to another, none where it is the first; null where there is no way. */
function pathTo(world: World, resource: Resource, state: string): readonly Step[] | null {
  const initial = resource.lifecycle?.initial ?? '';
  const paths = new Map<string, readonly Step[]>([[initial, []]]);
  for (const [from, path] of paths)
    for (const step of stepsFrom(world, resource, from))
      if (!paths.has(step.to)) paths.set(step.to, [...path, step]);
  return paths.get(state) ?? null;
}

function stepsFrom(world: World, resource: Resource, from: string): readonly Step[] {
  return Object.values(resource.lifecycle?.actions ?? {}).flatMap((action): readonly Step[] => {
    const { to, approval, system, inputs = {}, amends } = action;
    const isOpen = system !== true && amends === undefined && Object.values(inputs).every(isEasy);
    if (!action.from.includes(from) || !isOpen || to.startsWith('$')) return [];
    if (actorOf(world, resource, action.key) === null) return [];
    const steps: Step[] = [{ action, to, decided: 'none' }];
    if (approval === undefined) return steps;
    if (!approval.rejected.startsWith('$'))
      steps.push({ action, to: approval.rejected, decided: 'rejected' });
    if (!approval.approved.startsWith('$')) steps.push({ action, to: approval.approved, decided: 'all' });
    return steps;
  });
}

async function take(
  world: World,
  resource: Resource,
  { story, id, step }: { readonly story: Story; readonly id: string; readonly step: Step },
): Promise<void> {
  const { action, decided } = step;
  const actor = actorOf(world, resource, action.key);
  if (actor === null) return;
  const inputs: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(action.inputs ?? {}))
    if (field.required === true && field.default === undefined)
      inputs[name] = await easyValue(story, actor, field.type);
  if (action.approval === undefined)
    return void (await story.act(actor, resource.resource, {
      id,
      action: action.key,
      opinion: '业务需要',
      inputs,
    }));
  await story.approve(actor, resource.resource, {
    id,
    action: action.key,
    opinion: '业务需要',
    inputs,
    ...(decided === 'none' ? { levels: 0 } : {}),
    ...(decided === 'rejected' ? { rejection: '资料不齐，请补充后再提交' } : {}),
  });
}

/** Whether an input can be filled in without knowing more than its kind. */
function isEasy({
  required,
  default: start,
  type,
}: Pick<Field, 'default' | 'type'> & { readonly required?: boolean }): boolean {
  return (
    required !== true ||
    start !== undefined ||
    ['date', 'text', 'textarea', 'attachment', 'boolean'].includes(type)
  );
}

async function easyValue(story: Story, actor: Actor, type: string): Promise<unknown> {
  if (type === 'date') return story.day();
  if (type === 'boolean') return true;
  return type === 'attachment'
    ? [await story.upload(actor, '附件.pdf', demoPdf(['ATTACHMENT']))]
    : '业务需要';
}

/** A new record with the values of the newest that has come further, as far as they may be given again; null where there is none. */
async function copyOne(world: World, resource: Resource, story: Story): Promise<string | null> {
  const { services, company } = world.stage;
  const [row] = await services.db.query<{ id: string }>(
    `select id from "${resource.resource}" where ${resource.scope === 'company' ? 'co_code' : '$1'} = $1 and not is_deleted
     order by status = $2, created_at desc, id limit 1`,
    [company, resource.lifecycle?.initial],
  );
  const maker = actorOf(world, resource, 'create');
  if (row === undefined || maker === null) return null;
  const from = await story.read(resource.resource, row.id);
  const files = await filesFor(story, maker, resource.fields, from);
  let values: OpenRecord = {
    ...withoutNotes(copiedValues(resource, from)),
    ...files,
    ...ownTexts(story, resource, from),
  };
  for (;;)
    try {
      return String((await story.create(maker, resource.resource, values))['id']);
    } catch (error) {
      const refused =
        error instanceof AppError ? error.problems.map(({ path }) => path.split('.')[0] ?? '') : [];
      if (!refused.some((name) => values[name] !== undefined)) throw error;
      values = Object.fromEntries(Object.entries(values).filter(([name]) => !refused.includes(name)));
    }
}

/** Values without what an answer tells besides them. */
function withoutNotes(values: OpenRecord): OpenRecord {
  const own = Object.entries(values).filter(([name]) => !name.startsWith('_'));
  return Object.fromEntries(
    own.map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((line: unknown) =>
            typeof line === 'object' && line !== null ? withoutNotes({ ...line }) : line,
          )
        : value,
    ]),
  );
}

/** Files of a copy's own where the record had some. */
async function filesFor(
  story: Story,
  maker: Actor,
  fields: Resource['fields'],
  from: ErpRecord,
): Promise<OpenRecord> {
  const files: Record<string, unknown> = {};
  for (const { name, type, computed } of Object.values(fields)) {
    const value = from[name];
    if (type !== 'attachment' || computed || !Array.isArray(value) || value.length === 0) continue;
    files[name] = [await story.upload(maker, '附件.pdf', demoPdf([String(from['id']).slice(-DIGITS)]))];
  }
  return files;
}

/** Texts that no two records share have other digits, names a second part. */
function ownTexts(story: Story, { unique, fields, label }: Resource, from: ErpRecord): OpenRecord {
  const names = [...unique.flatMap((one) => one.fields), label].filter((name) => {
    const field = fields[name];
    return field?.type === 'text' && !field.computed && typeof from[name] === 'string';
  });
  return Object.fromEntries(
    names.map((name) => [name, otherText(story, fields[name]?.check, String(from[name]))]),
  );
}

function otherText({ roll }: Story, check: string | undefined, text: string): string {
  if (check === 'unified_credit_code') return creditCode(roll, AREA);
  if (/\d{4}/.test(text)) return text.replace(/\d{3}(?!\d)/, () => String(roll.between(100, 999)));
  return /^[ -~]*$/.test(text) ? `${text} II` : `${text}（二部）`;
}
