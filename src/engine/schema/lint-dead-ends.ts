import type { ResourceDefinition } from './definition.ts';
import { excludeEachOther } from './exclusive-filters.ts';
import { touchedNames, isTouched } from './touched-names.ts';
import type { Action, Catalog, Field, Lifecycle, Resource } from './resource.ts';
import type { WaitingDefinition } from './setup-files.ts';
import { faultAt, type JsonPath, type LintFault, type SourceFile } from './source-file.ts';

/** A resource file that passed the other checks. */
interface CheckedFile {
  readonly file: SourceFile;
  readonly definition: ResourceDefinition;
  readonly resource: Resource;
}

export interface DeadEndLint {
  readonly files: readonly CheckedFile[];
  readonly catalog: Catalog;
  /** What the server's code declares that it runs and writes. */
  readonly code: ReadonlySet<string>;
  readonly waiting: readonly WaitingDefinition[];
  /** setup/waiting.json, for what stands in it without need. */
  readonly waitingFile: SourceFile | undefined;
}

/**
 * Checks that everything can come about and end: actions that nothing runs, system fields that nothing writes, states
 * without a way in or out, actions that undo each other by themselves. What waits for a resource still to come is listed
 * in setup/waiting.json; an entry without need is at fault itself.
 */
export function lintDeadEnds(lint: DeadEndLint): readonly LintFault[] {
  const touched = new Set([...touchedNames(lint.catalog), ...lint.code]);
  const used = new Set<number>();
  const faults = lint.files.flatMap((checked) => {
    const { file, resource } = checked;
    const found = [
      ...deadActions(checked, touched),
      ...deadFields(checked, touched),
      ...deadStates(checked, touched),
    ];
    const told = found.filter(({ name }) => {
      const place = lint.waiting.findIndex(
        (entry) => entry.resource === resource.resource && entry.name === name,
      );
      if (place >= 0) used.add(place);
      return place < 0;
    });
    return [...told.map(({ path, message }) => faultAt(file, path, message, 'key')), ...circles(checked)];
  });
  const { waitingFile } = lint;
  if (waitingFile === undefined) return faults;
  const idle = lint.waiting.flatMap((entry, place) =>
    used.has(place)
      ? []
      : [faultAt(waitingFile, [place], `${entry.resource} 的 "${entry.name}" 已不必等待，请删去此项`)],
  );
  return [...faults, ...idle];
}

/** What ends nowhere; `name` as setup/waiting.json writes it. */
interface DeadEnd {
  readonly name: string;
  readonly path: JsonPath;
  readonly message: string;
}

function deadActions({ resource }: CheckedFile, touched: ReadonlySet<string>): readonly DeadEnd[] {
  return Object.values(resource.lifecycle?.actions ?? {})
    .filter(({ system, auto, daily, often }) => system === true && ![auto, daily, often].includes(true))
    .filter(({ key }) => !isTouched(touched, resource.resource, `!${key}`))
    .map(({ key }) => ({
      name: `!${key}`,
      path: ['lifecycle', 'actions', key],
      message: `没有什么会执行系统动作 "${key}"（没有 do、auto、定时，也没有代码声明）`,
    }));
}

function deadFields({ resource }: CheckedFile, touched: ReadonlySet<string>): readonly DeadEnd[] {
  return Object.values(resource.fields).flatMap((field) =>
    field.fields === undefined
      ? deadField(resource, field, [field.name], touched)
      : Object.values(field.fields).flatMap((cell) =>
          deadField(resource, cell, [field.name, 'fields', cell.name], touched),
        ),
  );
}

function deadField(
  resource: Resource,
  field: Field,
  path: readonly string[],
  touched: ReadonlySet<string>,
): readonly DeadEnd[] {
  const name = path.filter((_, index) => index !== 1).join('.');
  const isOwnWork = [field.formula, field.rollup, field.find].some((own) => own !== undefined);
  if (field.system !== true || field.standard || isOwnWork) return [];
  if (isTouched(touched, resource.resource, `.${name}`)) return [];
  const message = `没有什么会写入系统字段 "${name}"`;
  return [{ name, path: ['fields', ...path], message }];
}

/** The states of the file's own lifecycle: each has a way in, and is left by something unless it is final. */
function deadStates({ definition, resource }: CheckedFile, touched: ReadonlySet<string>): readonly DeadEnd[] {
  const { lifecycle } = resource;
  if (definition.lifecycle === undefined || lifecycle === undefined) return [];
  const entered = enteredStates(lifecycle);
  const final = lifecycle.groups['final'] ?? [];
  return Object.keys(lifecycle.states).flatMap((state): readonly DeadEnd[] => {
    const name = `status:${state}`;
    const path = ['lifecycle', 'states', state];
    if (!entered.has(state) && !isTouched(touched, resource.resource, `.${name}`))
      return [{ name, path, message: `没有什么会进入状态 "${state}"` }];
    if (final.includes(state) || isLeft(lifecycle, state) || touched.has(`${resource.resource}.*`)) return [];
    return [{ name, path, message: `没有什么会离开状态 "${state}"，它也不在 "final" 组中` }];
  });
}

function enteredStates({ initial, actions, retired }: Lifecycle): ReadonlySet<string> {
  return new Set([initial, ...Object.values(retired), ...Object.values(actions).flatMap(entersOf)]);
}

function entersOf({ to, approval }: Action): readonly string[] {
  return approval === undefined ? [to] : [to, approval.approved, approval.rejected, approval.withdrawn];
}

/** An action leads away, or an approval that waits in it does: where the action leads to, or where it stays. */
function isLeft({ actions }: Lifecycle, state: string): boolean {
  return Object.values(actions).some((action) => {
    const stays = action.to === '$same' && action.from.includes(state);
    const isWaiting = action.approval !== undefined && (action.to === state || stays);
    if (isWaiting) return entersOf(action).some((next) => next !== state && next !== '$same');
    return action.from.includes(state) && action.to !== '$same' && action.to !== state;
  });
}

/** Actions of their own accord that lead back to where the other one starts, under conditions that may hold at once. */
function circles({ file, resource }: CheckedFile): readonly LintFault[] {
  const autos = Object.values(resource.lifecycle?.actions ?? {}).filter(({ auto }) => auto === true);
  return autos.flatMap((action, place) =>
    autos
      .slice(place + 1)
      .filter((other) => action.from.includes(other.to) && other.from.includes(action.to))
      .filter((other) => !excludeEachOther(action.when ?? {}, other.when ?? {}))
      .map((other) =>
        faultAt(
          file,
          ['lifecycle', 'actions', other.key, 'auto'],
          `自动动作 "${other.key}" 与 "${action.key}" 互相撤消，而两者的条件可能同时成立`,
        ),
      ),
  );
}
