import { describeFilter } from '../filter/describe-filter.ts';
import type { FollowDefinition, StateNames } from './effects-definition.ts';
import type { Action, Catalog, Resource } from './resource.ts';

/**
 * What happens when an action runs, in the order in which it does, as sentences for whoever presses the button.
 * @param events what the notices of message-events.json are called
 */
export function describeAction(
  resource: Resource,
  action: Action,
  { catalog, events }: { readonly catalog: Catalog; readonly events: Readonly<Record<string, string>> },
): readonly string[] {
  const place = { resource, catalog };
  const { approval } = action;
  return [
    ...(action.when === undefined
      ? []
      : [
          `条件：${action.whenMessage === undefined ? describeFilter(action.when, place) : `否则“${action.whenMessage}”`}`,
        ]),
    ...(action.complete ? ['检查必填项与规则'] : []),
    ...(action.reason === true ? ['须填写原因'] : []),
    ...(action.inputs === undefined
      ? []
      : [
          `须填写：${Object.values(action.inputs)
            .map(({ title }) => title)
            .join('、')}`,
        ]),
    ...(action.amends === undefined ? [] : ['可以修改已审核的内容']),
    ...setTexts(resource, Object.keys(action.set ?? {})),
    ...(approval === undefined
      ? []
      : [
          `按审核流程逐级审核：同意后为「${stateTitle(resource, approval.approved)}」，驳回后为「${stateTitle(resource, approval.rejected)}」，撤回后为「${stateTitle(resource, approval.withdrawn)}」`,
        ]),
    ...(action.then ?? []).flatMap((entry) => followText(resource, entry, catalog)),
    ...(approval?.then ?? []).flatMap((entry) =>
      followText(resource, entry, catalog).map((text) => `审核通过后${text}`),
    ),
    ...bookText(resource, action),
    ...(action.auto === true ? ['条件满足时系统自动执行'] : []),
    ...(action.daily === true || action.often === true ? ['系统定时检查并自动执行'] : []),
    ...(action.refused === undefined || events[action.refused] === undefined
      ? []
      : [`不能执行时发送消息「${events[action.refused]}」`]),
    ...[action.event, approval?.event].flatMap((event) =>
      event === undefined || events[event] === undefined ? [] : [`发送消息「${events[event]}」`],
    ),
  ];
}

/** The title of a state; `$same` and `$previous` in words. */
export function stateTitle(resource: Resource, state: string): string {
  if (state === '$same') return '状态不变';
  if (state === '$previous') return '原来的状态';
  if (state === '$new') return '新建';
  return resource.lifecycle?.states[state]?.title ?? state;
}

function setTexts(resource: Resource, names: readonly string[]): readonly string[] {
  const titles = names.flatMap((name) => resource.fields[name]?.title ?? []);
  return titles.length === 0 ? [] : [`写入${titles.join('、')}`];
}

function followText(resource: Resource, entry: FollowDefinition, catalog: Catalog): readonly string[] {
  const made = entry.make ?? entry.remake;
  if (made !== undefined) {
    const target = resource.makes[made]?.to.split('.')[0] ?? '';
    return [`生成${catalog.resources[target]?.title ?? '单据'}`];
  }
  const others = othersOf(resource, entry, catalog);
  if (entry.do !== undefined) {
    const title = (others ?? resource).lifecycle?.actions[entry.do]?.title;
    if (title === undefined) return [];
    return [others === null ? `接着执行「${title}」` : `对相关${others.title}执行「${title}」`];
  }
  const names = Object.keys({ ...entry.set, ...entry.add });
  const titles = names.flatMap((name) => (others ?? resource).fields[name]?.title ?? []);
  if (titles.length === 0) return [];
  return [`${others === null ? '更新' : `更新${others.title}的`}${[...new Set(titles)].join('、')}`];
}

/** Whose records an entry is about; null for the record itself. */
function othersOf(resource: Resource, { of, to }: FollowDefinition, catalog: Catalog): Resource | null {
  if (of !== undefined) return catalog.resources[of.split('.')[0] ?? ''] ?? null;
  let here: Resource | undefined = resource;
  let found: Resource | null = null;
  let fields = resource.fields;
  for (const step of (to ?? '').split('.')) {
    const field = fields[step];
    if (field?.type === 'lines') fields = field.fields ?? {};
    else if (typeof field?.to === 'string') {
      here = catalog.resources[field.to.split('.')[0] ?? ''];
      found = here ?? null;
      fields = here?.fields ?? {};
    } else break;
  }
  return found;
}

/** Ledgers, holds and vouchers that the action or the state that it leads to sets going. */
function bookText(resource: Resource, action: Action): readonly string[] {
  const reached = [
    action.key,
    action.to,
    ...(action.approval === undefined ? [] : [action.approval.approved]),
  ];
  const isMeant = (at: StateNames): boolean =>
    (typeof at === 'string' ? [at] : at).some((name) =>
      name.startsWith('@')
        ? (resource.lifecycle?.groups[name.slice(1)] ?? []).some((state) => reached.includes(state))
        : reached.includes(name),
    );
  const posts = resource.postings.some(({ at }) => isMeant(at));
  const holds = resource.holds.some((hold) => isMeant(hold.in));
  const vouchers = resource.vouchers.some(({ at }) => isMeant(at));
  const when = action.approval === undefined ? '' : '审核通过后';
  return [
    ...(posts ? [`${when}记入台账`] : []),
    ...(holds ? [`${when}占用额度或余额`] : []),
    ...(vouchers ? [`${when}生成财务凭证`] : []),
  ];
}
