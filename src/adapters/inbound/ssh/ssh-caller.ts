import type { Machines } from '../../../application/keys/machines.js';
import type { KeyFingerprints, KeyHolder, KeyReader } from '../../../application/keys/ports/key-ports.js';
import type { Clock } from '../../../application/shared/ports/clock.js';
import type { TokenUses } from '../../../application/shared/token-uses.js';
import { isServiceAccount } from '../../../domain/identity/service-account.js';
import { isExpired } from '../../../domain/keys/ssh-key.js';
import type { GitCaller } from '../git/git-caller.js';
import { GitRefusal } from '../git/git-refusal.js';

export interface SshCallerParts {
  readonly keys: KeyReader;
  readonly fingerprints: KeyFingerprints;
  readonly machines: Machines;
  readonly uses: TokenUses;
  readonly clock: Clock;
}

export interface SshCaller {
  readonly caller: GitCaller;
  /** As the welcome calls them. */
  readonly name: string;
  /** For the log. */
  readonly actor: string;
}

/** Knows clients of SSH by their keys. */
export class SshCallers {
  constructor(private readonly parts: SshCallerParts) {}

  fingerprintOf(blob: Uint8Array): string {
    return this.parts.fingerprints.of(blob).sha256;
  }

  async isKnown(fingerprint: string): Promise<boolean> {
    return (await this.parts.keys.holderOf(fingerprint)) !== undefined;
  }

  /**
   * Whom a key stands for now: asked for each command, since a connection may outlive the key.
   * @throws GitRefusal with what they are told.
   */
  async find(fingerprint: string): Promise<SshCaller> {
    const holder = await this.parts.keys.holderOf(fingerprint);
    if (holder === undefined) throw new GitRefusal(401, 'Your SSH key has been removed.');
    const now = this.parts.clock.now();
    if (isExpired(holder.key, now)) throw new GitRefusal(401, 'Your SSH key has expired.');
    const found = this.#callerOf(holder, async () => (await this.find(fingerprint)).caller);
    this.parts.uses.record(holder.key.id, holder.key.lastUsedAt, now);
    return found;
  }

  #callerOf(holder: KeyHolder, again: GitCaller['again']): SshCaller {
    if (holder.kind === 'deploy')
      return {
        caller: { machine: this.parts.machines.ofKey(holder), again },
        name: 'Anonymous',
        actor: `deploy_key:${holder.key.id}`,
      };
    const { id, username, admin, state } = holder.owner;
    if (isServiceAccount({ username })) throw new GitRefusal(403, 'This account belongs to the service.');
    if (state === 'blocked') throw new GitRefusal(403, 'Your account has been blocked.');
    // As good as a session: the account itself, and no token of it.
    const actor = { kind: 'user', id, username, admin, credential: { kind: 'session' } } as const;
    return { caller: { actor, mayRead: true, mayWrite: true, again }, name: `@${username}`, actor: `user:${id}` };
  }
}
