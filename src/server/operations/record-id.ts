import { v7 } from 'uuid';

/** A new id. It sorts by time, so that rows of one moment lie together; the moment is the operation's clock. */
export function uuidv7(at: Date): string {
  return v7({ msecs: at.getTime() });
}
