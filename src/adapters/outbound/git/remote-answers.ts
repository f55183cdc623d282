import { REMOTE_WORDS, RemoteProblem, type PushedToRemote } from '../../../application/repositories/ports/remotes.js';
import type { RemoteCredentials } from '../../../domain/shared/remote-url.js';
import type { Ending } from './runner/runner.js';

const MOST_REASON = 200;

/** What git says, and what that means for whoever set it up. What else a server says isn't repeated: it may say what it was sent. */
const PROBLEMS: readonly (readonly [words: RegExp, problem: string, passing: boolean])[] = [
  [
    /Authentication failed|could not read (?:Username|Password)|returned error: 40[13]|access denied/i,
    REMOTE_WORDS.refused,
    false,
  ],
  [/returned error: 3\d\d/i, REMOTE_WORDS.redirected, false],
  [/returned error: 404|repository .{0,200} not found/i, REMOTE_WORDS.missing, false],
  [/returned error: 413/i, 'The server refused it, as it was too large.', false],
  [/returned error: 5\d\d/i, REMOTE_WORDS.failed, true],
  [
    /Could not resolve|Failed to connect|Couldn't connect|Connection (?:refused|reset|timed out)|Operation too slow|timed out/i,
    REMOTE_WORDS.unreachable,
    true,
  ],
  [/certificate|SSL|TLS/i, 'There was no safe connection: the certificate of the server is not good.', true],
  [
    /is this a git repository|does not appear to be a git|git-http-push/i,
    'There is no git repository at this address.',
    false,
  ],
  [/unexpected disconnect|hung up|early EOF|RPC failed/i, 'The connection broke off.', true],
];

/** Why a command failed that talks to a repository elsewhere. */
export const problemOfRemote = ({ code, errors }: Ending, minutes: number): RemoteProblem => {
  if (code === null)
    return new RemoteProblem(`It was not done within ${minutes} minutes, or took too much memory.`, true);
  // An address that it names is not what it says.
  const said = errors.replaceAll(/'[^'\n]*'/g, '');
  const [, problem, passing] = PROBLEMS.find(([words]) => words.test(said)) ?? [];
  return new RemoteProblem(problem ?? 'git could not talk to the server.', passing ?? true);
};

/** A text of the server, for whoever may not know the password. */
const withoutSecrets = (text: string, credentials: RemoteCredentials | null): string => {
  const { username = '', password = '' } = credentials ?? {};
  // Some servers take a token for a user name, without a password.
  const alone = password === '' ? [username, encodeURIComponent(username)] : [];
  const secrets = [
    ...alone,
    password,
    encodeURIComponent(password),
    Buffer.from(`${username}:${password}`).toString('base64'),
  ];
  return secrets
    .filter((secret) => secret !== '')
    .reduce((shown, secret) => shown.replaceAll(secret, '*****'), text)
    .replaceAll(/\p{C}/gu, '')
    .slice(0, MOST_REASON);
};

/** By the words of `git push`: what the server has and this repository hasn't, or as it hasn't. */
const DIVERGENT = /^\[rejected\]/;

/** What stands in brackets at the end of a summary, else the whole. */
const reasonIn = (summary: string): string => {
  const start = summary.indexOf('(');
  return start >= 0 && summary.endsWith(')') ? summary.slice(start + 1, -1) : summary;
};

/** Reads the lines of `git push --porcelain` that tell of what was not pushed: a mark, the refs and a summary. */
export const readPushed = (answer: string, credentials: RemoteCredentials | null): PushedToRemote => {
  const divergent: string[] = [];
  const refused: { ref: string; reason: string }[] = [];
  for (const line of answer.split('\n')) {
    const [mark, refs = '', summary = ''] = line.split('\t');
    if (mark !== '!') continue;
    const ref = refs.slice(refs.indexOf(':') + 1);
    if (DIVERGENT.test(summary)) divergent.push(ref);
    else refused.push({ ref, reason: withoutSecrets(reasonIn(summary), credentials) });
  }
  return { divergent, refused };
};
