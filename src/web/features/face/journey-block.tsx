import type { FaceCard } from '#contract/face.ts';
import { Amount } from './amount.tsx';
import { AllOf, type RecordsBlockProps } from './records-block.tsx';

/** Each shipment with the steps of its way: done ones with their day, the next one marked. */
export function JourneyBlock({ block, onOpen }: RecordsBlockProps) {
  return block.records.map((group) => (
    <div key={group.resource} className="face-group">
      <ul className="face-journeys">
        {group.cards.map((card) => (
          <li key={card.id}>
            <button
              type="button"
              className="face-card"
              disabled={card.address === null}
              onClick={() => {
                if (card.address !== null) onOpen(card.address);
              }}
            >
              <b>{card.name}</b>
              {card.amounts[0] !== undefined && <Amount amount={card.amounts[0]} />}
              <small>{card.texts.map(({ text }) => text).join(' · ')}</small>
              {card.state !== null && <span className="face-state">{card.state}</span>}
            </button>
            <Steps steps={card.steps} />
          </li>
        ))}
      </ul>
      <AllOf group={group} onOpen={onOpen} />
    </div>
  ));
}

function Steps({ steps }: Pick<FaceCard, 'steps'>) {
  const next = steps.findIndex(({ date }) => date === null);
  return (
    <ol className="face-steps">
      {steps.map(({ title, date }, index) => (
        <li key={title} className={date !== null ? 'is-done' : index === next ? 'is-next' : undefined}>
          <span>{title}</span>
          <time>{date === null ? '' : date.slice(5)}</time>
        </li>
      ))}
    </ol>
  );
}
