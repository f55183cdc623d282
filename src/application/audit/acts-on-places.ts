import type { Member } from '../../domain/workspace/namespace.js';
import { ACCESS_LEVEL_NAMES, type AccessLevel } from '../../domain/shared/access-level.js';
import type { GroupId, ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { Visibility } from '../../domain/shared/visibility.js';
import type { GroupLinkRepository } from '../workspace/ports/group-links.js';
import type {
  GroupRepository,
  MemberRepository,
  ProjectChanges,
  ProjectRepository,
} from '../workspace/ports/workspace-repositories.js';
import { told, type ActsOf } from './acts.js';
import type { AuditedAct, AuditFacts } from './ports/audit-ports.js';

const visibilityChange = (place: string, before: Visibility, after: Visibility | undefined): readonly AuditedAct[] =>
  after === undefined || after === before
    ? []
    : [{ kind: 'visibility_changed', place, detail: `${before} → ${after}` }];

/** The path with another last part. */
const renamed = (path: string, last: string): string => [...path.split('/').slice(0, -1), last].join('/');

const changesOfProject = async (
  facts: AuditFacts,
  id: ProjectId,
  { visibility, path, archived }: ProjectChanges,
): Promise<readonly AuditedAct[]> => {
  const before = await facts.project(id);
  if (before === undefined) return [];
  const place = before.path;
  const moved = path === undefined ? place : renamed(place, path);
  return [
    ...visibilityChange(place, before.visibility, visibility),
    ...told(moved === place ? undefined : { kind: 'project_moved', place, detail: `${place} → ${moved}` }),
    ...told(
      archived === undefined || archived === before.archived
        ? undefined
        : { kind: archived ? 'project_archived' : 'project_unarchived', place },
    ),
  ];
};

export const actsOnProjects: ActsOf<ProjectRepository> = {
  take: 'ordinary',
  add: {
    after: async (facts, id) => {
      const project = await facts.project(id);
      return told(project && { kind: 'project_created', place: project.path, detail: project.visibility });
    },
  },
  update: { before: changesOfProject },
  move: {
    before: async (facts, id, namespaceId) => {
      const project = await facts.project(id);
      const target = await facts.namespace(namespaceId);
      const name = project?.path.split('/').at(-1) ?? '';
      return told(
        project && {
          kind: 'project_moved',
          place: project.path,
          detail: `${project.path} → ${target?.path ?? ''}/${name}`,
        },
      );
    },
  },
  requestRemoval: {
    before: async (facts, id) => {
      const project = await facts.project(id);
      return told(project && { kind: 'project_removed', place: project.path });
    },
  },
  // The end of a removal that somebody asked for.
  remove: 'ordinary',
};

export const actsOnGroups: ActsOf<GroupRepository> = {
  take: 'ordinary',
  levelsIn: 'ordinary',
  add: {
    after: async (facts, id) => {
      const group = await facts.namespace(id);
      return told(group && { kind: 'group_created', place: group.path, detail: group.visibility });
    },
  },
  update: {
    before: async (facts, id, { visibility, path }) => {
      const before = await facts.namespace(id);
      if (before === undefined) return [];
      const moved = path === undefined ? before.path : renamed(before.path, path);
      return [
        ...visibilityChange(before.path, before.visibility, visibility),
        ...told(
          moved === before.path
            ? undefined
            : { kind: 'group_moved', place: before.path, detail: `${before.path} → ${moved}` },
        ),
      ];
    },
  },
  move: {
    before: async (facts, id, parentId) => {
      const group = await facts.namespace(id);
      if (group === undefined) return [];
      const parent = parentId === null ? undefined : await facts.namespace(parentId);
      const path = group.path.split('/').at(-1) ?? '';
      const moved = parent === undefined ? path : `${parent.path}/${path}`;
      return [{ kind: 'group_moved', place: group.path, detail: `${group.path} → ${moved}` }];
    },
  },
  requestRemoval: {
    before: async (facts, id) => {
      const group = await facts.namespace(id);
      return told(group && { kind: 'group_removed', place: group.path });
    },
  },
  projectsInside: 'ordinary',
  removeSome: 'ordinary',
};

type Holder = 'project' | 'group';

const named = async (facts: AuditFacts, holder: Holder, ownerId: number, userId: UserId) => {
  const [place, user] = [await facts.pathOf(holder, ownerId), await facts.user(userId)];
  return { ...(place === undefined ? {} : { place }), ...(user && { account: user.username }) };
};

const roleOf = ({ accessLevel, expiresAt }: Pick<Member, 'accessLevel' | 'expiresAt'>): string => {
  const role = ACCESS_LEVEL_NAMES[accessLevel as AccessLevel];
  return expiresAt === null ? role : `${role}, until ${expiresAt}`;
};

const actsOnMembers = <Id extends GroupId | ProjectId>(holder: Holder): ActsOf<MemberRepository<Id>> => ({
  find: 'ordinary',
  add: {
    before: async (facts, ownerId, member) => [
      { kind: 'member_added', ...(await named(facts, holder, ownerId, member.userId)), detail: roleOf(member) },
    ],
  },
  update: {
    before: async (facts, ownerId, userId, changes) => [
      { kind: 'member_changed', ...(await named(facts, holder, ownerId, userId)), detail: roleOf(changes) },
    ],
  },
  remove: {
    before: async (facts, ownerId, userId) => [
      { kind: 'member_removed', ...(await named(facts, holder, ownerId, userId)) },
    ],
  },
  removeExpired: {
    after: async (facts, ended) => {
      const acts: AuditedAct[] = [];
      for (const { ownerId, userId } of ended)
        acts.push({ kind: 'member_expired', ...(await named(facts, holder, ownerId, userId)) });
      return acts;
    },
  },
});

const linked = async (facts: AuditFacts, projectId: ProjectId, groupId: GroupId) => {
  const [place, subject] = [await facts.pathOf('project', projectId), await facts.pathOf('group', groupId)];
  return { ...(place === undefined ? {} : { place }), ...(subject === undefined ? {} : { subject }) };
};

export const actsOnGroupLinks: ActsOf<GroupLinkRepository> = {
  hold: 'ordinary',
  count: 'ordinary',
  add: {
    before: async (facts, link) => [
      { kind: 'project_shared', ...(await linked(facts, link.projectId, link.groupId)), detail: roleOf(link) },
    ],
  },
  remove: {
    before: async (facts, projectId, groupId) => [
      { kind: 'project_unshared', ...(await linked(facts, projectId, groupId)) },
    ],
  },
  removeExpired: {
    after: async (facts, ended) => {
      const acts: AuditedAct[] = [];
      for (const { projectId, groupId } of ended)
        acts.push({ kind: 'project_share_expired', ...(await linked(facts, projectId, groupId)) });
      return acts;
    },
  },
};

export const actsOnGroupMembers = actsOnMembers<GroupId>('group');
export const actsOnProjectMembers = actsOnMembers<ProjectId>('project');
