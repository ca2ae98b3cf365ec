import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { subscribeDefinitions } from '#web/data/definitions-tag.ts';
import { callApi } from '#web/data/http.ts';
import { storePerson, storedAuthorization } from '#web/data/stored-person.ts';

/** Changed definitions are read again, with the menu that follows from them. */
export function useFreshDefinitions(isOn: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isOn) return undefined;
    return subscribeDefinitions(() => {
      for (const key of ['definition', 'resource-list', 'routes', 'access'])
        void client.invalidateQueries({ queryKey: [key] });
      refreshPerson();
    });
  }, [isOn, client]);
}

function refreshPerson(): void {
  callApi('GET /sys/session')
    .then((person) => {
      const authorization = storedAuthorization();
      if (authorization !== null) storePerson({ ...person, authorization });
    })
    .catch(() => undefined);
}
