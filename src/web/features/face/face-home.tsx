import type { ReactNode } from 'react';
import type { FaceBlockShown } from '#contract/face.ts';
import { FaultBoundary } from '#web/faults/fault-boundary.tsx';
import { FaceFirst } from './face-first.tsx';
import { JourneyBlock } from './journey-block.tsx';
import { MoneyBlock } from './money-block.tsx';
import { RecordsBlock } from './records-block.tsx';
import { useFace } from './use-face.ts';
import './face.css';

/** Opens an address; how, the surroundings know. */
export type OpenAddress = (address: string) => void;

export interface FaceHomeProps {
  readonly name: string;
  readonly onOpen: OpenAddress;
}

/** The home page of whoever has a face of their own: what waits, what may be begun, money, goods on their way, papers. */
export function FaceHome({ name, onOpen }: FaceHomeProps) {
  const { face, fault, reload } = useFace();
  return (
    <main className="face" aria-busy={face === null && fault === null}>
      <h1>{name}</h1>
      {fault !== null && (
        <section className="face-block face-fault" role="alert">
          <p>{fault === '' ? '首页没有加载出来' : fault}</p>
          <button type="button" className="face-button" onClick={reload}>
            重试
          </button>
        </section>
      )}
      {face === null && fault === null && <Skeleton />}
      {face !== null && <FaceFirst blocks={face.blocks} />}
      {face?.blocks.map((block) => (
        <FaultBoundary key={`${block.kind}.${block.title}`} what={block.title} isSmall>
          <section className={`face-block is-${block.kind}`}>
            <h2>{block.title}</h2>
            <Block block={block} onOpen={onOpen} />
          </section>
        </FaultBoundary>
      ))}
    </main>
  );
}

interface BlockProps {
  readonly block: FaceBlockShown;
  readonly onOpen: OpenAddress;
}

function Block({ block, onOpen }: BlockProps): ReactNode {
  if (block.records.length + block.starts.length === 0) return <p className="face-empty">{block.empty}</p>;
  switch (block.kind) {
    case 'start':
      return <Starts block={block} onOpen={onOpen} />;
    case 'money':
      return <MoneyBlock block={block} onOpen={onOpen} />;
    case 'journey':
      return <JourneyBlock block={block} onOpen={onOpen} />;
    case 'tasks':
    case 'records':
      return <RecordsBlock block={block} onOpen={onOpen} />;
  }
}

function Starts({ block, onOpen }: BlockProps) {
  return (
    <div className="face-starts">
      {block.starts.map(({ title, address }) => (
        <button key={title} type="button" className="face-button" onClick={() => onOpen(address)}>
          {title}
        </button>
      ))}
    </div>
  );
}

function Skeleton() {
  return (
    <div className="face-skeleton" role="status" aria-label="正在加载">
      <span />
      <span />
      <span />
    </div>
  );
}
