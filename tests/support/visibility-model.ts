import fc from 'fast-check';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import { feedOf } from '../../src/adapters/outbound/persistence/knex/activity/activity-row.js';
import type { GroupId, NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { VISIBILITIES, type Visibility } from '../../src/domain/shared/visibility.js';

export const TODAY = '2026-03-01';
const AT = new Date('2026-03-01T12:00:00.000Z');

/** People have the numbers from 1; their own namespaces too, and groups follow them. The first is an administrator. */
export const PEOPLE = [1, 2, 3] as readonly number[] as readonly UserId[];

interface Membership<Id extends number = number> {
  readonly of: Id;
  readonly user: UserId;
  readonly level: number;
  readonly end: string | null;
}
interface Project {
  readonly id: ProjectId;
  readonly namespace: NamespaceId;
  readonly visibility: Visibility;
  readonly goes: boolean;
  readonly author: UserId;
  readonly assignee: UserId;
}

/** A project that is shared with a group. */
interface Link {
  readonly of: ProjectId;
  readonly group: GroupId;
  readonly level: number;
  readonly end: string | null;
}

/** Groups, projects, memberships and links, with an ordinary issue and a confidential one in each project. */
export interface World {
  readonly groups: readonly {
    readonly id: GroupId;
    readonly parent: GroupId | null;
    readonly visibility: Visibility;
  }[];
  readonly projects: readonly Project[];
  readonly ofGroups: readonly Membership<GroupId>[];
  readonly ofProjects: readonly Membership<ProjectId>[];
  readonly links: readonly Link[];
}

const membership = fc.record({
  of: fc.nat(5),
  user: fc.constantFrom(...PEOPLE),
  level: fc.constantFrom(10, 20, 30, 40),
  // The day itself is the first without the membership.
  end: fc.constantFrom(null, '2026-02-28', TODAY, '2026-03-02'),
});

const link = fc.record({
  of: fc.nat(4),
  group: fc.nat(4),
  level: fc.constantFrom(10, 20, 30, 40),
  end: fc.constantFrom(null, TODAY, '2026-03-02'),
});

const once = <Id extends number>(memberships: readonly Membership<Id>[]): readonly Membership<Id>[] => [
  ...new Map(memberships.map((each) => [`${each.of} ${each.user}`, each])).values(),
];

/** A tree that may be deep, and whose projects lie in groups and in people's own namespaces. */
export const worlds: fc.Arbitrary<World> = fc
  .record({
    groups: fc.array(fc.record({ parent: fc.option(fc.nat(4)), visibility: fc.constantFrom(...VISIBILITIES) }), {
      minLength: 1,
      maxLength: 5,
    }),
    projects: fc.array(
      fc.record({
        namespace: fc.nat(7),
        visibility: fc.constantFrom(...VISIBILITIES),
        goes: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
        author: fc.constantFrom(...PEOPLE),
        assignee: fc.constantFrom(...PEOPLE),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    ofGroups: fc.array(membership, { maxLength: 6 }),
    ofProjects: fc.array(membership, { maxLength: 4 }),
    links: fc.array(link, { maxLength: 6 }),
  })
  .map(({ groups, projects, ofGroups, ofProjects, links }) => {
    const first = PEOPLE.length + 1;
    const placed = links.map((each) => ({
      ...each,
      of: ((each.of % projects.length) + 1) as ProjectId,
      group: (first + (each.group % groups.length)) as GroupId,
    }));
    return {
      // Only an earlier group holds a later one.
      groups: groups.map(({ parent, visibility }, index) => ({
        id: (first + index) as GroupId,
        parent: parent === null || index === 0 ? null : ((first + (parent % index)) as GroupId),
        visibility,
      })),
      projects: projects.map(({ namespace, ...project }, index) => ({
        ...project,
        id: (index + 1) as ProjectId,
        namespace: ((namespace % (PEOPLE.length + groups.length)) + 1) as NamespaceId,
      })),
      ofGroups: once(ofGroups.map((each) => ({ ...each, of: (first + (each.of % groups.length)) as GroupId }))),
      ofProjects: once(ofProjects.map((each) => ({ ...each, of: ((each.of % projects.length) + 1) as ProjectId }))),
      links: [...new Map(placed.map((each) => [`${each.of} ${each.group}`, each])).values()],
    };
  });

/** The slow and obvious answers. */
export class Model {
  constructor(private readonly world: World) {}

  levelInNamespace(id: number, user: number | null): number {
    const group = this.world.groups.find((each) => each.id === id);
    if (group === undefined) return id === user ? 50 : 0;
    const above = group.parent === null ? 0 : this.levelInNamespace(group.parent, user);
    return Math.max(above, this.#level(this.world.ofGroups, id, user));
  }

  level(project: Project, user: number | null): number {
    const { namespace } = project;
    return Math.max(
      this.directLevel(project, user),
      this.sharedLevel(project, user),
      this.levelInNamespace(namespace, user),
    );
  }

  sharedLevel({ id }: Project, user: number | null): number {
    const links = this.world.links.filter(({ of, end }) => of === id && (end === null || end > TODAY));
    return Math.max(0, ...links.map(({ group, level }) => Math.min(level, this.levelInNamespace(group, user))));
  }

  directLevel({ id }: Project, user: number | null): number {
    return this.#level(this.world.ofProjects, id, user);
  }

  seesGroup({ id, visibility }: World['groups'][number], user: number | null, admin: boolean): boolean {
    return admin || this.#isOpen(visibility, user) || this.levelInNamespace(id, user) > 0;
  }

  sees(project: Project, user: number | null, admin: boolean): boolean {
    if (project.goes) return false;
    return admin || this.#isOpen(project.visibility, user) || this.level(project, user) > 0;
  }

  seesConfidential(project: Project, user: number | null, admin: boolean): boolean {
    if (!this.sees(project, user, admin)) return false;
    return admin || this.level(project, user) >= 20 || [project.author, project.assignee].some((id) => id === user);
  }

  #isOpen(visibility: Visibility, user: number | null): boolean {
    return visibility === 'public' || (visibility === 'internal' && user !== null);
  }

  #level(memberships: readonly Membership[], of: number, user: number | null): number {
    const own = memberships.find((each) => each.of === of && each.user === user);
    return own === undefined || (own.end !== null && own.end <= TODAY) ? 0 : own.level;
  }
}

const EMPTIED = ['activity_events', 'confidential_feeds', 'users', 'namespaces'] as const;

/** The ids of the issues of a project; so are those of the entries about them. */
export const issuesOf = ({ id }: Pick<Project, 'id'>) => ({ ordinary: id * 2, confidential: id * 2 + 1 });

/** Puts a world into a database, in the place of the one before. */
export const settle = async ({ schema, reader }: Database, world: World): Promise<void> => {
  const at = reader.dialect.writeInstant(AT);
  const dated = { created_at: at, updated_at: at };
  for (const table of EMPTIED) await schema(table).delete();
  for (const id of PEOPLE) {
    const name = `user-${id}`;
    const names = { name, username: name, username_key: name, search_key: name };
    await schema('users').insert({
      ...{ id, ...names, state: 'active', admin: id === 1, failed_attempts: 0, created_at: at },
    });
  }
  const namespaces = [
    ...PEOPLE.map((id) => ({
      id: Number(id) as NamespaceId,
      kind: 'user' as const,
      owner_id: id,
      parent_id: null,
      visibility: 'public' as const,
    })),
    ...world.groups.map(({ id, parent: parent_id, visibility }) => ({
      ...{ id, kind: 'group' as const, owner_id: null, parent_id, visibility },
    })),
  ];
  for (const namespace of namespaces) {
    const name = `namespace-${namespace.id}`;
    const names = { name, name_key: name, path: name, full_path: name, full_path_key: name, full_name: name };
    await schema('namespaces').insert({ ...namespace, ...names, description: '', ...dated });
  }
  for (const project of world.projects) await settleProject({ schema, reader }, project);
  for (const { of: namespace_id, user: user_id, level: access_level, end: expires_at } of world.ofGroups)
    await schema('group_members').insert({ namespace_id, user_id, access_level, expires_at, created_at: at });
  for (const { of: project_id, user: user_id, level: access_level, end: expires_at } of world.ofProjects)
    await schema('project_members').insert({ project_id, user_id, access_level, expires_at, created_at: at });
  for (const { of: project_id, group: group_id, level: access_level, end: expires_at } of world.links)
    await schema('project_group_links').insert({ project_id, group_id, access_level, expires_at, created_at: at });
};

const settleProject = async (
  { schema, reader }: Pick<Database, 'schema' | 'reader'>,
  project: Project,
): Promise<void> => {
  const at = reader.dialect.writeInstant(AT);
  const name = `project-${project.id}`;
  const dated = { created_at: at, updated_at: at };
  const { id, namespace: namespace_id, visibility, author: author_id, assignee: user_id } = project;
  await schema('projects').insert({
    ...{ id, namespace_id, visibility, name, name_key: name, path: name, full_path: name, full_path_key: name },
    ...{ search_key: name, archived: false, merge_when_pipeline_succeeds: false, last_activity_at: at, ...dated },
    removal_requested_at: project.goes ? at : null,
  });
  await schema('confidential_feeds').insert({ feed: feedOf(id, true) });
  for (const [confidential, issue_id] of [
    [false, issuesOf(project).ordinary],
    [true, issuesOf(project).confidential],
  ] as const) {
    await schema('subjects').insert({ id: issue_id, kind: 'issue', project_id: id });
    await schema('issues').insert({
      ...{ id: issue_id, project_id: id, iid: issue_id, kind: 'issue', title: name, description: '', search_key: name },
      ...{ state: 'opened', confidential, author_id, ...dated },
    });
    await schema('issue_assignees').insert({ issue_id, user_id });
    await schema('activity_events').insert({
      ...{ id: issue_id, feed: feedOf(id, confidential), author_id, action: 1, target_type: 1, target_id: issue_id },
      ...{ subject_id: issue_id, created_at: at },
    });
  }
};
