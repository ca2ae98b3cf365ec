import { createHash } from 'node:crypto';
import { formatFault, type LintFault } from '#engine/schema/source-file.ts';
import { emitSystemEvent } from './emit-event.ts';
import { companiesWithPeople } from './event-receivers.ts';
import type { Services } from '#server/records/services.ts';
import { noteTold } from './told-once.ts';

const EVENT = 'DEFINITION_FAULT';
const MAX_TOLD = 20;
/** Every process sees the same fault in its files; one of them tells. */
const SAME_MS = 60_000;

/** Tells the administrators when a definition file has faults, now or at the start, and its last good version serves. */
export function tellFaults(services: Services): void {
  const tell = (faults: readonly LintFault[]): void => {
    if (faults.length === 0) return;
    const list = faults.slice(0, MAX_TOLD).map(formatFault).join('\n');
    tellFaultsOnce(services, `共${faults.length}处错误，仍使用上一版本：\n${list}`).catch((error: unknown) =>
      services.log.warn({ err: error }, 'administrators cannot be told of definition faults'),
    );
  };
  services.definitions.onFaults(tell);
  tell(services.definitions.faults());
}

/** Tells the administrators of every company, unless the same words were told just now. */
export async function tellFaultsOnce(services: Services, words: string): Promise<void> {
  await services.db.transaction(async (tx) => {
    const about = createHash('sha256').update(words).digest('hex');
    const since = new Date(services.clock().getTime() - SAME_MS);
    if (!(await noteTold(tx, services, { event: EVENT, about, since }))) return;
    const companies = await companiesWithPeople(tx);
    await emitSystemEvent(tx, services, { event: EVENT, companies, words: { opinion: words, name: words } });
  });
}
