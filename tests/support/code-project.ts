import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { addProject, remoteOf, WorkTree } from './git-service.js';
import type { Answer, ApiRequest, TestService, TestUser } from './test-service.js';

/** A commit of a person at an instant of their own, so that every run makes the same ids. */
export const commitFiles = async (
  tree: WorkTree,
  files: Readonly<Record<string, string | Buffer>>,
  message: string,
  { at = '2026-03-01T10:00:00+02:00', author = 'Ada <ada@example.com>' } = {},
): Promise<string> => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(tree.folder, path)), { recursive: true });
    writeFileSync(join(tree.folder, path), content);
  }
  await tree.git('add', '--all');
  await tree.git(
    '-c',
    'user.name=Ada',
    '-c',
    'user.email=ada@example.com',
    'commit',
    '--quiet',
    '--allow-empty',
    `--author=${author}`,
    `--date=${at}`,
    '-m',
    message,
  );
  return tree.head();
};

export interface CodeProject {
  readonly id: ProjectId;
  readonly path: string;
  readonly tree: WorkTree;
  /** Ids of its commits on `main`, the oldest first. */
  readonly commits: readonly string[];
  /** On the branch `feature/pumps`, not in `main`. */
  readonly feature: string;
  readonly get: <Body>(path: string, request?: ApiRequest) => Promise<Answer<Body>>;
}

/**
 * A project that stock git has pushed to: five commits with a merge on `main`, the branches `feature/pumps` and `old.fix` (merged), the
 * annotated tag `v1.0` and the plain ones `v1.9` and `v1.10`, files with odd names.
 */
export const pushCodeProject = async (service: TestService, owner: TestUser, fields: object): Promise<CodeProject> => {
  const { id, path } = await addProject(service, owner, fields);
  const tree = await WorkTree.init();
  await tree.git('remote', 'add', 'origin', remoteOf(service, path, 'oauth2', owner.token));
  const first = await commitFiles(tree, { 'README.md': '# Mill\n' }, 'First');
  await tree.git('tag', 'v1.9');
  const second = await commitFiles(
    tree,
    { 'src/main.c': 'int main() {\n  return 0;\n}\n', 'src/a b/ünï.txt': 'ü\n', 'bin/run.sh': '#!/bin/sh\n' },
    'Add the source\n\nWith a body.\n\nChangelog: added\nReviewed-by: Grace <grace@example.com>',
    { author: 'Grace <grace@example.com>' },
  );
  await tree.git('tag', '-m', 'The first release', 'v1.0');
  await tree.git('checkout', '--quiet', '-b', 'old.fix');
  const fix = await commitFiles(tree, { 'src/main.c': 'int main() {\n  return 1;\n}\n' }, 'Fix the answer');
  await tree.git('checkout', '--quiet', 'main');
  const third = await commitFiles(tree, { 'image.png': Buffer.from([0x89, 0x50, 0, 1, 2, 3]) }, 'Add a picture');
  await tree.git('merge', '--quiet', '--no-ff', '-m', "Merge branch 'old.fix'", 'old.fix');
  const merge = await tree.head();
  chmodSync(join(tree.folder, 'bin/run.sh'), 0o755);
  symlinkSync('README.md', join(tree.folder, 'link'));
  await tree.git('mv', 'src/main.c', 'src/mill.c');
  const last = await commitFiles(tree, {}, 'Rename the source');
  await tree.git('tag', 'v1.10');
  await tree.git('checkout', '--quiet', '-b', 'feature/pumps', second);
  const feature = await commitFiles(tree, { 'pump.txt': 'water\n' }, 'Add a pump');
  await tree.git('checkout', '--quiet', 'main');
  await tree.git('push', '--quiet', 'origin', 'main', 'old.fix', 'feature/pumps', '--tags');
  return {
    id,
    path,
    tree,
    commits: [first, second, fix, third, merge, last],
    feature,
    get: (below, request = { token: owner.token }) => service.call('GET', `/projects/${id}${below}`, request),
  };
};
