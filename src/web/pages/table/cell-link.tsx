import type { ReactNode } from 'react';

interface CellLinkProps {
  /** Null where the record has no page of its own. */
  readonly address: string | null;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}

/** A link into a tab of the pages. Middle click, Ctrl and the browser's menu (open, copy) do as with any link. */
export function CellLink({ address, onOpen, children }: CellLinkProps) {
  if (address === null)
    return (
      <button type="button" className="cell-link" onClick={onOpen}>
        {children}
      </button>
    );
  return (
    <a
      className="cell-link"
      href={address}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onOpen();
      }}
    >
      {children}
    </a>
  );
}
