import {
  REMOTE_WORDS,
  RemoteProblem,
  type PushedToRemote,
  type RefsForRemote,
  type Remotes,
} from '../../../application/repositories/ports/remotes.js';
import { branchRef, isRefName, refPartsOf } from '../../../domain/repositories/ref-name.js';
import type { RemoteAddress } from '../../../domain/shared/remote-url.js';
import { gather, type Git } from './git.js';
import { problemOfRemote, readPushed } from './remote-answers.js';
import { REMOTE, remoteSettings, type PinnedAddress } from './remote-settings.js';
import type { Child } from './runner/runner.js';

/** Finds the address of a host that may be reached; undefined where none may. */
export type FindPinnedAddress = (hostname: string) => Promise<PinnedAddress | undefined>;

const PUSH_MINUTES = 30;
const LIST_MINUTES = 5;
const MINUTE_MS = 60_000;
const MOST_ANSWER = 16 * 1024 * 1024;

const UNKNOWN_HOST = 'The host of the address was not found.';
const TOO_MANY = 'The server has more branches than can be read.';
const ENDED = 'It was broken off.';

/** What goes there, by the words of git: a `+` lets go of what is only there. */
const refspecsOf = ({ branches, keepDivergent }: RefsForRemote): readonly string[] => {
  const force = keepDivergent ? '' : '+';
  const tags = `${force}refs/tags/*:refs/tags/*`;
  if (branches === undefined) return [`${force}refs/heads/*:refs/heads/*`, tags];
  return [
    ...branches.pushed.map((name) => `${force}${branchRef(name)}:${branchRef(name)}`),
    ...branches.removed.map((name) => `:${branchRef(name)}`),
    tags,
  ];
};

interface Asked {
  readonly store?: string;
  readonly fixed: readonly string[];
  readonly remote: RemoteAddress;
  readonly pushed?: readonly string[];
  readonly minutes: number;
  /** Exit codes that are an answer, beside 0. */
  readonly codes?: readonly number[];
}

/**
 * Talks to repositories elsewhere by stock git, each time by a process that has nothing of this one: neither its environment nor its
 * settings. Whoever asks bounds how many there are at once.
 */
export class GitRemotes implements Remotes {
  constructor(
    private readonly git: Git,
    private readonly findAddress: FindPinnedAddress,
  ) {}

  async branchesOf(remote: RemoteAddress, signal: AbortSignal): Promise<readonly string[]> {
    const fixed = ['ls-remote', '--heads', REMOTE];
    const answer = await this.#ask({ fixed, remote, minutes: LIST_MINUTES }, signal);
    return answer.split('\n').flatMap((line) => {
      const ref = line.slice(line.indexOf('\t') + 1);
      const parts = isRefName(ref) ? refPartsOf(ref) : undefined;
      return parts?.kind === 'branch' ? parts.name : [];
    });
  }

  async push(store: string, remote: RemoteAddress, refs: RefsForRemote, signal: AbortSignal): Promise<PushedToRemote> {
    const prune = refs.keepDivergent ? [] : ['--prune'];
    const fixed = ['push', '--porcelain', '--no-progress', '--no-verify', ...prune, REMOTE];
    const asked = { store, fixed, remote, pushed: refspecsOf(refs), minutes: PUSH_MINUTES, codes: [1] };
    return readPushed(await this.#ask(asked, signal), remote.credentials);
  }

  async #ask({ store, fixed, remote, pushed, minutes, codes = [] }: Asked, signal: AbortSignal): Promise<string> {
    const settings = remoteSettings(remote, await this.#addressOf(remote), pushed);
    refuseEnded(signal);
    const bounds = { deadlineMs: minutes * MINUTE_MS, ofPacks: true, yields: true };
    const child = await this.git.start(store, { fixed }, { ...bounds, settings });
    const answer = await readAnswer(child, signal);
    const ending = await child.ended;
    refuseEnded(signal);
    if (answer === undefined) throw new RemoteProblem(TOO_MANY, false);
    if (ending.code === 0 || codes.some((code) => code === ending.code && hasRefs(answer))) return answer;
    throw problemOfRemote(ending, minutes);
  }

  async #addressOf({ url }: RemoteAddress): Promise<PinnedAddress> {
    let found: PinnedAddress | undefined;
    try {
      found = await this.findAddress(new URL(url).hostname);
    } catch {
      throw new RemoteProblem(UNKNOWN_HOST, true);
    }
    if (found === undefined) throw new RemoteProblem(REMOTE_WORDS.privateNetwork, false);
    return found;
  }
}

const refuseEnded = ({ aborted }: AbortSignal): void => {
  if (aborted) throw new RemoteProblem(ENDED, true);
};

/** Some refs were not pushed, and it says which: that is an answer, too. */
const hasRefs = (answer: string): boolean => /^!\t/m.test(answer);

/** Undefined where it is too long. */
const readAnswer = async (child: Child, signal: AbortSignal): Promise<string | undefined> => {
  const kill = () => child.kill();
  signal.addEventListener('abort', kill, { once: true });
  try {
    child.stdin.end();
    const { bytes, cut } = await gather(child, MOST_ANSWER);
    if (cut) child.kill();
    return cut ? undefined : bytes.toString('utf8');
  } finally {
    signal.removeEventListener('abort', kill);
  }
};
