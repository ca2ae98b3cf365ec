import { App } from 'antd';
import { useEffect } from 'react';
import type { Field } from '#engine/schema/resource.ts';
import { useFieldServices } from '#web/fields/field-services.ts';
import type { FormStore } from './form-store.ts';
import { dependentPicks, nextPick, refitPick } from './refit-pick.ts';

/** What was picked by another field's value goes, or is found anew, when that value changes; the user is told. */
export function useFittingPicks(store: FormStore): void {
  const { message } = App.useApp();
  const lookup = useFieldServices()?.lookup;
  useEffect(() => {
    if (lookup === undefined) return undefined;
    const pending = new Set<Field>();
    let isRunning = false;
    const run = async (): Promise<void> => {
      isRunning = true;
      // All that depends on the change has been noted by then.
      await Promise.resolve();
      for (let field = nextPick(pending); field !== null; field = nextPick(pending)) {
        pending.delete(field);
        // What could not be looked up stands: the server checks it at the submission.
        const told = await refitPick({ store, field, lookup }).catch(() => null);
        if (told !== null) void message.info(told, 6);
      }
      isRunning = false;
    };
    const stops = dependentPicks(store).flatMap((field) => {
      const { chosenAfter = [] } = field;
      const read = (): string => JSON.stringify(chosenAfter.map((name) => store.field(name).value));
      let seen = read();
      const look = (): void => {
        const now = read();
        if (now === seen) return;
        seen = now;
        pending.add(field);
        if (!isRunning) void run();
      };
      return chosenAfter.map((name) => store.subscribe(name, look));
    });
    return () => {
      pending.clear();
      for (const stop of stops) stop();
    };
  }, [store, lookup, message]);
}
