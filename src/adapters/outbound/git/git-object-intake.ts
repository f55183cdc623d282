import {
  ObjectsRefused,
  type ByteStream,
  type Draft,
  type ObjectIntake,
  type Staged,
} from '../../../application/repositories/ports/object-stores.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';
import { FSCK_LEVELS } from './command.js';
import { feedStream, type Git } from './git.js';
import { Quarantine } from './quarantine.js';
import type { Ending } from './runner/runner.js';

const PUSH_MS = 3_600_000;

/** What git says of a pack, without what only operators may know: folders of the machine. */
const reasonOf = ({ errors }: Ending): string => {
  const line = errors
    .split('\n')
    .map((each) => each.replace(/^(?:fatal|error): /, '').trim())
    .find((each) => each !== '' && !each.includes('/'));
  return line ?? 'The objects of the push could not be read.';
};

/** Takes packs by `index-pack` into a quarantine, where every object is checked, and objects of ours by writing them there. */
export class GitObjectIntake implements ObjectIntake {
  constructor(
    private readonly git: Git,
    /** Bytes of a pack. */
    private readonly pushLimit: number,
  ) {}

  async receive(store: string, pack: ByteStream | undefined): Promise<Staged> {
    const quarantine = await this.#open(store);
    if (pack === undefined) return quarantine;
    try {
      await this.git.parts.heavy.during(store, () => this.#index(store, quarantine, pack));
      await quarantine.takePack();
      return quarantine;
    } catch (error) {
      await quarantine.settle();
      throw error;
    }
  }

  draft(store: string): Promise<Draft> {
    return this.#open(store);
  }

  async #open(store: string): Promise<Quarantine> {
    try {
      return await Quarantine.open(this.git, store);
    } catch (error) {
      throw new Unavailable('repositories', { cause: error });
    }
  }

  async #index(store: string, quarantine: Quarantine, pack: ByteStream): Promise<void> {
    const fixed = [
      'index-pack',
      '--stdin',
      '--fix-thin',
      `--strict=${FSCK_LEVELS}`,
      `--max-input-size=${this.pushLimit}`,
    ];
    const child = await this.git.start(
      store,
      { fixed },
      { quarantine: quarantine.folder, deadlineMs: PUSH_MS, yields: true },
    );
    child.stdout.resume();
    // While git still works on what came.
    const fed = feedStream(child, pack).then(() => quarantine.warmUp());
    fed.catch(() => undefined);
    try {
      // A client over SSH may wait for the answer with its end still open.
      await Promise.race([fed, child.ended]);
    } catch (error) {
      // The client is gone, or sent what is no stream: the child must not wait for the rest.
      child.kill();
      child.stdin.destroy();
      await child.ended;
      throw error;
    }
    const ending = await child.ended;
    if (ending.code === 0) return;
    if (ending.code === null) throw new Unavailable('repositories', { cause: new Error(ending.errors) });
    if (/No space left|Disk quota|Read-only file system|Input\/output error/.test(ending.errors))
      throw new Unavailable('repositories', { cause: new Error(ending.errors) });
    if (ending.errors.includes('maximum allowed size'))
      throw new ObjectsRefused(`The push is larger than ${this.pushLimit} bytes, which is the limit here.`);
    throw new ObjectsRefused(reasonOf(ending));
  }
}
