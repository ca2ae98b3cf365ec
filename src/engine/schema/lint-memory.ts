import type { Catalog, Resource } from './resource.ts';
import type { LintFault } from './source-file.ts';

type Resources = Catalog['resources'];

/** What the lint of one file looked at in others: some of them by name (undefined: it was not there), or all. */
export interface Reads {
  readonly named: Map<string, Resource | undefined>;
  isOfAll: boolean;
}

/** What is wrong with a file, good for as long as what it looked at is as it was. */
export interface Verdict {
  readonly faults: readonly LintFault[];
  readonly reads: Reads;
  /** Names of the setup, routes and code that it was judged by. */
  readonly known: string;
}

/** The resources of a catalog, writing down who is looked at from `begin` on. */
export class RecordedResources {
  readonly resources: Resources;
  private reads: Reads = { named: new Map(), isOfAll: false };

  constructor(given: Resources, parsed: ReadonlyMap<string, Resource>) {
    const note = (key: string | symbol): void => {
      if (typeof key === 'string') this.reads.named.set(key, parsed.get(key));
    };
    this.resources = new Proxy(given, {
      get: (target, key) => {
        note(key);
        return Reflect.get(target, key);
      },
      has: (target, key) => {
        note(key);
        return Reflect.has(target, key);
      },
      getOwnPropertyDescriptor: (target, key) => {
        note(key);
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
      ownKeys: (target) => {
        this.reads.isOfAll = true;
        return Reflect.ownKeys(target);
      },
    });
  }

  /** Begins to write down for another file; what it gives grows while that file is judged. */
  begin(): Reads {
    this.reads = { named: new Map(), isOfAll: false };
    return this.reads;
  }
}

/** Whether a verdict still stands beside these files. One over all files stands for none but the same ones. */
export function stands(
  { reads, known }: Verdict,
  now: { readonly parsed: ReadonlyMap<string, Resource>; readonly known: string },
): boolean {
  return (
    !reads.isOfAll &&
    known === now.known &&
    [...reads.named].every(([name, seen]) => now.parsed.get(name) === seen)
  );
}
