import { useQuery, useQueryClient } from '@tanstack/react-query';
import { http } from '#web/data/http.ts';
import { randomKey } from '#web/data/random-key.ts';

export interface Named {
  readonly name: string;
  readonly title: string;
}

export interface MatrixRole {
  readonly id: string;
  readonly code: string;
  readonly name: string;
}

export interface Grant {
  readonly actions: readonly string[];
  readonly hidden_fields: readonly string[];
  readonly readonly_fields: readonly string[];
}

export interface MatrixResource {
  readonly resource: string;
  readonly title: string;
  readonly operations: readonly Named[];
  readonly fields: readonly Named[];
  /** By role code: what the file of the resource grants. */
  readonly shipped: Readonly<Record<string, Grant & { readonly isConditional: boolean }>>;
}

/** A row that replaces the shipped grants of one role on one resource, while it is active. */
export interface PermissionRule extends Grant {
  readonly id: string;
  readonly version: number;
  readonly role_id: string;
  readonly resource: string;
  readonly row_scope: string | null;
  readonly status: string;
}

interface Matrix {
  readonly roles: readonly MatrixRole[];
  readonly resources: readonly MatrixResource[];
}

const RULES = '/data/permission_rule';
const KEY = ['permission-matrix'];

/** The matrix with the rows that override it, and what writes them; every change is a record's change, with its history. */
export function usePermissions() {
  const client = useQueryClient();
  const { data, error, isLoading } = useQuery({ queryKey: KEY, queryFn: load });
  const reload = () => client.invalidateQueries({ queryKey: KEY });
  return {
    data: data ?? null,
    error,
    isLoading,
    reload,
    save: async (place: RulePlace, values: RuleValues): Promise<void> => {
      const { rule } = place;
      if (rule === null)
        await http.post(
          RULES,
          { role_id: place.role.id, resource: place.resource.resource, ...values },
          { headers: { 'idempotency-key': randomKey() } },
        );
      else {
        const saved = await http.patch<PermissionRule>(`${RULES}/${rule.id}`, {
          ...values,
          version: rule.version,
        });
        if (rule.status !== 'active')
          await http.post(`${RULES}/${rule.id}/actions/enable`, { version: saved.version });
      }
      await reload();
    },
    reset: async (rule: PermissionRule): Promise<void> => {
      await http.delete(`${RULES}/${rule.id}?version=${rule.version}`);
      await reload();
    },
  };
}

export interface RulePlace {
  readonly role: MatrixRole;
  readonly resource: MatrixResource;
  readonly rule: PermissionRule | null;
}

export type RuleValues = Grant & { readonly row_scope: string | null };

async function load(): Promise<Matrix & { readonly rules: ReadonlyMap<string, PermissionRule> }> {
  const [matrix, rules] = await Promise.all([http.get<Matrix>('/meta/permission-matrix'), loadRules()]);
  return {
    ...matrix,
    rules: new Map(rules.map((rule) => [placeKey(rule.role_id, rule.resource), rule])),
  };
}

async function loadRules(): Promise<readonly PermissionRule[]> {
  const columns = [
    'role_id',
    'resource',
    'actions',
    'row_scope',
    'hidden_fields',
    'readonly_fields',
    'status',
  ];
  const rules: PermissionRule[] = [];
  for (let currentPage = 1; ; currentPage += 1) {
    const { records, total } = await http.post<{
      readonly records: readonly PermissionRule[];
      readonly total: number;
    }>(`${RULES}/query`, { currentPage, pageSize: PAGE_SIZE, columns });
    rules.push(...records);
    if (rules.length >= total || records.length === 0) return rules;
  }
}

const PAGE_SIZE = 1_000;

/** Names the cell of a role and a resource. */
export function placeKey(roleId: string, resource: string): string {
  return `${roleId} ${resource}`;
}
