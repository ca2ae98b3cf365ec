import { CREATION } from '../ledger/posting-moment.ts';
import type { PostingDefinition } from './ledger-definition.ts';
import type { ResourceLint } from './lint-context.ts';
import type { Action, Resource } from './resource.ts';
import { statesOf } from './state-groups.ts';

/**
 * Checks that what is posted or vouched can be undone and is not posted twice: a dead state is reached through a reversal
 * only, and what the head posts or vouches happens once until it is reversed.
 */
export function lintPostingStates(context: ResourceLint): void {
  const { postings = [], vouchers = [] } = context.definition;
  const { lifecycle } = context.resource;
  const own = postings.filter(({ reverse }) => reverse === undefined);
  if (own.length + vouchers.length === 0 || lifecycle === undefined) return;
  const moves = movesOf(context.resource);
  const reversing = new Set(
    postings
      .filter(({ reverse, each, when }) => reverse === '*' && each === undefined && when === undefined)
      .flatMap(({ at }) => statesOf(at, lifecycle.groups)),
  );
  const isReversal = (move: Move): boolean => reversing.has(move.action) || reversing.has(move.to);
  const onward = moves.filter((move) => !isReversal(move));
  const posted = reachable(onward, postedStates(own, moves, context.resource));
  for (const move of moves)
    if (lifecycle.groups['dead']?.includes(move.to) === true && posted.has(move.from) && !isReversal(move))
      context.report(
        ['lifecycle', 'actions', move.action],
        `"${move.action}" 使已过账的单据进入 "${move.to}"，须有冲销（postings 中的 "reverse"）`,
        'key',
      );
  for (const [index, posting] of postings.entries())
    if (
      posting.reverse === undefined &&
      posting.each === undefined &&
      comesTwice(posting, onward, context.resource)
    )
      context.report(['postings', index, 'at'], '本单据可能多次到达此处，表头只能过账一次：请改为明细过账');
  for (const [index, voucher] of vouchers.entries())
    if (voucher.lines.some(({ each }) => each === undefined) && comesTwice(voucher, onward, context.resource))
      context.report(
        ['vouchers', index, 'at'],
        '本单据可能多次到达此处，表头只能生成一次凭证：请改为按明细（"each"）生成',
      );
}

interface Move {
  readonly action: string;
  readonly from: string;
  readonly to: string;
}

/** Every way from one state into another, approvals included. */
function movesOf({ lifecycle }: Resource): readonly Move[] {
  return Object.values(lifecycle?.actions ?? {}).flatMap((action) =>
    action.from
      .filter((state) => state !== '$new')
      .flatMap((from) => endsOf(action, from).map((to) => ({ action: action.key, from, to }))),
  );
}

function endsOf({ to, approval }: Action, from: string): readonly string[] {
  const target = to.startsWith('$') ? from : to;
  if (approval === undefined) return [target];
  return [
    target,
    ...[approval.approved, approval.rejected, approval.withdrawn].filter((end) => !end.startsWith('$')),
  ];
}

function postedStates(
  own: readonly PostingDefinition[],
  moves: readonly Move[],
  resource: Resource,
): readonly string[] {
  const at = new Set(own.flatMap((posting) => statesOf(posting.at, resource.lifecycle?.groups)));
  const first = at.has(CREATION) && resource.lifecycle !== undefined ? [resource.lifecycle.initial] : [];
  const reached = moves.filter(({ action, to }) => at.has(action) || at.has(to)).map(({ to }) => to);
  return [...new Set([...first, ...reached])];
}

function reachable(moves: readonly Move[], from: readonly string[]): ReadonlySet<string> {
  const found = new Set(from);
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const move of moves) if (found.has(move.from)) found.add(move.to);
  }
  return found;
}

/** Whether the moment of a posting or voucher can come again after it came, with no reversal between. */
function comesTwice(
  posting: Pick<PostingDefinition, 'at'>,
  moves: readonly Move[],
  resource: Resource,
): boolean {
  const at = new Set(statesOf(posting.at, resource.lifecycle?.groups));
  const posts = moves.filter(({ action, from, to }) => at.has(action) || (at.has(to) && !at.has(from)));
  return posts.some((first) => {
    const after = reachable(moves, [first.to]);
    return posts.some((again) => after.has(again.from));
  });
}
