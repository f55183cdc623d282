import type { BadgeFields } from '../../domain/badges/badge.js';
import { fillPlaceholders, inAddress, placeholdersOf, type Placeholder } from '../../domain/badges/placeholders.js';
import { DEFAULT_BRANCH } from '../../domain/repositories/default-branch.js';
import { branchRef, refPartsOf } from '../../domain/repositories/ref-name.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import { together } from '../shared/together.js';

/** The addresses of a badge as they are for one project. */
export interface RenderedUrls {
  readonly renderedLinkUrl: string;
  readonly renderedImageUrl: string;
}

type Written = Pick<BadgeFields, 'linkUrl' | 'imageUrl'>;
type Values = Partial<Readonly<Record<Placeholder, string | undefined>>>;

/** Of a group there is no project to name. */
export const asWritten = <Shown extends Written>(badge: Shown): Shown & RenderedUrls => ({
  ...badge,
  renderedLinkUrl: badge.linkUrl,
  renderedImageUrl: badge.imageUrl,
});

/** Puts what a project is called, and how its code stands, into the addresses of badges. */
export class RenderBadges {
  /** @param server the host of the service, as clients know it. */
  constructor(
    private readonly refs: Pick<RefReader, 'resolveIn' | 'findRepository' | 'list'>,
    private readonly server: () => string,
  ) {}

  /** @param readsCode whether whoever reads them may read the code: else nothing of it is told. */
  async forProject<Shown extends Written>(
    project: Project,
    readsCode: boolean,
    badges: readonly Shown[],
  ): Promise<readonly (Shown & RenderedUrls)[]> {
    const named = new Set(badges.flatMap(({ linkUrl, imageUrl }) => placeholdersOf(`${linkUrl} ${imageUrl}`)));
    const ofCode = readsCode ? await this.#ofCode(project, named) : {};
    const values: Values = { ...this.#ofProject(project), ...ofCode };
    const render = (url: string): string => fillPlaceholders(url, (placeholder) => values[placeholder]);
    return badges.map((badge) => ({
      ...badge,
      renderedLinkUrl: render(badge.linkUrl),
      renderedImageUrl: render(badge.imageUrl),
    }));
  }

  #ofProject({ id, name, path, fullPath, namespace }: Project): Values {
    return {
      project_id: String(id),
      project_path: inAddress(fullPath),
      project_title: encodeURIComponent(name.toWellFormed()),
      project_name: inAddress(path),
      project_namespace: inAddress(namespace.fullPath),
      group_name: namespace.kind === 'group' ? inAddress(namespace.fullPath) : undefined,
      gitlab_server: this.server(),
    };
  }

  /** Read only where an address names it. */
  async #ofCode(project: Project, named: ReadonlySet<Placeholder>): Promise<Values> {
    const branch = project.defaultBranch;
    const [commit, tag] = await together([
      named.has('commit_sha') && branch !== null ? this.#head(project, branch) : Promise.resolve(undefined),
      named.has('latest_tag') ? this.#latestTag(project) : Promise.resolve(undefined),
    ]);
    return {
      default_branch: inAddress(branch ?? DEFAULT_BRANCH),
      commit_sha: commit,
      latest_tag: tag === undefined ? undefined : inAddress(tag),
    };
  }

  async #head({ id }: Project, branch: string): Promise<string | undefined> {
    return (await this.refs.resolveIn(id, branchRef(branch)))?.ref?.target;
  }

  async #latestTag({ id }: Project): Promise<string | undefined> {
    const repository = await this.refs.findRepository(id);
    if (repository === undefined) return undefined;
    const page = { page: 1, perPage: 1, counted: false } as const;
    const query = { repositoryId: repository.id, kind: 'tag', orderBy: 'updated', sort: 'desc', page } as const;
    const [newest] = (await this.refs.list(query)).items;
    return newest && refPartsOf(newest.name)?.name;
  }
}
