import type { CodeVersion } from '../../../../../application/repositories/locate-code.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import { together } from '../../../../../application/shared/together.js';
import { DEFAULT_BRANCH } from '../../../../../domain/repositories/default-branch.js';
import { Forbidden, NotFound, Overloaded, Unavailable } from '../../../../../domain/shared/domain-error.js';
import type { ProjectOverview } from '../workspace/workspace-pages-parts.js';
import { shortName } from './code-addresses.js';
import { CodePage, openCode, type OpenCode } from './code-page.js';
import type { CodeTextParts } from './code-pages-parts.js';
import { FolderView } from './folder-view.js';

/** What the page of a project shows of its code: the files of the default branch, or how to push the first commit. */
export class CodeOverview implements ProjectOverview {
  readonly #page: CodePage;
  readonly #folders: FolderView;

  constructor(private readonly parts: CodeTextParts) {
    this.#page = new CodePage(parts);
    this.#folders = new FolderView(parts);
  }

  /** Undefined for who may not read code. */
  async show(
    actor: Actor,
    project: PermittedProject<'read_project'>,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    try {
      return await this.#show(actor, openCode(this.parts.access.also(actor, project, 'read_code')));
    } catch (error) {
      if (error instanceof Forbidden || error instanceof NotFound) return undefined;
      // The rest of the page has no need of git.
      if (error instanceof Unavailable || error instanceof Overloaded) return { unavailable: true };
      throw error;
    }
  }

  async #show(actor: Actor, open: OpenCode): Promise<Readonly<Record<string, unknown>>> {
    const { permitted, addresses } = open;
    const { fullPath, defaultBranch } = permitted.project;
    const { urls, locate, objects } = this.parts;
    const clone = { http: urls.cloneByHttp(fullPath), ...(urls.hasSsh ? { ssh: urls.cloneBySsh(fullPath) } : {}) };
    const version = await locate.defaultVersion(permitted);
    if (version === undefined) {
      const branch = defaultBranch ?? DEFAULT_BRANCH;
      return {
        ...(await this.#page.frame(open)),
        clone,
        firstBranch: branch,
        firstPush: firstPush(clone.http, branch),
      };
    }
    const entries = (await objects.tree(version.repository.store, version.commit.id)) ?? [];
    const [frame, folder, pushed] = await together([
      this.#page.frame({ ...open, ...version }),
      this.#folders.show(
        { ...version, path: '', addresses },
        entries,
        1,
        this.parts.markdown.ofFiles(actor, permitted),
      ),
      open.mayPush ? this.#newestBranch(version) : Promise.resolve(undefined),
    ]);
    return { ...frame, clone, codeTab: 'files', view: 'tree', path: '', folder, pushed };
  }

  /** The branch that has the newest commits, where those are newer than the default branch's. */
  async #newestBranch({ repository, ref, commit }: CodeVersion): Promise<string | undefined> {
    const query = { repositoryId: repository.id, kind: 'branch', orderBy: 'updated', sort: 'desc' } as const;
    const [newest] = (await this.parts.refReader.list({ ...query, page: { page: 1, perPage: 1 } })).items;
    if (newest === undefined || shortName(newest.name) === ref.name) return undefined;
    const found = await this.parts.objects.commit(repository.store, newest.target);
    if (found === undefined || found.id === commit.id) return undefined;
    return Date.parse(found.committer.at) >= Date.parse(commit.committer.at) ? shortName(newest.name) : undefined;
  }
}

const firstPush = (address: string, branch: string): string =>
  [
    `git init --initial-branch=${branch}`,
    `git remote add origin ${address}`,
    'git add .',
    'git commit -m "First commit"',
    `git push -u origin ${branch}`,
  ].join('\n');
