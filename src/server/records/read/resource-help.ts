import type { ResourceHelp } from '#contract/resource-help.ts';
import { roleWithDuty } from '#engine/access/role-duties.ts';
import { shippedGrant } from '#engine/access/shipped-grant.ts';
import { describeAction, stateTitle } from '#engine/schema/describe-action.ts';
import { clientResource } from '#engine/schema/client-resource.ts';
import type { Catalog, Field, Resource } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { overridesOf } from '#server/records/call/overrides.ts';
import { operationTitle } from './operation-titles.ts';

/**
 * Help on a resource as its definition and the rights in force have it; fields that the reader may not see stay out.
 * Customers read of themselves only: who in the house does what, and what follows from it there, is the house's own.
 */
export function resourceHelp(call: Call): ResourceHelp {
  const { resource, access, catalog, services } = call;
  if (access.operations.size === 0) throw new AppError('FORBIDDEN');
  const client = clientResource(resource, access);
  const roles = rolesOf(call);
  const events = Object.fromEntries(
    Object.entries(services.definitions.setup().events).map(([code, event]) => [
      code,
      event.name ?? event.title.replace(/[：:]?\s*\{\w+\}/g, ''),
    ]),
  );
  const { states = {}, actions = {}, initial, groups = {} } = resource.lifecycle ?? {};
  const isPartner = call.caller.subject.kind === 'partner';
  const own = Object.values(actions).filter(
    ({ system, key }) => system !== true && (!isPartner || access.operations.has(key)),
  );
  const last = new Set([...(groups['final'] ?? []), ...(groups['dead'] ?? [])]);
  return {
    title: resource.title,
    mine: [...access.operations].map((name) => operationTitle(resource, name)),
    sections: client.edit.flatMap((section) => {
      const { title } = section;
      const names = 'lines' in section ? [section.lines] : section.fields;
      const shown = names.flatMap((name) => client.fields[name] ?? []);
      return shown.length === 0
        ? []
        : [
            {
              title,
              fields: shown.map((field) => fieldHelp(field, resource, { beside: client.fields, catalog })),
            },
          ];
    }),
    states: Object.entries(states).map(([name, state]) => ({
      title: state.title,
      isFirst: name === initial,
      isLast: last.has(name),
    })),
    actions: own.map((action) => ({
      title: action.title,
      from: action.from.map((state) => stateTitle(resource, state)),
      to: stateTitle(resource, action.to),
      roles: roles.flatMap(({ name, grants }) => (grants.has(action.key) ? [name] : [])),
      happens: isPartner ? [] : [...new Set(describeAction(resource, action, { catalog, events }))],
      isMine: access.operations.has(action.key),
    })),
    roles: roles.map(({ name, grants }) => ({
      name,
      operations: [...grants].map((operation) => operationTitle(resource, operation)),
    })),
  };
}

/** What each role that the reader may hear of may do: the file's grants, or the row that replaces them, or narrows those of customers. */
function rolesOf({ resource, catalog, services, caller }: Call) {
  const partner = roleWithDuty(catalog.roles, 'partner');
  const { access: overrides } = overridesOf(services);
  return Object.values(catalog.roles).flatMap(({ code, name }) => {
    if (caller.subject.kind === 'partner' && code !== partner) return [];
    const changed = overrides.find((row) => row.resource === resource.resource && row.role === code);
    const { actions } = shippedGrant(resource, code, code !== partner);
    const given =
      code === partner ? changed?.actions.filter((action) => actions.includes(action)) : changed?.actions;
    const grants = new Set(given ?? actions);
    return grants.size === 0 ? [] : [{ name, grants }];
  });
}

function fieldHelp(
  field: Field,
  { number }: Resource,
  { beside, catalog }: { readonly beside: Fields; readonly catalog: Catalog },
): ResourceHelp['sections'][number]['fields'][number] {
  const numbered = number?.field === field.name ? ['由系统编号'] : [];
  const cells = field.type === 'lines' ? (field.fields ?? {}) : {};
  return {
    name: field.name,
    title: field.title,
    isRequired: field.required && field.drawn !== true,
    notes: numbered.length > 0 ? numbered : [...notesOf(field, beside, catalog)],
    columns: Object.values(cells).map((column) => ({
      name: column.name,
      title: column.title,
      isRequired: column.required,
      notes: [...notesOf(column, cells, catalog)],
    })),
  };
}

const MOST_CHOICES = 12;

type Fields = Readonly<Record<string, Field>>;

function notesOf(field: Field, beside: Fields, catalog: Catalog): readonly string[] {
  const choices = Object.values(field.options ?? {});
  const known = field.dictionary === undefined ? undefined : catalog.dictionaries[field.dictionary];
  const labels = choices.length > 0 ? choices : (known?.items ?? []).map(({ label }) => label);
  const target: Resource | undefined = typeof field.to === 'string' ? catalog.resources[field.to] : undefined;
  const filled = Object.keys(field.fill ?? {}).flatMap((name) => beside[name]?.title ?? []);
  const source = sourceOf(field);
  const choice = labels.length === 0 || labels.length > MOST_CHOICES ? [] : [labels.join('、')];
  const hint = field.hint === undefined ? [] : [field.hint];
  // What nobody fills in needs no word on how to.
  if (source !== null) return [...hint, source, ...choice.map((text) => `可能为：${text}`)];
  return [
    ...hint,
    ...(target === undefined
      ? []
      : [`从${target.title}中选择${filled.length === 0 ? '' : `，并带出${filled.join('、')}`}`]),
    ...choice.map((text) => `可选：${text}`),
    ...(field.fixed === true ? ['新增后不能修改'] : []),
    ...(field.max === undefined || field.type === 'lines'
      ? []
      : [`最多 ${String(field.max)}${field.type === 'text' ? ' 字' : ''}`]),
  ];
}

/** Where the value of a field comes from that people do not fill in; null for what they do. */
function sourceOf(field: Field): string | null {
  if (field.formula !== undefined) return '由系统计算';
  if (field.rollup !== undefined) return '由系统从其他单据汇总';
  if (field.system === true) return '由系统写入';
  return field.readOnly === true ? '由系统带出' : null;
}
