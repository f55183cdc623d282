import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** Files by path, as they stand in the tree. */
export type Files = Readonly<Record<string, string>>;

/**
 * Plants files in a tree of their own that has this repository's packages and the named configuration files, so that a
 * tool can be run on them; the tree is gone afterwards.
 */
export const inTemporaryTree = async <Result>(
  files: Files,
  configuration: readonly string[],
  work: (directory: string) => Promise<Result>,
): Promise<Result> => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-tree-'));
  try {
    symlinkSync(join(REPOSITORY, 'node_modules'), join(directory, 'node_modules'));
    for (const name of configuration) cpSync(join(REPOSITORY, name), join(directory, name));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    }
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};
