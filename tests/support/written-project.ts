import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { describeEachDatabase, type OpenTestDatabase } from './databases.js';
import { PASSWORD } from './form-browser.js';
import { addProject, refsOf, remoteOf, type TestProject } from './git-service.js';
import { fastImport, git, temporaryFolder, withGit, type MadeCommit } from './git.js';
import { TestService, type Answer, type TestUser } from './test-service.js';
import { until } from './until.js';

/** Longer than anything takes that is done at once, and no judgment of how long it does. */
const SOON_MS = 30_000;

export interface ShownCommit {
  readonly id: string;
  readonly title: string;
  readonly message: string;
  readonly parent_ids: readonly string[];
  readonly author_name: string;
  readonly author_email: string;
  readonly committer_name: string;
  readonly committer_email: string;
  readonly committed_date: string;
  readonly stats?: { readonly additions: number; readonly deletions: number; readonly total: number };
}

export interface SentAction {
  readonly action: string;
  readonly file_path: string;
  readonly [field: string]: unknown;
}

/** A project whose code is written by the API, and read by stock git. */
export class WrittenProject {
  private constructor(
    readonly service: TestService,
    readonly owner: TestUser,
    readonly project: TestProject,
  ) {}

  static async make(service: TestService, owner: TestUser, fields: object): Promise<WrittenProject> {
    return new WrittenProject(service, owner, await addProject(service, owner, fields));
  }

  get id() {
    return this.project.id;
  }

  /** @param path below the project. */
  call<Body = unknown>(method: string, path: string, json?: unknown, user = this.owner): Promise<Answer<Body>> {
    const body = json === undefined ? {} : { json };
    return this.service.call<Body>(method, `/projects/${this.id}${path}`, { token: user.token, ...body });
  }

  commit(branch: string, message: string, actions: readonly SentAction[], more: object = {}, user = this.owner) {
    const json = { branch, commit_message: message, actions, ...more };
    return this.call<ShownCommit & { message: unknown }>('POST', '/repository/commits', json, user);
  }

  /** One commit that makes or changes files, and must succeed. */
  async write(branch: string, files: Readonly<Record<string, string>>, more: object = {}): Promise<ShownCommit> {
    const actions = Object.entries(files).map(([file_path, content]) => ({ action: 'create', file_path, content }));
    const answer = await this.commit(branch, `Write ${Object.keys(files).join(', ')}`, actions, more);
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ id: expect.any(String) })]);
    return answer.body;
  }

  addMember(user: TestUser, level: number) {
    return this.call('POST', '/members', { user_id: user.id, access_level: level });
  }

  remote(user = this.owner): string {
    return remoteOf(this.service, this.project.path, 'oauth2', user.token);
  }

  /** New branches from `main`, each with one commit: pushed by stock git in one go. */
  async pushBranches(branches: readonly Pick<MadeCommit, 'branch' | 'files'>[]): Promise<void> {
    const folder = temporaryFolder();
    await git(['clone', '--quiet', '--bare', this.remote(), folder]);
    await fastImport(
      folder,
      branches.map(({ branch, files }) => ({ branch, files, from: 'main', message: `Write ${branch}` })),
    );
    await git(['--git-dir', folder, 'push', '--quiet', 'origin', ...branches.map(({ branch }) => branch)]);
  }

  /** What a branch leads to, for stock git. */
  async head(branch: string): Promise<string | undefined> {
    const listed = await git(['ls-remote', this.remote(), `refs/heads/${branch}`]);
    return listed === '' ? undefined : listed.slice(0, 40);
  }

  /** The store is sound, and its files say what its rows say: what follows a push writes the rows first, beside the test. */
  async expectSound(): Promise<void> {
    let refs = await refsOf(this.service, this.id);
    await until(async () => {
      if (isDeepStrictEqual(refs.files, refs.rows)) return true;
      refs = await refsOf(this.service, this.id);
      return false;
    }, SOON_MS).catch(() => undefined);
    expect(refs.problems).toEqual([]);
    expect(refs.files).toEqual(refs.rows);
  }
}

/** A service with two people, one of whom owns the projects that tests write to. */
export class Writing {
  #service: TestService | undefined;
  #ada: TestUser | undefined;
  #grace: TestUser | undefined;
  #projects: WrittenProject[] = [];
  #serial = 0;

  async start(openTestDatabase: OpenTestDatabase): Promise<void> {
    this.#service = await TestService.start(await openTestDatabase());
    this.#ada = await this.#service.addUser('ada', { password: PASSWORD });
    this.#grace = await this.#service.addUser('grace', { password: PASSWORD });
  }

  get service(): TestService {
    return this.#service!;
  }

  get ada(): TestUser {
    return this.#ada!;
  }

  get grace(): TestUser {
    return this.#grace!;
  }

  /** An empty project of Ada. */
  async newProject(fields: object = {}): Promise<WrittenProject> {
    const name = `loom-${(this.#serial += 1)}`;
    const project = await WrittenProject.make(this.service, this.ada, { name, ...fields });
    this.#projects.push(project);
    return project;
  }

  async expectSound(): Promise<void> {
    for (const project of this.#projects.splice(0)) await project.expectSound();
  }
}

/** A suite on every database. After each test, whatever it did, the projects that it made are sound. */
export const describeWriting = (name: string, suite: (writing: Writing) => void): void =>
  withGit(name, () =>
    describeEachDatabase(name, (openTestDatabase) => {
      const writing = new Writing();
      beforeAll(() => writing.start(openTestDatabase));
      afterEach(() => writing.expectSound());
      afterAll(() => writing.service.close());
      suite(writing);
    }),
  );
