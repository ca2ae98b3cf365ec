import { useEffect, useState } from 'react';
import type { Field, Resource } from '#engine/schema/resource.ts';
import type { FieldPlace } from './field-view.ts';
import { useFieldServices } from './field-services.ts';

/**
 * The resource whose fields a stored filter speaks of: the one that the field's `to` names, or that the record's
 * field `resource` holds. Null while it is unknown; field names are then typed by hand.
 */
export function useSpokenOfResource(
  field: Field,
  place: FieldPlace | undefined,
): { readonly resource: Resource | null } {
  const services = useFieldServices();
  const [resource, setResource] = useState<Resource | null>(null);
  const record = place?.readRecord() ?? {};
  const source = typeof field.to === 'object' ? field.to.by : 'resource';
  const named = typeof field.to === 'string' ? field.to : record[source];
  const key = typeof named === 'string' && named !== '' ? named : null;
  useEffect(() => {
    let isGone = false;
    setResource(null);
    if (services !== null && key !== null)
      services.resource(key).then(
        (found) => {
          if (!isGone) setResource(found);
        },
        () => undefined,
      );
    return () => {
      isGone = true;
    };
  }, [services, key]);
  return { resource };
}
