import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { git, temporaryFolder } from './git.js';

const PERSON = 'Ada <ada@example.com>';
const BEGAN = 1_600_000_000;

/** A line of `fast-import`, or the bytes of a file. */
type Piece = string | Buffer;

const file = (path: string, content: Piece): Piece[] => [
  `M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n`,
  content,
  '\n',
];

const commitLines = (index: number): string =>
  `commit refs/heads/main\nauthor ${PERSON} ${BEGAN + index * 60} +0000\ncommitter ${PERSON} ${BEGAN + index * 60} +0000\ndata 12\nCommit ${String(index).padStart(5, '0')}\n`;

/** Writes what is made into a bare repository, and answers its folder. */
const importAll = async (pieces: Iterable<Piece>): Promise<string> => {
  const folder = `${temporaryFolder()}/made.git`;
  await git(['init', '--quiet', '--bare', folder]);
  const child = spawn('git', ['--git-dir', folder, 'fast-import', '--quiet', '--depth=10'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(child, 'close');
  for (const piece of pieces) if (!child.stdin.write(piece)) await once(child.stdin, 'drain');
  child.stdin.end();
  const [code] = (await ended) as [number];
  if (code !== 0) throw new Error(`git fast-import ended with ${code}.`);
  return folder;
};

const pathOf = (index: number): string => `folder-${index % 100}/file-${index}.txt`;
const textOf = (index: number, version: number): string =>
  Array.from(
    { length: 20 },
    (_, line) => `file ${index}, line ${line}, written ${line === 7 ? version : 0} times\n`,
  ).join('');

/** So many text files in 100 folders, and commits that change one of them each. */
export const madeHistory = ({
  files,
  commits,
}: {
  readonly files: number;
  readonly commits: number;
}): Promise<string> =>
  importAll(
    (function* () {
      yield commitLines(0);
      for (let index = 0; index < files; index += 1) yield* file(pathOf(index), textOf(index, 0));
      for (let index = 1; index < commits; index += 1) {
        yield commitLines(index);
        yield* file(pathOf((index * 37) % files), textOf((index * 37) % files, index));
      }
    })(),
  );

/** So many commits of a mebibyte that can't be compressed. */
export const madeBulk = (megabytes: number): Promise<string> =>
  importAll(
    (function* () {
      for (let index = 0; index < megabytes; index += 1) {
        yield commitLines(index);
        yield* file(`bulk-${index}`, randomBytes(2 ** 20));
      }
    })(),
  );
