import type { Machine } from '../../../application/keys/machines.js';
import type { Actor } from '../../../application/shared/actor.js';

/** Who a client of git speaks for: a person, a machine that stands for nobody, or somebody unknown. */
export type GitCaller = (Person | MachineCaller) & {
  /** Whom the same credential stands for now. @throws GitRefusal where it stands for nobody any more. */
  readonly again: () => Promise<GitCaller>;
};

interface Person {
  readonly actor: Actor;
  /** What the credential is good for, whatever its owner may do. */
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
}

interface MachineCaller {
  readonly machine: Machine;
}

/** Whether nobody is behind it: they are asked who they are before anything else. */
export const isUnknown = (caller: GitCaller): boolean => 'actor' in caller && caller.actor.kind === 'anonymous';
