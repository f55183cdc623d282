import { currentOccasion } from '../../occasions/current-occasion.js';
import { drained } from '../../streams/drained.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';
import type { ByteStream } from '../../../application/repositories/ports/object-stores.js';
import type { ChildSlots } from './child-slots.js';
import { gitCommand, type Arguments, type GitCommandOptions } from './command.js';
import type { Child, Ending, Runner } from './runner/runner.js';
import { storesNamed, type StoreFolders } from './store-folders.js';

const SHORT_MS = 30_000;
const MOST_OUTPUT = 64 * 1024 * 1024;

export interface GitParts {
  readonly runner: Runner;
  readonly binary: string;
  readonly folders: StoreFolders;
  /** For what takes long: packs, archives. */
  readonly heavy: ChildSlots;
  /** For what answers within a moment. */
  readonly light: ChildSlots;
}

export interface RunOptions {
  readonly quarantine?: string;
  readonly deadlineMs?: number;
  readonly input?: Iterable<string | Uint8Array>;
  /** Exit codes that are an answer, beside 0. */
  readonly codes?: readonly number[];
  /** Reads no more than this, and ends the child then. */
  readonly mostOutput?: number;
  /** Work of the service itself, which takes long. */
  readonly upkeep?: boolean;
  /** Nothing that it writes is to last. */
  readonly passing?: boolean;
}

export interface Output {
  readonly code: number;
  readonly bytes: Buffer;
  readonly errors: string;
  /** There was more than `mostOutput`. */
  readonly cut: boolean;
}

/** A command that ended badly: the store is gone or broken, or it took too long. What git said is the cause, and for the log alone: it may name folders. */
export class GitFailed extends Unavailable {
  constructor(
    readonly command: string,
    readonly ending: Ending,
  ) {
    const how = ending.code ?? ending.signal ?? 'nothing';
    super('repositories', { cause: new Error(`git ${command} ended with ${how}: ${ending.errors.slice(0, 2_000)}`) });
  }
}

export const leftWithoutMemory = ({ errors }: Pick<Ending, 'errors'>): boolean =>
  /out of memory|cannot allocate memory/i.test(errors);

/** Whether it was killed at its deadline, or left without memory: what it was asked for is too much, and would be another time. */
export const ranOut = ({ ending }: GitFailed): boolean => ending.code === null || leftWithoutMemory(ending);

/** Runs git on a store: the one way from the ports to children. */
export class Git {
  constructor(readonly parts: GitParts) {}

  get folders(): StoreFolders {
    return this.parts.folders;
  }

  /** A child to talk to. The caller takes a slot for it, and sees to its end. */
  start(
    store: string | undefined,
    args: Arguments,
    options: Omit<GitCommandOptions, 'folder' | 'beside'>,
  ): Promise<Child> {
    const place = store === undefined ? {} : this.#placeOf(store);
    return this.parts.runner.start(gitCommand(this.parts.binary, args, { ...options, ...place }));
  }

  #placeOf(name: string): Pick<GitCommandOptions, 'folder' | 'beside'> {
    const [folder, beside] = storesNamed(name).map((store) => this.folders.of(store));
    return { ...(folder === undefined ? {} : { folder }), ...(beside === undefined ? {} : { beside }) };
  }

  /** Runs a command, and gathers its answer. @throws GitFailed for any code that isn't expected. */
  run(store: string, args: Arguments, options: RunOptions = {}): Promise<Output> {
    const slots = options.upkeep === true ? this.parts.heavy : this.parts.light;
    return slots.during(store, () => this.#run(store, args, options));
  }

  async #run(store: string, args: Arguments, options: RunOptions): Promise<Output> {
    const { input = [], codes = [], mostOutput = MOST_OUTPUT } = options;
    const child = await this.start(store, args, childOptions(options));
    const fed = feedStream(child, input);
    const { bytes, cut } = await gather(child, mostOutput);
    if (cut) child.kill();
    const ending = await child.ended;
    await fed;
    // One that was cut off was killed.
    const code = cut ? 0 : ending.code;
    if (code === null || ![0, ...codes].includes(code)) throw new GitFailed(args.fixed[0] ?? '', ending);
    return { code, bytes, errors: ending.errors, cut };
  }
}

const childOptions = ({
  quarantine,
  deadlineMs = SHORT_MS,
  upkeep = false,
  passing = false,
}: RunOptions): GitCommandOptions => ({
  ...{ deadlineMs, upkeep, passing, ofTrees: !upkeep },
  // What nobody waits for lets those go first for whom somebody does.
  yields: currentOccasion() === undefined,
  ...(quarantine === undefined ? {} : { quarantine }),
});

/** What a child answers, up to so many bytes. */
export const gather = async (child: Child, most: number): Promise<{ bytes: Buffer; cut: boolean }> => {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > most) return { bytes: Buffer.concat(chunks).subarray(0, most), cut: true };
    }
  } catch (error) {
    throw error instanceof Unavailable ? error : new Unavailable('repositories', { cause: error });
  }
  return { bytes: Buffer.concat(chunks), cut: false };
};

/**
 * The answer of a child as it comes. Its slot is given back and the child ended whether the answer is read to its end or not.
 * @param ended is called once.
 * @param options whether the caller hears of an exit code, or whoever reads the stream was told already: by what came, if anything did.
 */
export async function* streamOf(
  child: Child,
  command: string,
  ended: () => void,
  { failures }: { readonly failures: 'thrown' | 'told' } = { failures: 'thrown' },
): AsyncGenerator<Uint8Array> {
  let whole = false;
  let told = false;
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      told = failures === 'told';
      yield chunk;
    }
    const ending = await child.ended;
    whole = true;
    if (ending.code === null || (ending.code !== 0 && !told)) throw new GitFailed(command, ending);
  } finally {
    if (!whole) {
      child.kill();
      child.stdin.destroy();
    }
    ended();
  }
}

/**
 * Feeds a child, waiting where it is slower. Ends quietly when the child has ended, and when it had before: what it answered tells why.
 * Not by `pipeline`, which waits for ever where its target was closed already.
 */
export const feedStream = async (child: Child, input: ByteStream | Iterable<string | Uint8Array>): Promise<void> => {
  for await (const chunk of input) {
    if (child.stdin.destroyed || !child.stdin.writable) return;
    if (!child.stdin.write(chunk)) await drained(child.stdin);
  }
  child.stdin.end();
};
