import { useTab } from '#web/app/tab-context.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import { FaceHome } from './face-home.tsx';

/** The home page of customers inside the shell, as the tab one comes back to. */
export function FacePage() {
  const { openTab } = useTab();
  return <FaceHome name={storedPerson()?.name ?? ''} onOpen={openTab} />;
}
