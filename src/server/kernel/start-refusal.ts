/** Why the application cannot start: one Chinese line for the operator, shown as it is, exit code 1. */
export class StartRefusal extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StartRefusal';
  }
}
