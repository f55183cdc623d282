import { join, resolve } from 'node:path';

const STORE = /^[0-9a-f]{64}$/;
/** The folder that all stores lie in. */
export const HASHED = '@hashed';

const BOTH = '+';

/** Names two stores that are read as one. */
export const bothNames = (store: string, other: string): string => `${store}${BOTH}${other}`;

/** The stores that a name means: one, and maybe another that is read beside it. */
export const storesNamed = (name: string): readonly string[] => name.split(BOTH);

export const isStoreName = (name: string): boolean => STORE.test(name);

/** Where stores lie: by names that the service made, so that no name of a project or a person is part of a path. */
export class StoreFolders {
  readonly root: string;

  constructor(root: string) {
    this.root = resolve(root);
  }

  of(store: string): string {
    return join(this.root, this.below(store));
  }

  /** Below the root. */
  below(store: string): string {
    if (!isStoreName(store)) throw new Error('Not the name of a store.');
    return join(HASHED, store.slice(0, 2), store.slice(2, 4), `${store}.git`);
  }
}
