import type { RemoteAddress } from '../../../domain/shared/remote-url.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { ByteStream, StoreName } from './object-stores.js';

/** Why nothing came of a conversation with a repository elsewhere, in words for whoever set it up. Never with a secret. */
export class RemoteProblem extends Error {
  constructor(
    message: string,
    /** Whether another time it may go well without anybody doing something about it. */
    readonly passing: boolean,
  ) {
    super(message);
  }
}

/** A repository elsewhere as it is stored. */
export interface SealedRemote {
  /** Without user name and password. */
  readonly url: string;
  readonly sealedCredentials: string | null;
}

/** What may be wrong with one, whether it is fetched from or pushed to. */
export const REMOTE_WORDS = {
  refused: 'The server refused the user name and password, or asks for some.',
  redirected: 'The address leads on to another one. Give the address that it leads to.',
  missing: 'There is no repository at this address, or not for this user name and password.',
  failed: 'The server failed.',
  unreachable: 'The server could not be reached, or stopped answering.',
  incomplete: 'The server did not send everything that its branches and tags need.',
  privateNetwork: 'The address leads to a private or reserved network.',
} as const;

/** What of a store a repository elsewhere is to have. */
export interface RefsForRemote {
  /** Those alone, by their short names; absent where it is all of them. Tags go along in any case. */
  readonly branches?: { readonly pushed: readonly string[]; readonly removed: readonly string[] };
  /** Whether what has moved on there, or is there alone, stays as it is. */
  readonly keepDivergent: boolean;
}

export interface RefusedRef {
  /** In full. */
  readonly ref: string;
  /** What the server said. */
  readonly reason: string;
}

export interface PushedToRemote {
  /** Refs that stayed as they are there, in full. */
  readonly divergent: readonly string[];
  readonly refused: readonly RefusedRef[];
}

/** Talks to repositories elsewhere by git over HTTP, where connections may go. All of it ends with the signal. */
export interface Remotes {
  /** The branches that are there, by their short names. @throws RemoteProblem. */
  branchesOf(remote: RemoteAddress, signal: AbortSignal): Promise<readonly string[]>;
  /** Pushes what the files of the store say. @throws RemoteProblem where nothing was pushed. */
  push(store: StoreName, remote: RemoteAddress, refs: RefsForRemote, signal: AbortSignal): Promise<PushedToRemote>;
}

/** What a repository elsewhere has. */
export interface RemoteRefs {
  /** Branches and tags, in full. */
  readonly refs: ReadonlyMap<string, ObjectId>;
  /** The branch that its HEAD names, in full; null where it names none. */
  readonly head: string | null;
}

export interface WantedObjects {
  readonly wanted: readonly ObjectId[];
  /** What is here with all that it needs: it isn't sent again. */
  readonly had: readonly ObjectId[];
}

/** Fetches from repositories elsewhere, where connections may go. All of it ends with the signal. */
export interface RemoteSource {
  /** @throws RemoteProblem. */
  refsOf(remote: RemoteAddress, signal: AbortSignal): Promise<RemoteRefs>;
  /** All that these need. Whoever reads it hears of what goes wrong on the way, as a RemoteProblem. */
  pack(remote: RemoteAddress, objects: WantedObjects, signal: AbortSignal): ByteStream;
}
