import { useState } from 'react';
import type { FaceCard, FaceEntry } from '#contract/face.ts';
import { Amount } from './amount.tsx';
import { EntryOrigin } from './entry-origin.tsx';
import { AllOf, RecordsBlock, type RecordsBlockProps } from './records-block.tsx';

/** An account a currency: what is free, what is held, and the latest entries, each to be traced; below, what is owed. */
export function MoneyBlock({ block, onOpen }: RecordsBlockProps) {
  return block.records.map((group) =>
    group.ledger === null ? (
      <RecordsBlock
        key={`${group.resource}.${group.title}`}
        block={{ ...block, records: [group] }}
        onOpen={onOpen}
      />
    ) : (
      <div key={`${group.resource}.${group.title}`} className="face-group">
        <div className="face-accounts">
          {group.cards.map((card) => (
            <Account key={card.id} card={card} ledger={group.ledger} onOpen={onOpen} />
          ))}
        </div>
        <AllOf group={group} onOpen={onOpen} />
      </div>
    ),
  );
}

interface AccountProps {
  readonly card: FaceCard;
  readonly ledger: string | null;
  readonly onOpen: RecordsBlockProps['onOpen'];
}

function Account({ card, ledger, onOpen }: AccountProps) {
  const [first, ...others] = card.amounts;
  const { address } = card;
  return (
    <article className="face-account">
      <header>
        <h3>{card.texts[0]?.text ?? card.name}</h3>
        {first !== undefined && (
          <p>
            <small>{first.title}</small>
            <Amount amount={first} />
          </p>
        )}
        <dl>
          {others.map((other) => (
            <div key={other.title}>
              <dt>{other.title}</dt>
              <dd>
                <Amount amount={other} />
              </dd>
            </div>
          ))}
        </dl>
      </header>
      <ul>
        {card.entries.map((entry) => (
          <Entry key={entry.id} entry={entry} ledger={ledger} onOpen={onOpen} />
        ))}
      </ul>
      {address !== null && (
        <button type="button" className="face-all" onClick={() => onOpen(address)}>
          全部流水
        </button>
      )}
    </article>
  );
}

function Entry({
  entry,
  ledger,
  onOpen,
}: Pick<AccountProps, 'ledger' | 'onOpen'> & { readonly entry: FaceEntry }) {
  const [isOpen, setOpen] = useState(false);
  const [amount, after] = entry.amounts;
  return (
    <li>
      <div className="face-entry">
        <b>{entry.name}</b>
        {amount !== undefined && <Amount amount={amount} isSigned />}
        <small>{entry.texts.map(({ text }) => text).join(' · ')}</small>
        {after !== undefined && (
          <small className="face-after">
            余额 <Amount amount={after} />
          </small>
        )}
        {ledger !== null && (
          <button
            type="button"
            className="face-trace"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            追溯
          </button>
        )}
      </div>
      {isOpen && ledger !== null && <EntryOrigin ledger={ledger} entry={entry} onOpen={onOpen} />}
    </li>
  );
}
