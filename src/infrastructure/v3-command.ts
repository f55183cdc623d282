import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { callsInText, type CallInText } from '../adapters/inbound/http/api-v3/calls-in-text.js';
import type { V3Commands } from '../adapters/inbound/cli/v3-command.js';
import type { CommandParts } from './command-service.js';

const STANDARD_INPUT = '-';

const linesOf = (file: string): AsyncIterable<string> =>
  createInterface({ input: file === STANDARD_INPUT ? process.stdin : createReadStream(file), crlfDelay: Infinity });

const unreadable = (file: string, error: unknown): Error => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new Error(`${file} is not there.`, { cause: error });
  if (code === 'EISDIR') return new Error(`${file} is a folder: name the files in it.`, { cause: error });
  return new Error(`${file} can't be read: ${(error as Error).message}`, { cause: error });
};

const describe = ({ call, changes }: CallInText, place: string): readonly string[] => [
  `${place}: ${call}`,
  ...(changes.length === 0 ? ['  The same is under /api/v4.'] : []),
  ...changes.map(({ release, before, after, description }) => `  ${release}: ${before} → ${after}. ${description}`),
];

/** `gatehouse v3 …`: asks no database, so that it runs where logs and code are. */
export const createV3Commands = ({ print, tell }: Pick<CommandParts, 'print' | 'tell'>): V3Commands => {
  const lint = async (file: string): Promise<number> => {
    let [found, number] = [0, 0];
    for await (const line of linesOf(file)) {
      number += 1;
      const calls = callsInText(line);
      found += calls.length;
      calls.flatMap((call) => describe(call, `${file}:${number}`)).forEach(print);
    }
    return found;
  };

  return {
    lintV3: async (files) => {
      let found = 0;
      for (const file of files) {
        found += await lint(file).catch((error: unknown) => {
          throw unreadable(file, error);
        });
      }
      if (found > 0) throw new Error(`Found ${found} ${found === 1 ? 'call' : 'calls'} of version 3.`);
      tell('Found no calls of version 3.');
    },
  };
};
