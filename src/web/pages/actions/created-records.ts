import type { ErpRecord } from '#engine/schema/resource.ts';

/** A record that a write made, as its answer names it. */
export interface CreatedRecord {
  readonly resource: string;
  readonly id: string;
  readonly label: string;
  /** It asks a second person: what was asked for is done when that one agrees. */
  readonly waits?: boolean;
}

/** What the write that gave this answer made. */
export function createdRecords(record: ErpRecord): readonly CreatedRecord[] {
  const created = record['_created'];
  return Array.isArray(created) ? created.filter(isCreated) : [];
}

/** What to say of an answer when the change waits for a second person; null when nothing does. */
export function waitingText(record: ErpRecord): string | null {
  const waiting = createdRecords(record).find(({ waits }) => waits === true);
  return waiting === undefined ? null : `变更已提交复核（${waiting.label}），另一人同意后生效`;
}

function isCreated(value: unknown): value is CreatedRecord {
  return typeof value === 'object' && value !== null && 'resource' in value && 'id' in value;
}
