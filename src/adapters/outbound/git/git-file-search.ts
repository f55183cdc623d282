import {
  TooLarge,
  type FileSearch,
  type Match,
  type Matches,
} from '../../../application/repositories/ports/object-stores.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { Git } from './git.js';
import { ToldChanges } from './told-changes.js';

const SEARCH_MS = 10_000;
const SEARCH_BYTES = 1024 * 1024;
const MATCHES_OF_FILE = 20;
const HOW = ['-z', '-n', '-I', '--fixed-strings', '--ignore-case', '--no-color', '--threads=1', '-f', '-'];
const MATCH = /[0-9a-f]{40}:([^\0]*)\0(\d+)\0([^\n]*)\n/gy;

/** What `grep -z -n` of a commit answers, as far as it is whole. */
const parseMatches = (text: string): readonly Match[] =>
  [...text.matchAll(MATCH)].map(([, path = '', line, found = '']) => ({ path, line: Number(line), text: found }));

export class GitFileSearch implements FileSearch {
  readonly #told: ToldChanges;

  constructor(git: Git, searchMs = SEARCH_MS) {
    this.#told = new ToldChanges(git, searchMs);
  }

  async search(store: string, commit: ObjectId, text: string, limit: number): Promise<Matches> {
    try {
      const { bytes, cut } = await this.#told.tell(
        store,
        // Whatever is looked for in it: its files are what takes long.
        commit,
        // The text goes by the standard input: nothing of it stands on the command line.
        { fixed: ['grep', `--max-count=${MATCHES_OF_FILE}`, ...HOW], ids: [commit] },
        { input: [`${text}\n`], codes: [1], mostOutput: SEARCH_BYTES },
      );
      const found = parseMatches(bytes.toString('utf8'));
      return { found: found.slice(0, limit), cut: cut || found.length > limit };
    } catch (error) {
      if (error instanceof TooLarge) return { found: [], cut: true };
      throw error;
    }
  }
}
