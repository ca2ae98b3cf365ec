import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { parameterValues } from '#server/records/read/parameter-values.ts';
import { readJson, shipped, shippedDefinitions } from './shipped-definitions.ts';

const { catalog, setup } = shippedDefinitions();

/** Sent by the program, each with a test of its own. */
const BY_PROGRAM = [
  'REPORT_SENT',
  'AUDIT_FAULT',
  'COMMENT_MENTION',
  'DELEGATION_GIVEN',
  'DELEGATION_ENDED',
  'DATA_INVARIANT',
  'DEFINITION_FAULT',
  'LOGIN_CHANGED',
  'MAIL_FAILED',
  'NEWS_PUBLISHED',
  'PARTNER_ACTIVATED',
  'RECEIPT_ARRIVED',
  'RECORDS_HANDED_OVER',
  'TASK_APPROVED',
  'TASK_ASSIGNED',
  'TASK_REJECTED',
  'TASK_TIMEOUT',
];

interface FaceBlock {
  readonly kind: string;
  readonly records?: readonly {
    readonly resource: string;
    readonly where?: unknown;
    readonly fields: readonly string[];
    readonly amounts: readonly string[];
  }[];
}

describe('a shipped parameter', () => {
  const parameters = setup.files['parameters'] as readonly ErpRecord[];

  it.each(parameters.map((row) => [String(row['param']), row] as const))(
    '%s has a kind and a value that the settings take',
    (_, row) => {
      const values = parameterValues(parameters, row).map(({ value }) => value);
      expect(values.length === 0 || values.includes(String(row['value']))).toBe(true);
      expect(shipped('system_default').fields['kind']?.options).toHaveProperty(String(row['kind']));
    },
  );
});

