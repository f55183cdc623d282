import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Unavailable } from '../../../domain/shared/domain-error.js';
import { gitCommand, OLDEST_GIT } from './command.js';

const ASK_MS = 10_000;
const LOOK_AGAIN_MS = 60_000;

/** Resolves with the version of git. @throws Unavailable "repositories" with the reason. */
export type FindGit = () => Promise<string>;

/** A reason that readiness shows. */
class GitMissing extends Unavailable {
  constructor(reason: string) {
    super('repositories');
    this.message = reason;
  }
}

const isOldEnough = (version: string): boolean => {
  const [found, oldest] = [version, OLDEST_GIT].map((text) => text.split('.').map(Number));
  for (const [index, wanted] of (oldest ?? []).entries()) {
    const part = found?.[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
};

/** By itself, while this process is small: the one that starts git for the service is for those who have repositories. */
const askVersion = async (binary: string): Promise<string> => {
  const needed = `Set GIT_BINARY to a git of version ${OLDEST_GIT} or newer.`;
  const { file, argv, env } = gitCommand(binary, { fixed: ['version'] }, { deadlineMs: ASK_MS });
  let text: string;
  try {
    text = (await promisify(execFile)(file, [...argv], { env, timeout: ASK_MS })).stdout;
  } catch {
    throw new GitMissing(`git was not found. ${needed}`);
  }
  const version = /^git version (\d+\.\d+(?:\.\d+)?)/.exec(text)?.[1];
  if (version === undefined) throw new GitMissing(`GIT_BINARY is not git. ${needed}`);
  if (!isOldEnough(version)) throw new GitMissing(`git is of version ${version}, which is too old. ${needed}`);
  return version;
};

/** Asks git for its version once; where it is missing, again after a minute. */
export const createFindGit = (binary: string): FindGit => {
  let asked: { readonly at: number; readonly version: Promise<string>; failed?: true } | undefined;
  return () => {
    if (asked === undefined || (asked.failed === true && performance.now() - asked.at > LOOK_AGAIN_MS)) {
      const question: typeof asked = { at: performance.now(), version: askVersion(binary) };
      question.version.catch(() => (question.failed = true));
      asked = question;
    }
    return asked.version;
  };
};
