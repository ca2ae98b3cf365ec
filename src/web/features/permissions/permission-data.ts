import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#web/data/http.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
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

const RULES = { resource: 'permission_rule' } as const;
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
        await callApi('POST /data/:resource', {
          params: RULES,
          body: { role_id: place.role.id, resource: place.resource.resource, ...values },
          headers: { 'idempotency-key': randomKey() },
        });
      else {
        const params = { ...RULES, id: rule.id };
        const body = { ...values, version: rule.version };
        const saved = await callApi('PATCH /data/:resource/:id', { params, body });
        if (rule.status !== 'active')
          await callApi('POST /data/:resource/:id/actions/:action', {
            params: { ...params, action: 'enable' },
            body: { version: Number(saved['version']) },
          });
      }
      await reload();
    },
    reset: async (rule: PermissionRule): Promise<void> => {
      await callApi('DELETE /data/:resource/:id', {
        params: { ...RULES, id: rule.id },
        query: { version: String(rule.version) },
      });
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
  const [matrix, rules] = await Promise.all([callApi('GET /meta/permission-matrix'), loadRules()]);
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
    const { records, total } = await callApi('POST /data/:resource/query', {
      params: RULES,
      body: { currentPage, pageSize: PAGE_SIZE, columns },
    });
    rules.push(...records.map(readRule));
    if (rules.length >= total || records.length === 0) return rules;
  }
}

const PAGE_SIZE = 1_000;

function readRule(record: ErpRecord): PermissionRule {
  const text = (name: string): string => String(record[name] ?? '');
  const texts = (name: string): readonly string[] => {
    const value = record[name];
    return Array.isArray(value) ? value.map(String) : [];
  };
  return {
    id: text('id'),
    version: Number(record['version']),
    role_id: text('role_id'),
    resource: text('resource'),
    row_scope: typeof record['row_scope'] === 'string' ? record['row_scope'] : null,
    status: text('status'),
    actions: texts('actions'),
    hidden_fields: texts('hidden_fields'),
    readonly_fields: texts('readonly_fields'),
  };
}

/** Names the cell of a role and a resource. */
export function placeKey(roleId: string, resource: string): string {
  return `${roleId} ${resource}`;
}
