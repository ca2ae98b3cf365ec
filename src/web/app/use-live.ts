import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useEffect } from 'react';
import { http } from '#web/data/http.ts';
import { tellRecordsChanged } from '#web/data/live-provider.ts';
import { type Person, storePerson, storedAuthorization } from '#web/data/stored-person.ts';
import { openLiveStream } from './live-stream.ts';

const SHOWN_SECONDS = 10;
/** A role switch ends the old session too: its answer gets time to arrive before one asks whether the session stands. */
const SWITCH_MS = 1_500;

/** Live notices as pop-ups of 10 s; changed definitions are read again, with the menu; a revoked session leaves. */
export function useLive(isOn: boolean): void {
  const client = useQueryClient();
  const { notification } = App.useApp();
  useEffect(() => {
    if (!isOn) return undefined;
    return openLiveStream((event) => {
      if (event.event === 'notice') {
        notification.info({
          key: event.data.id,
          message: event.data.title,
          description: event.data.content,
          duration: SHOWN_SECONDS,
        });
        tellRecordsChanged();
        for (const key of ['notice-unread', 'notices', 'figure', 'figure-records'])
          void client.invalidateQueries({ queryKey: [key] });
        void client.invalidateQueries({ queryKey: ['approval-counts'] });
        void client.invalidateQueries({ queryKey: ['approval-tasks'] });
      } else if (event.event === 'definitions') {
        for (const key of ['definition', 'resource-list', 'routes'])
          void client.invalidateQueries({ queryKey: [key] });
        refreshPerson();
      } else setTimeout(() => void http.get('/sys/session').catch(() => undefined), SWITCH_MS);
    });
  }, [isOn, client, notification]);
}

/** The menu follows from the definitions. */
function refreshPerson(): void {
  http
    .get<Person>('/sys/session')
    .then((person) => {
      const authorization = storedAuthorization();
      if (authorization !== null) storePerson({ ...person, authorization });
    })
    .catch(() => undefined);
}
