import { join } from 'node:path';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { StoreFolders } from '../../src/adapters/outbound/git/store-folders.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { git, temporaryFolder, tryGit, type GitResult } from './git.js';
import type { TestService, TestUser } from './test-service.js';

export interface TestProject {
  readonly id: ProjectId;
  readonly path: string;
}

/** A work tree of a person, with what it takes to talk to a service. */
export class WorkTree {
  constructor(readonly folder: string) {}

  static async init(): Promise<WorkTree> {
    const tree = new WorkTree(temporaryFolder());
    await tree.git('init', '--quiet');
    return tree;
  }

  git(...argv: string[]): Promise<string> {
    return git(argv, { cwd: this.folder });
  }

  try(...argv: string[]): Promise<GitResult> {
    return tryGit(argv, { cwd: this.folder });
  }

  async commit(file: string, content: string | Buffer, message = `Change ${file}`): Promise<string> {
    writeFileSync(join(this.folder, file), content);
    await this.git('add', file);
    await this.git('commit', '--quiet', '-m', message);
    return this.head();
  }

  async head(): Promise<string> {
    return this.#readHead() ?? (await this.git('rev-parse', 'HEAD')).trim();
  }

  /** Another one with the same history. */
  copy(): WorkTree {
    const folder = temporaryFolder();
    cpSync(this.folder, folder, { recursive: true });
    return new WorkTree(folder);
  }

  /** As the files say it, where it is a branch that was written last: no process needs to be started for that. */
  #readHead(): string | undefined {
    const read = (name: string): string | undefined => {
      const file = join(this.folder, '.git', name);
      return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
    };
    const [, branch] = /^ref: (.+)$/.exec(read('HEAD') ?? '') ?? [];
    return branch === undefined ? undefined : read(branch);
  }
}

/** The address of a project for git, with a name and a secret in it. */
export const remoteOf = (service: TestService, path: string, name?: string, secret?: string): string => {
  const url = new URL(`${service.nodeUrl}/${path}.git`);
  if (name !== undefined) url.username = name;
  if (secret !== undefined) url.password = secret;
  return url.href;
};

export const addProject = async (service: TestService, owner: TestUser, fields: object): Promise<TestProject> => {
  const { body, status } = await service.call<{ id: ProjectId; path_with_namespace: string }>('POST', '/projects', {
    token: owner.token,
    json: fields,
  });
  if (status !== 201) throw new Error(`The project was not made: ${JSON.stringify(body)}`);
  return { id: body.id, path: body.path_with_namespace };
};

/** Where the objects of a project lie. */
export const storeOf = async ({ service: { container } }: TestService, projectId: ProjectId): Promise<string> => {
  const repository = await container.get(REPOSITORY_TOKENS.repositories).refReader.findRepository(projectId);
  if (repository === undefined) throw new Error(`The project ${projectId} has no repository.`);
  return new StoreFolders(container.get(TOKENS.config).repositoriesDirectory).of(repository.store);
};

/** Refs by the rows, and refs by the files once these have followed: the two must be one. */
export const refsOf = async (
  service: TestService,
  projectId: ProjectId,
): Promise<{
  readonly rows: readonly string[];
  readonly files: readonly string[];
  /** What refs lost, and is kept. */
  readonly kept: readonly string[];
  readonly problems: readonly string[];
}> => {
  const { container } = service.service;
  const { refReader, projectRefs } = container.get(REPOSITORY_TOKENS.repositories);
  await projectRefs.settle();
  const { keeper } = container.get(REPOSITORY_TOKENS.gitStores);
  const repository = await refReader.findRepository(projectId);
  if (repository === undefined) return { rows: [], files: [], kept: [], problems: [] };
  const rows: string[] = [];
  for await (const batch of refReader.advertised(repository.id))
    rows.push(...batch.map(({ name, target }) => `${target} ${name}`));
  const listed = await git([
    '--git-dir',
    await storeOf(service, projectId),
    'for-each-ref',
    '--format=%(objectname) %(refname)',
  ]);
  const refs = listed.split('\n').filter((line) => line !== '');
  const files = refs.filter((line) => !line.includes(' refs/keep/'));
  const kept = refs.filter((line) => !files.includes(line)).map((line) => line.slice(0, 40));
  const byName = (one: string, other: string) => (one.slice(41) < other.slice(41) ? -1 : 1);
  const problems = await keeper.check(repository.store);
  return { rows: rows.sort(byName), files: files.sort(byName), kept, problems };
};
