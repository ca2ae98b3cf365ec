import type { FaceBlockShown, FaceCard, FaceRecordsShown } from '#contract/face.ts';
import { Amount } from './amount.tsx';
import type { OpenAddress } from './face-home.tsx';
import { PrintButtons } from './print-buttons.tsx';

export interface RecordsBlockProps {
  readonly block: FaceBlockShown;
  readonly onOpen: OpenAddress;
}

/** Groups of records as cards of two lines, each with the way to all of them. */
export function RecordsBlock({ block, onOpen }: RecordsBlockProps) {
  return block.records.map((group) => (
    <div key={`${group.resource}.${group.title}`} className="face-group">
      {group.title !== block.title && <h3>{group.title}</h3>}
      <ul>
        {group.cards.map((card) => (
          <li key={card.id}>
            <CardLine card={card} onOpen={onOpen} />
            <PrintButtons resource={group.resource} card={card} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      <AllOf group={group} onOpen={onOpen} />
    </div>
  ));
}

function CardLine({ card, onOpen }: { readonly card: FaceCard; readonly onOpen: OpenAddress }) {
  const { address } = card;
  const [amount] = card.amounts;
  return (
    <button
      type="button"
      className="face-card"
      disabled={address === null}
      onClick={() => {
        if (address !== null) onOpen(address);
      }}
    >
      <b>{card.name}</b>
      {amount !== undefined && <Amount amount={amount} />}
      <small>{card.texts.map(({ text }) => text).join(' · ')}</small>
      {card.state !== null && <span className="face-state">{card.state}</span>}
    </button>
  );
}

/** The way to the rest, where there is more than stands here. */
export function AllOf({ group, onOpen }: { readonly group: FaceRecordsShown; readonly onOpen: OpenAddress }) {
  const { address, total, cards } = group;
  if (address === null || total <= cards.length) return null;
  return (
    <button type="button" className="face-all" onClick={() => onOpen(address)}>
      查看全部 {group.isCapped ? '10,000+' : total} 条
    </button>
  );
}
