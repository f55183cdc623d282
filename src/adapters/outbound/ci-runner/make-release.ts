import { readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Job, JobRelease } from './job.js';
import { expandBy, type Variables } from './job-environment.js';
import type { RunnerClient } from './runner-client.js';
import { tryAgain } from './try-again.js';

/** What a server takes of a description, in characters; each has four bytes at most. */
const LONGEST = 500_000;
const MOST_BYTES = 4 * LONGEST;
const LONGEST_PATH = 1_024;
const THERE_ALREADY = 409;
const SECRET = 'it would tell everybody what logs hide: its texts hold a masked value';

interface Place {
  /** The folder of the job. */
  readonly project: string;
  readonly variables: Variables;
  readonly signal: AbortSignal;
}

/** Tells people of a tag, as a job asks for it: with its token. */
export class MakeRelease {
  constructor(
    private readonly client: Pick<RunnerClient, 'makeRelease'>,
    private readonly job: Job,
    /** Values that a log hides: nobody means to publish them. */
    private readonly masked: readonly string[],
    private readonly retryMs: number,
  ) {}

  /** Answers why there is none; undefined where it was made. Never throws. */
  async execute({ texts, links, milestones }: JobRelease, place: Place): Promise<string | undefined> {
    const expanded = (fields: Variables): Variables =>
      Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, expandBy(value, place.variables)]));
    try {
      const { description: told = '', ...fields } = expanded(texts);
      const said = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
      const description = await descriptionOf(told, place.project);
      const sent = links.map(expanded);
      const titles = milestones.map((title) => expandBy(title, place.variables));
      const inLinks = sent.flatMap((link) => Object.values(link));
      if (this.#holdsSecret([...Object.values(said), description, ...inLinks, ...titles])) return SECRET;
      const planned = titles.length > 0 && { milestones: titles };
      const release = { ref: this.job.git.sha, ...said, description, assets: { links: sent }, ...planned };
      const answer = await tryAgain(
        async (before) => ({ ...(await this.client.makeRelease(this.job, release, place.signal)), before }),
        this.retryMs,
        place.signal,
      );
      // A try whose answer was lost may have made it.
      if (answer.status === 201 || (answer.status === THERE_ALREADY && answer.before > 0)) return undefined;
      return answer.reason ?? `the server answered ${answer.status}`;
    } catch (error) {
      return (error as Error).message;
    }
  }

  #holdsSecret(texts: readonly string[]): boolean {
    return texts.some((text) => this.masked.some((secret) => text.includes(secret)));
  }
}

/** What a file of the job says, where the text is the path of one; else the text. @throws Error for one that is too large. */
const descriptionOf = async (text: string, folder: string): Promise<string> => {
  const path = await fileNamed(text, folder);
  if (path === undefined) return text;
  if ((await stat(path)).size > MOST_BYTES) throw tooLarge(text);
  const content = await readFile(path, 'utf8');
  if (content.length > LONGEST) throw tooLarge(text);
  return content;
};

const tooLarge = (text: string): Error => new Error(`${text} is too large to describe a release`);

/** Nothing outside the folder, wherever links in it lead. */
const fileNamed = async (text: string, folder: string): Promise<string | undefined> => {
  if (text === '' || text.length > LONGEST_PATH || /[\n\0]/.test(text)) return undefined;
  try {
    const [path, within] = [await realpath(join(folder, text)), await realpath(folder)];
    return path.startsWith(within + sep) && (await stat(path)).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
};
