import { linesOf } from '#server/records/read/attach-references.ts';
import type { RuleSet } from '#server/records/rules/rule-registry.ts';

/** Effects on the sessions of the people behind a record. */
export const SESSION_RULES: RuleSet = {
  effects: {
    /** Ends the sessions of a person, or of a partner's accounts; who changes the own record keeps the session at hand. */
    end_sessions: {
      reads: ['partner.accounts'],
      why: 'sessions are no records',
      run: async ({ tx, services, record, caller, action }) => {
        const accounts: readonly unknown[] = Array.isArray(record['accounts']) ? record['accounts'] : [];
        const ids = [record, ...accounts].map(idOf).filter((id) => id !== null);
        const own = action === 'update' && ids.includes(caller.subject.id) ? caller.sessionId : undefined;
        await services.following.endSessions(tx, ids, own);
      },
    },
    /**
     * Ends the sessions of a partner's accounts whose password or number is another than before; who changes the own
     * account keeps the session at hand.
     */
    end_account_sessions: {
      reads: ['partner.accounts.password', 'partner.accounts.mobile'],
      why: 'sessions are no records',
      run: async ({ tx, services, record, previous, caller }) => {
        const before = new Map(linesOf(previous?.['accounts']).map((line) => [line['id'], line]));
        const ids = linesOf(record['accounts']).flatMap((line) => {
          const was = before.get(line['id']);
          const isOther =
            was !== undefined && (was['password'] !== line['password'] || was['mobile'] !== line['mobile']);
          return isOther ? [String(line['id'])] : [];
        });
        if (ids.length === 0) return;
        const own = ids.includes(caller.subject.id) ? caller.sessionId : undefined;
        await services.following.endSessions(tx, ids, own);
      },
    },
  },
};

function idOf(value: unknown): string | null {
  const id: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'id') : null;
  return typeof id === 'string' ? id : null;
}
