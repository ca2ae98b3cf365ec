import { type ReactNode, useEffect } from 'react';
import { currentSite } from '#web/data/site.ts';
import '#web/features/register/register.css';
import './outside.css';

export interface OutsideCardProps {
  readonly title: string;
  /** A form's width when left out; roomy for a list, wide for a table. */
  readonly width?: 'roomy' | 'wide';
  readonly children: ReactNode;
  /** Where the way back leads, below the card's content. */
  readonly back?: { readonly href: string; readonly text: string };
}

/** The frame of a page that stands outside the layout: the variant's picture, a card with the title, the footer. */
export function OutsideCard({ title, width, children, back }: OutsideCardProps) {
  const site = currentSite();
  useEffect(() => {
    document.title = `${title} - ${site.label}`;
  }, [title, site]);
  return (
    <main
      className="register"
      style={site.background === null ? undefined : { backgroundImage: `url(${site.background})` }}
    >
      <section
        className={width === undefined ? 'register-card' : `register-card outside-${width}`}
        aria-labelledby="outside-title"
      >
        <header>
          <p>{site.label}</p>
          <h1 id="outside-title">{title}</h1>
        </header>
        {children}
        {back !== undefined && (
          <a className="register-back" href={back.href}>
            {back.text}
          </a>
        )}
      </section>
      <footer>
        <span>{site.copyright}</span>
        {site.hotline !== '' && <span>服务热线：{site.hotline}</span>}
      </footer>
    </main>
  );
}

export interface OutsideNoteProps {
  readonly kind: 'note' | 'done' | 'fault';
  readonly children: ReactNode;
}

/** A sentence that stands out: a hint, a success, a refusal. */
export function OutsideNote({ kind, children }: OutsideNoteProps) {
  return (
    <p className={`outside-${kind}`} role={kind === 'fault' ? 'alert' : 'status'}>
      {children}
    </p>
  );
}
