import { Type } from '@sinclair/typebox';
import type { UserProfile, UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import { userIdOf, type Actor } from '../../../../../application/shared/actor.js';
import type { Readmes } from '../../../../../application/repositories/browse/readmes.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { GroupLinkReader } from '../../../../../application/workspace/ports/group-links.js';
import type {
  ProjectRelations,
  ProjectRelationsReader,
} from '../../../../../application/workspace/ports/project-relations.js';
import type {
  ListedProject,
  ProjectQuery,
  ProjectLevels,
  Viewer,
  WorkspaceReader,
} from '../../../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { VISIBILITIES } from '../../../../../domain/shared/visibility.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { topicsIn } from '../../../../../domain/workspace/topics.js';
import { isOffered, type ProjectPermission } from '../../../../../domain/workspace/workspace-policy.js';
import { given } from '../../kit/given.js';
import {
  identifierOrNone,
  instantOrDay,
  integer,
  listOf,
  oneOf,
  text,
  timeIn,
  type ParametersOf,
} from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import {
  presentBasicProject,
  presentCiFile,
  presentPermissions,
  presentProject,
  presentSharedGroups,
} from './present-project.js';
import { AnyProjectSchema } from './project-schema.js';

export interface ShowProjectsParts {
  readonly access: WorkspaceAccess;
  readonly reader: WorkspaceReader;
  readonly relations: ProjectRelationsReader;
  readonly groupLinkReader: GroupLinkReader;
  readonly users: UserReader;
  /** Those of these projects that have code. */
  readonly withCode: (ids: readonly ProjectId[]) => Promise<ReadonlySet<ProjectId>>;
  /** How many issues are open in each of these projects; one without any is absent. */
  readonly openIssues: (viewer: Viewer, ids: readonly ProjectId[]) => Promise<ReadonlyMap<ProjectId, number>>;
  readonly readmes: Readmes;
  readonly urls: WebUrls;
}

/** What every list of projects can be narrowed by. */
export const LIST_FILTERS = {
  search: Type.Optional(text(255, 'Part of the name, path or description')),
  search_namespaces: Type.Boolean({
    default: false,
    description: 'Whether `search` looks at the path of the namespace, too',
  }),
  owned: Type.Optional(Type.Boolean({ description: 'Only those you own' })),
  membership: Type.Optional(Type.Boolean({ description: 'Only those you are a member of' })),
  starred: Type.Optional(Type.Boolean({ description: 'Only those you starred' })),
  topic: Type.Optional(listOf(text(255), { description: 'Only those with all of these topics, separated by commas' })),
  visibility: Type.Optional(oneOf(VISIBILITIES)),
  archived: Type.Optional(Type.Boolean()),
  with_issues_enabled: Type.Optional(
    Type.Boolean({ description: 'Only those whose issues you may read; `false` narrows nothing' }),
  ),
  with_merge_requests_enabled: Type.Optional(
    Type.Boolean({ description: 'Only those whose merge requests you may read; `false` narrows nothing' }),
  ),
  last_activity_after: Type.Optional(instantOrDay('Only those where something happened after this time')),
  last_activity_before: Type.Optional(instantOrDay('Only those where nothing happened at this time or later')),
  min_access_level: Type.Optional(integer({ minimum: 0, maximum: 50 })),
  simple: Type.Boolean({ default: false, description: 'Fewer fields' }),
  // Clients that page by ids begin with 0.
  id_after: Type.Optional(identifierOrNone()),
  id_before: Type.Optional(identifierOrNone()),
  order_by: oneOf(['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'], { default: 'created_at' }),
  sort: oneOf(['asc', 'desc'], { default: 'desc' }),
};
type ListFilters = ParametersOf<typeof LIST_FILTERS>;

/** A list that nothing is asked of. */
export const LIST_DEFAULTS: ListFilters = {
  simple: false,
  search_namespaces: false,
  order_by: 'created_at',
  sort: 'desc',
};

/** What lists of projects have in common: their items are ready to be shown when they are read. */
export const LIST = { items: AnyProjectSchema, access: 'anyone', present: (shown: object) => shown } as const;

/** A page that is asked for. */
export interface AskedProjects {
  readonly actor: Actor;
  readonly parameters: ListFilters;
  readonly page: PageRequest;
}

/** One with all the fields that are shown. */
interface ShownProject {
  readonly id: number;
  readonly default_branch?: string | null;
}

const levelAsked = ({ owned, membership, min_access_level }: ListFilters): number | undefined => {
  const levels = [
    owned === true ? ACCESS_LEVEL.owner : 0,
    membership === true ? ACCESS_LEVEL.guest : 0,
    min_access_level ?? 0,
  ];
  const highest = Math.max(...levels);
  return highest === 0 ? undefined : highest;
};

/** What the parameters narrow a list by, but for who asks. */
const narrowing = (sent: ListFilters): Partial<ProjectQuery> => ({
  searchNamespaces: sent.search_namespaces,
  withIssues: sent.with_issues_enabled === true,
  withMergeRequests: sent.with_merge_requests_enabled === true,
  ...given({
    search: sent.search,
    topics: sent.topic && topicsIn(sent.topic),
    visibility: sent.visibility,
    archived: sent.archived,
    minAccessLevel: levelAsked(sent),
    activeAfter: timeIn(sent.last_activity_after),
    activeBefore: timeIn(sent.last_activity_before),
    idAfter: sent.id_after,
    idBefore: sent.id_before,
  }),
});

const NO_RELATIONS: ProjectRelations = { stars: 0, forks: 0, topics: [], isMirror: false };

const forCaller = (project: Project, levels: ProjectLevels, { admin }: Pick<Viewer, 'admin'>) => ({
  ...presentCiFile(project, levels, admin),
  ...presentPermissions(project, levels),
});

/** What branches are called is told to who may read the code. */
const withoutBranch = ({ default_branch: _hidden, ...rest }: ShownProject): ShownProject => rest;

const withoutHiddenBranches = (
  shown: readonly ShownProject[],
  listed: readonly ListedProject[],
  { admin }: Viewer,
): readonly ShownProject[] =>
  shown.map((one, index) => {
    const project = listed[index];
    if (project === undefined) return one;
    const level = admin ? ACCESS_LEVEL.owner : Math.max(project.directLevel, project.groupLevel);
    return isOffered(project, level, 'read_code') ? one : withoutBranch(one);
  });

const withPermissions = (
  shown: readonly ShownProject[],
  listed: readonly ListedProject[],
  viewer: Viewer,
): readonly ShownProject[] =>
  shown.map((one, index) => {
    const project = listed[index];
    return project === undefined ? one : { ...one, ...forCaller(project, project, viewer) };
  });

/** Projects as their routes answer them: in full, or with fewer fields where nobody is signed in. */
export class ShowProjects {
  constructor(private readonly parts: ShowProjectsParts) {}

  /** One project, with what the caller may do there. */
  async permitted(actor: Actor, permitted: PermittedProject<ProjectPermission>): Promise<object> {
    const { project } = permitted;
    const signedIn = actor.kind !== 'anonymous';
    const code = this.parts.access.alsoWhere(actor, permitted, 'read_code');
    const [[shown], readme, shared] = await Promise.all([
      this.#present(actor, [project], !signedIn),
      code === undefined ? null : this.#readmeUrl(code),
      signedIn ? this.parts.groupLinkReader.linksOf(this.parts.access.viewer(actor), project.id) : [],
    ]);
    const whole = { ...shown!, readme_url: readme };
    const one = code === undefined ? withoutBranch(whole) : whole;
    const viewer = this.parts.access.viewer(actor);
    return signedIn ? { ...one, ...presentSharedGroups(shared), ...forCaller(project, permitted, viewer) } : one;
  }

  async #readmeUrl(code: PermittedProject<'read_code'>): Promise<string | null> {
    const { readmes, urls } = this.parts;
    const { defaultBranch, fullPath } = code.project;
    if (defaultBranch === null) return null;
    const name = await readmes.of(code);
    return name === undefined ? null : urls.blob(fullPath, defaultBranch, name);
  }

  /** One that was just written. */
  async written(actor: Actor, id: ProjectId): Promise<object> {
    return this.permitted(actor, await this.parts.access.project(actor, String(id), 'read_project'));
  }

  /** A page of those that the caller sees. */
  async page(
    { actor, parameters, page }: AskedProjects,
    narrowed: Partial<ProjectQuery> = {},
  ): Promise<Page<ShownProject>> {
    const { access, reader } = this.parts;
    const { starred, simple } = parameters;
    const starredBy = starred === true ? (userIdOf(actor) ?? undefined) : undefined;
    const found = await reader.listProjects({
      viewer: access.viewer(actor),
      orderBy: parameters.order_by,
      sort: parameters.sort,
      page,
      ...narrowing(parameters),
      ...given({ starredBy }),
      ...narrowed,
    });
    const basic = simple || actor.kind === 'anonymous';
    const viewer = access.viewer(actor);
    const shown = withoutHiddenBranches(await this.#present(actor, found.items, basic), found.items, viewer);
    return { ...found, items: basic ? shown : withPermissions(shown, found.items, viewer) };
  }

  async #present(actor: Actor, projects: readonly Project[], basic: boolean): Promise<readonly ShownProject[]> {
    const { access, relations, withCode, openIssues, urls } = this.parts;
    const ids = projects.map(({ id }) => id);
    const viewer = access.viewer(actor);
    const [related, filled, open] = await Promise.all([
      relations.relationsOf(viewer, ids),
      basic ? undefined : withCode(ids),
      basic ? undefined : openIssues(viewer, ids),
    ]);
    const relationsOf = ({ id }: Project) => related.get(id) ?? NO_RELATIONS;
    if (filled === undefined)
      return projects.map((project) => presentBasicProject(project, urls, relationsOf(project)));
    const owners = await this.#ownersOf(projects);
    return projects.map((project) =>
      presentProject(project, urls, {
        owner: owners.get(project.namespace.path),
        openIssues: open?.get(project.id) ?? 0,
        empty: !filled.has(project.id),
        relations: relationsOf(project),
      }),
    );
  }

  /** Of projects in people's own namespaces, which are called as they are. */
  async #ownersOf(projects: readonly Project[]): Promise<ReadonlyMap<string, UserProfile>> {
    const usernames = projects.flatMap(({ namespace: { kind, path } }) => (kind === 'user' ? [path] : []));
    if (usernames.length === 0) return new Map();
    const { items } = await this.parts.users.list({
      usernames: [...new Set(usernames)],
      orderBy: 'id',
      sort: 'asc',
      page: { page: 1, perPage: usernames.length, counted: false },
    });
    return new Map(items.map((user) => [user.username, user]));
  }
}
