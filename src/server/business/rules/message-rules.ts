import {
  eventFields,
  GENERAL_WORDS,
  hasOpenBrace,
  resourcesOfEvent,
  wordsIn,
} from '#engine/schema/event-words.ts';
import type { Field, FieldProblem } from '#engine/schema/resource.ts';
import { accessTo } from '#server/records/call/open-call.ts';
import { partnerSubject } from '#server/records/call/partner-subject.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { updateRecordFields } from '#server/records/write/system-write.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import { textOf } from './rule-values.ts';

const TEMPLATES = ['title_tpl', 'content_tpl'] as const;
/** So many fields are named to somebody who guessed wrong. */
const MAX_NAMED = 12;

/** A notice source speaks of an event that the system knows, in words that its records can fill in. */
async function checkMessageSource(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { services, record } = call;
  const { events } = services.definitions.setup();
  const code = textOf(record, 'event_code');
  if (code === null) return [];
  const event = Object.hasOwn(events, code) ? events[code] : undefined;
  const keys = resourcesOfEvent(currentCatalog(services), code, event);
  const fields = eventFields(currentCatalog(services), keys);
  const wrong = TEMPLATES.flatMap((path) => [
    ...strangeWords(record, path, fields),
    ...(record['receiver_partner'] === true ? hiddenWords(call, { path, keys, fields }) : []),
  ]);
  const message = `系统没有事件“${code}”，请从「系统自带值」中选择`;
  return event === undefined ? [{ path: 'event_code', code: 'unknown', message }, ...wrong] : wrong;
}

function strangeWords(
  record: RuleCall['record'],
  path: string,
  fields: ReadonlyMap<string, Field>,
): readonly FieldProblem[] {
  const template = textOf(record, path) ?? '';
  const strange = wordsIn(template).find((word) => !GENERAL_WORDS.includes(word) && !fields.has(word));
  if (strange !== undefined) {
    const named = [...fields.values()].slice(0, MAX_NAMED).map(({ name, title }) => `{${name}}${title}`);
    const known = [...GENERAL_WORDS.map((word) => `{${word}}`), ...named].join(' ');
    return [{ path, code: 'placeholder', message: `不认识占位“{${strange}}”，可用 ${known}` }];
  }
  return hasOpenBrace(template) ? [{ path, code: 'placeholder', message: '占位的花括号没有成对' }] : [];
}

/** What customers may not see is not told to them either. */
function hiddenWords(
  { services, caller, record }: RuleCall,
  asked: {
    readonly path: string;
    readonly keys: readonly string[];
    readonly fields: ReadonlyMap<string, Field>;
  },
): readonly FieldProblem[] {
  const { path, keys, fields } = asked;
  const subject = partnerSubject(currentCatalog(services), caller.subject.co_code, null);
  const hidden = keys.flatMap((key) => {
    const resource = currentCatalog(services).resources[key];
    return resource === undefined ? [] : [accessTo(services, subject, resource).hidden];
  });
  const told = wordsIn(textOf(record, path) ?? '').find(
    (word) => !GENERAL_WORDS.includes(word) && hidden.some((names) => names.has(word)),
  );
  if (told === undefined) return [];
  const message = `委托方看不到“${fields.get(told)?.title ?? told}”，不能发给委托方`;
  return [{ path, code: 'hidden', message }];
}

/** Keeps beside a source what kind of event it is, so that its form shows what takes effect. */
async function markEvent(call: RuleCall): Promise<void> {
  const event = call.services.definitions.setup().events[textOf(call.record, 'event_code') ?? ''];
  await updateRecordFields(call, call.resource.resource, {
    id: String(call.record['id']),
    fields: { is_addressed: event?.isAddressed === true, is_warning: event?.advance_days !== undefined },
    isSameWrite: true,
  });
}

/** The rules of notice sources, by the names that the definitions use. */
export const MESSAGE_RULES: RuleSet = {
  checks: {
    check_message_source: {
      run: checkMessageSource,
      reads: ['message_source.event_code', 'message_source.title_tpl', 'message_source.content_tpl'],
      why: 'definitions as data',
    },
  },
  effects: {
    mark_event: {
      run: markEvent,
      reads: ['message_source.event_code'],
      writes: ['message_source.is_addressed', 'message_source.is_warning'],
      why: 'definitions as data',
    },
  },
};
