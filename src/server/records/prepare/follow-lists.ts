import { editableFields } from '#engine/lifecycle/editable-fields.ts';
import { followedFields, followingLists, withFollowedLines } from '#engine/record/followed-lines.ts';
import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { type Call, isSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';

/**
 * The record with the lines of its following lists (`follows`): of a new one, where what they follow is another, and where
 * whoever writes may write the list. To a person who writes something else a later word of what is followed is nothing.
 */
export function withListsFollowing(call: Call, record: ErpRecord, before: ErpRecord | null): ErpRecord {
  const { resource } = call;
  if (followingLists(resource).length === 0) return record;
  const open = before === null || isSystemCall(call) ? NONE : editableFields(resource, before, call.access);
  const isWanted = (lines: Field): boolean =>
    before === null ||
    open.has(lines.name) ||
    followedFields(lines).some((name) => (record[name] ?? null) !== (before[name] ?? null));
  return withFollowedLines(resource, record, recordScope(call, record), { isWanted });
}

const NONE: ReadonlySet<string> = new Set();