describe('setup', () => {
  it('has a flow for every action that starts an approval', () => {
    const asked = Object.values(catalog?.resources ?? {}).flatMap((resource) =>
      Object.values(resource.lifecycle?.actions ?? {})
        .filter(({ approval }) => approval !== undefined)
        .map((action) => `${resource.resource}.${action.key}`),
    );
    const flows = setup.files['approval-flows'] as readonly {
      readonly resource: string;
      readonly action?: string;
      readonly condition?: unknown;
      readonly amount_field?: string;
    }[];
    const without = asked.filter((name) => {
      const [resource = '', action = ''] = name.split('.');
      return !flows.some(
        (flow) =>
          flow.resource === resource &&
          (flow.action ?? action) === action &&
          flow.condition === undefined &&
          flow.amount_field === undefined,
      );
    });
    expect(without).toEqual([]);
  });

  it('tells customers on their home page what they owe, by what they may read', () => {
    const faces = readJson<{ readonly partner: { readonly home: readonly FaceBlock[] } }>(
      'resources/setup/faces.json',
    );
    const groups = faces.partner.home.find(({ kind }) => kind === 'money')?.records ?? [];
    const owed = groups.filter(({ where }) => where !== undefined);
    expect(owed.map(({ resource }) => resource)).toEqual([
      'financing',
      'scf_financing',
      'other_receivable_invoice',
    ]);
    for (const { resource, fields, amounts } of owed) {
      const grants = (catalog?.resources[resource]?.access ?? []).filter(({ role }) => role === 'PT');
      expect([resource, grants.some((grant) => grant.do.includes('list'))]).toEqual([resource, true]);
      const hidden = new Set(grants.flatMap(({ hide = [] }) => hide));
      expect([...fields, ...amounts].filter((name) => hidden.has(name))).toEqual([]);
    }
  });

  it('gives every level of every flow a time by which it is due', () => {
    const flows = setup.files['approval-flows'] as readonly {
      readonly name: string;
      readonly levels: readonly { readonly title: string; readonly timeout_hours?: number }[];
    }[];
    const endless = flows.flatMap(({ name, levels }) =>
      levels.filter(({ timeout_hours: hours }) => hours === undefined).map(({ title }) => `${name} ${title}`),
    );
    expect(endless).toEqual([]);
  });

  it('lets who decides in the end approve whatever has an approval', () => {
    const [last] = Object.values(catalog?.roles ?? {}).filter(({ duty }) => duty === 'last_approver');
    const closed = Object.values(catalog?.resources ?? {}).filter(
      ({ lifecycle, access }) =>
        Object.values(lifecycle?.actions ?? {}).some(({ approval }) => approval !== undefined) &&
        !access.some(
          ({ role, do: operations }) =>
            [role].flat().includes(last?.code ?? '') &&
            ['list', 'read', 'approve'].every((operation) => operations.includes(operation)),
        ),
    );
    expect(closed.map(({ resource }) => resource)).toEqual([]);
  });

  it('takes who asks for a reversal as its first signer', () => {
    const flows = setup.files['approval-flows'] as readonly {
      readonly resource: string;
      readonly action?: string;
      readonly levels: readonly { readonly role?: string }[];
    }[];
    const reversals = flows.filter(({ action = 'submit' }) => action !== 'submit');
    const twice = reversals.filter(({ resource, action = '', levels }) =>
      shipped(resource).access.some(
        ({ role, do: operations }) =>
          operations.includes(action) &&
          [role].flat().some((code) => code !== 'GM' && code === levels[0]?.role),
      ),
    );
    expect(reversals.map(({ resource, action }) => `${resource}.${action}`)).toContain('blacklist.release');
    expect(twice).toEqual([]);
  });

  it('asks letters of authorisation for nothing that they cannot allow', () => {
    const known = Object.keys(catalog?.resources['authorization_letter']?.fields['scope']?.options ?? {});
    const asked = Object.values(catalog?.resources ?? {}).flatMap(({ mandate }) => mandate ?? []);
    expect([...new Set(asked)].toSorted()).toEqual(
      [...known.filter((name) => name !== '查询'), '*'].toSorted(),
    );
  });

  it('has an event for every notice, and sends every event whose resource exists', () => {
    const sent = Object.values(catalog?.resources ?? {}).flatMap((resource) =>
      Object.values(resource.lifecycle?.actions ?? {}).flatMap(({ event, refused, approval }) =>
        [event, refused, approval?.event].filter((code) => code !== undefined),
      ),
    );
    const overdrawn = Object.values(catalog?.resources ?? {}).flatMap(
      ({ account }) => account?.overdrawn ?? [],
    );
    const known = [...new Set([...sent, ...overdrawn, ...BY_PROGRAM])];
    expect(Object.keys(setup.events).toSorted()).toEqual(known.toSorted());
  });

  it('has eight companies', () => {
    const regions = readJson<readonly { readonly coCode: string; readonly hosts: readonly string[] }[]>(
      'resources/setup/regions.json',
    );
    expect(regions.map(({ coCode }) => coCode)).toEqual(['AA', 'AE', 'Ak', 'AO', 'AC', 'AF', 'AN', 'AG']);
    const hosts = regions.flatMap((region) => region.hosts);
    expect(new Set(hosts).size).toBe(hosts.length);
  });

  it('keeps partners away from what is the company’s', () => {
    expect(hidden('partner')).toContain('risk_level');
    expect(hidden('supplier')).toContain('risk_level');
    expect(hidden('shipment')).toEqual(expect.arrayContaining(['exchange_cost', 'commission']));
    expect(hidden('export_contract')).toContain('commission_rate');
    expect(hidden('purchase_contract')).toContain('items.unit_price');
    expect(hidden('company_bank_account')).toContain('balance');
    expect(shipped('blacklist').access.some(({ role }) => role === 'PT' || role.includes('PT'))).toBe(false);
  });
});

/** What partners never see of a resource. */
function hidden(key: string): readonly string[] {
  return shipped(key)
    .access.filter(({ role }) => role === 'PT')
    .flatMap(({ hide }) => hide ?? []);
}

type Source = string | { readonly column?: string | readonly string[]; readonly template?: string };
interface Import {
  readonly resource: string;
  readonly file: string;
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, Source>>;
}

const { imports } = readJson<{ readonly imports: readonly Import[] }>('resources/reference-data/import.json');

describe.each(imports.map((entry) => [`${entry.resource} <- ${entry.file}`, entry] as const))(
  '%s',
  (_, entry) => {
    it('names fields and columns that exist', () => {
      const path = `resources/reference-data/${entry.file}`;
      expect(existsSync(path)).toBe(true);
      const header = (readFileSync(path, 'utf8').split('\n')[0] ?? '').split(',');
      const { fields } = shipped(entry.resource);
      expect(Object.keys(entry.columns).filter((name) => fields[name] === undefined)).toEqual([]);
      expect(entry.key.filter((name) => entry.columns[name] === undefined)).toEqual([]);
      const columns = Object.values(entry.columns).flatMap(sourceColumns);
      expect(columns.filter((column) => !header.includes(column))).toEqual([]);
    });
  },
);

function sourceColumns(source: Source): readonly string[] {
  if (typeof source === 'string') return [source];
  const { column, template } = source;
  if (template !== undefined) return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return column === undefined ? [] : typeof column === 'string' ? [column] : column;
}
