export type OpenRecordAt = (resource: string, id: string) => void;

export interface RecordLinkProps {
  readonly resource: string;
  readonly id: string | null;
  readonly label: string | null;
  readonly onOpen: OpenRecordAt;
}

/** A record by its name, as a link where it may be opened. */
export function RecordLink({ resource, id, label, onOpen }: RecordLinkProps) {
  const text = label === null || label === '' ? '（未命名）' : label;
  if (id === null) return <span>{text}</span>;
  return (
    <button type="button" className="record-link" onClick={() => onOpen(resource, id)}>
      {text}
    </button>
  );
}
