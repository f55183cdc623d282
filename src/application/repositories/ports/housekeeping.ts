import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { StoreName } from './object-stores.js';

/** A store that something is to be done for. */
export interface KeptStore {
  readonly kind: 'repository' | 'pool';
  readonly id: number;
  readonly store: StoreName;
  /** Counts up with every change of a ref; 0 for a pool, which has none. */
  readonly refsVersion: number;
  /** Pushes since its files were packed together last. */
  readonly pushes: number;
  /** Bytes that those brought. */
  readonly bytes: number;
}

export interface StoreSize {
  readonly bytes: number;
  /** When the oldest of the files was replaced that are still to be removed; null where there is none. */
  readonly replacedSince: Date | null;
}

export interface Repacking {
  readonly at: Date;
  /** What nothing has led to since then goes. */
  readonly unreachableSince: Date;
  /** Makes the refs in the files say what rows say: what is reachable is read from them. */
  readonly project: () => Promise<void>;
}

/**
 * Packs the files of stores anew. Whoever reads or writes a store meanwhile goes on: what is replaced stays for longer than anybody reads.
 * One process at a time.
 */
export interface StoreMaintenance {
  /** Packs together what lies in many packs and in files of single objects; no object goes. */
  gather(store: StoreName, at: Date): Promise<StoreSize>;
  /** Packs together what refs lead to, and apart from it what nothing leads to. Answers also whether there is any of that. */
  repack(store: StoreName, repacking: Repacking): Promise<StoreSize & { readonly unreachable: boolean }>;
  /** Removes the files that were replaced before an instant. */
  removeReplaced(store: StoreName, before: Date): Promise<StoreSize>;
}

/** Which stores wait for what. */
export interface HousekeepingRepository {
  /** Stores that got much since they were packed, the one with the most first. */
  toGather(now: Date, limit: number): Promise<readonly KeptStore[]>;
  /** Repositories with changes since they were repacked, before an instant; large ones that never were; and those that somebody asked it for. */
  toRepack(now: Date, before: Date, limit: number): Promise<readonly KeptStore[]>;
  /** Stores whose packs were replaced before an instant. */
  toClear(now: Date, before: Date, limit: number): Promise<readonly KeptStore[]>;
  gathered(store: KeptStore, size: StoreSize, at: Date): Promise<void>;
  repacked(store: KeptStore, size: StoreSize & { readonly unreachable: boolean }, at: Date): Promise<void>;
  cleared(store: KeptStore, size: StoreSize): Promise<void>;
  /** Notes that a repository is to be packed anew. False when that was asked for after an instant; true where there is nothing to pack. */
  ask(projectId: ProjectId, at: Date, unlessAfter: Date): Promise<boolean>;
  /** Leaves a store alone until then. */
  postpone(store: KeptStore, until: Date): Promise<void>;
}
