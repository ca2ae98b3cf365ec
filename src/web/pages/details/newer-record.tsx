import { useState } from 'react';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { callApi } from '#web/data/http.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import { useWhenBack } from '#web/data/use-when-back.ts';
import { labelsOf } from '#web/fields/field-text.ts';
import { refusalOf } from '../form/shown-error.ts';
import { NewsBar } from '../table/news-bar.tsx';

interface NewerRecordProps {
  readonly resource: string;
  readonly record: ErpRecord;
  readonly onReload: () => void;
}

/** Tells that a colleague has saved the record since it was read. */
export function NewerRecord({ resource, record, onReload }: NewerRecordProps) {
  const [found, setFound] = useState<ErpRecord | null>(null);
  useWhenBack(() => {
    callApi('GET /data/:resource/:id', { params: { resource, id: String(record['id']) } }).then(
      (read) => setFound(read),
      (error: unknown) => {
        if (refusalOf(error).status === 404) onReload();
      },
    );
  });
  if (found === null || Number(found['version']) <= Number(record['version'])) return null;
  return <NewsBar text={`此记录已${bySomebody(found)}更新`} onReload={onReload} />;
}

/** `被王芳`; empty for oneself, in another window, and for a name that is not to be seen. */
export function bySomebody(record: ErpRecord): string {
  const by = labelsOf(record)['updated_by'];
  return typeof by !== 'string' || by === '' || by === storedPerson()?.name ? '' : `被${by}`;
}
