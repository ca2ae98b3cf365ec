import { formatMoney } from '#engine/values/display.ts';
import type { FaceCard } from '#contract/face.ts';

type FaceAmount = FaceCard['amounts'][number];

/** An amount with its currency small behind it; what goes out is red with a minus. */
export function Amount({
  amount,
  isSigned = false,
}: {
  readonly amount: FaceAmount;
  readonly isSigned?: boolean;
}) {
  const isOut = amount.amount.startsWith('-');
  return (
    <span className={isOut ? 'face-amount is-out' : 'face-amount'}>
      {isSigned && !isOut ? '+' : ''}
      {formatMoney(amount.amount, amount.currency)} <small>{amount.currency}</small>
    </span>
  );
}
