import { ROOT } from '#web/app/root.ts';
import { FaultBoundary } from '#web/faults/fault-boundary.tsx';
import { FaceShell } from './face-shell.tsx';

/** Shows the home page of customers by itself, without the program of the other pages: it is read on telephones. */
export function showFace(): void {
  ROOT.current?.render(
    <FaultBoundary what="首页">
      <FaceShell />
    </FaultBoundary>,
  );
}
