import { ADDRESS } from '#web/data/addresses.ts';
import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useEffect, useRef } from 'react';
import { callApi } from '#web/data/http.ts';
import { tellNoticesRead } from '#web/data/notices.ts';
import { tellRecordsChanged } from '#web/data/live-provider.ts';
import { RESOURCE_LIST } from '#web/data/resource-list.ts';
import { openLiveStream } from './live-stream.ts';
import { noticeAddress } from './notice-address.ts';

const SHOWN_SECONDS = 10;
/** Where a notice leads that speaks of no document and no page. */
const MESSAGE_CENTRE = ADDRESS.messages;
/** How a pop-up looks by its level. */
const POP_UPS: Readonly<Record<string, 'warning' | 'error'>> = { warn: 'warning', urgent: 'error' };
/** A role switch ends the old session too: its answer gets time to arrive before one asks whether the session stands. */
const SWITCH_MS = 1_500;

/** Live notices as pop-ups of 10 s whose click opens the document; changed definitions are asked for; a revoked session leaves. */
export function useLive(isOn: boolean, onOpen: (address: string) => void): void {
  const client = useQueryClient();
  const { notification } = App.useApp();
  const latest = useRef(onOpen);
  latest.current = onOpen;
  useEffect(() => {
    if (!isOn) return undefined;
    return openLiveStream((event) => {
      if (event.event === 'notice') {
        const { id, title, content, level } = event.data;
        const open = async () => {
          notification.destroy(id);
          void callApi('POST /notice/:id/read', { params: { id } })
            .then(() => tellNoticesRead(client))
            .catch(() => undefined);
          const entries = await client.fetchQuery(RESOURCE_LIST);
          latest.current(noticeAddress(entries, event.data) ?? MESSAGE_CENTRE);
        };
        notification[POP_UPS[level ?? ''] ?? 'info']({
          key: id,
          message: title,
          description: content,
          duration: SHOWN_SECONDS,
          className: 'live-notice',
          onClick: () => void open().catch(() => undefined),
        });
        tellRecordsChanged();
        for (const key of ['notice-unread', 'notices', 'figure', 'figure-records'])
          void client.invalidateQueries({ queryKey: [key] });
        void client.invalidateQueries({ queryKey: ['approval-counts'] });
        void client.invalidateQueries({ queryKey: ['approval-tasks'] });
      } else if (event.event === 'definitions') void askSession();
      else setTimeout(() => void askSession(), SWITCH_MS);
    });
  }, [isOn, client, notification]);
}

/** Any answer tells by which definitions it was made, and whether the session stands. */
async function askSession(): Promise<void> {
  await callApi('GET /sys/session').catch(() => undefined);
}
