import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PositionForm } from '#contract/sign-in.ts';
import { callApi } from '#web/data/http.ts';
import { storePerson } from '#web/data/stored-person.ts';

/** Changes the role or the customer of the session; everything that was read is read again. */
export function usePosition(onSwitched: () => void) {
  const client = useQueryClient();
  const [fault, setFault] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const change = async (body: PositionForm): Promise<void> => {
    setSending(true);
    setFault(null);
    try {
      storePerson(await callApi('POST /sys/setPosition', { body }));
      client.clear();
      onSwitched();
    } catch (error) {
      setFault(error instanceof Error ? error.message : '没有切换，请重试');
      setSending(false);
    }
  };
  return { change, fault, isSending };
}
