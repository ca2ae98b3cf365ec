import { useState } from 'react';
import type { FaceCard } from '#contract/face.ts';
import { download } from '#web/data/http.ts';
import { saveFile } from '#web/data/save-file.ts';
import type { OpenAddress } from './face-home.tsx';

export interface PrintButtonsProps {
  readonly resource: string;
  readonly card: FaceCard;
  readonly onOpen: OpenAddress;
}

/** Papers of a record: each opens, and goes on to others as a PDF by the telephone's own means; without them it is saved. */
export function PrintButtons({ resource, card, onOpen }: PrintButtonsProps) {
  const [sending, setSending] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  if (card.prints.length === 0) return null;
  const send = async (print: FaceCard['prints'][number]) => {
    setSending(print.id);
    setFault(null);
    try {
      await shareFile(
        await download('GET /data/:resource/:id/print/:printId/pdf', {
          params: { resource, id: card.id, printId: print.id },
        }),
        `${print.title} ${card.name}.pdf`,
      );
    } catch (error) {
      setFault(error instanceof Error ? error.message : '没有发送出去');
    }
    setSending(null);
  };
  return (
    <div className="face-prints">
      {card.prints.map((print) => (
        <span key={print.id}>
          <button type="button" className="face-all" onClick={() => onOpen(print.address)}>
            {print.title}
          </button>
          <button
            type="button"
            className="face-all"
            disabled={sending !== null}
            aria-label={`转发${print.title}`}
            onClick={() => void send(print)}
          >
            {sending === print.id ? '准备中…' : '转发'}
          </button>
        </span>
      ))}
      {fault !== null && <small role="alert">{fault}</small>}
    </div>
  );
}

async function shareFile(content: Blob, name: string): Promise<void> {
  const file = new File([content], name, { type: 'application/pdf' });
  if (typeof navigator.canShare !== 'function' || !navigator.canShare({ files: [file] }))
    return saveFile(content, name);
  try {
    await navigator.share({ files: [file], title: name });
  } catch (error) {
    // Whoever closes the telephone's own dialog has changed his mind.
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }
}
