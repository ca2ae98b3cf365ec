import type { RuleSet } from '#server/records/rules/rule-registry.ts';

/** Effects of the resource `person` on the sessions of the people behind it. */
export const SESSION_RULES: RuleSet = {
  effects: {
    /** Ends a person's sessions when the password, the roles, the rights or the status changed; other edits leave them. */
    revoke_sessions: {
      reads: ['person.password', 'person.role_ids', 'person.status', 'person.dept_id'],
      why: 'sessions are no records',
      run: async ({ tx, services, record, previous, caller }) => {
        const id = record['id'];
        if (previous === undefined || typeof id !== 'string') return;
        if (WATCHED.every((name) => isSame(record[name], previous[name]))) return;
        await services.following.endSessions(
          tx,
          [id],
          id === caller.subject.id ? caller.sessionId : undefined,
        );
      },
    },
    /** Ends a person's sessions whatever changed: 停用, 重置密码. */
    end_sessions: {
      reads: [],
      why: 'sessions are no records',
      run: async ({ tx, services, record }) => {
        if (typeof record['id'] === 'string') await services.following.endSessions(tx, [record['id']]);
      },
    },
  },
};

const WATCHED = [
  'password', 'role_ids', 'default_role_id', 'super_permission', 'scope_override', 'status', 'dept_id', 'service_targets',
] as const; // prettier-ignore

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
}
