import type { GroupId, ProjectId } from '../../domain/shared/identifiers.js';
import type { Subscriber } from '../shared/domain-events.js';
import type { NamespaceRepository } from './ports/namespace-repository.js';
import type { MemberRepository } from './ports/workspace-repositories.js';

interface Needs {
  readonly namespaces: NamespaceRepository;
  readonly groupMembers: MemberRepository<GroupId>;
  readonly projectMembers: MemberRepository<ProjectId>;
}

/** A bot is a member for as long as it has its token. */
export const membershipsFollowBots: Subscriber<Needs> = async (event, { namespaces, groupMembers, projectMembers }) => {
  if (event.kind !== 'bot_retired') return;
  const { place, accountId } = event;
  if (place.kind === 'project') {
    await projectMembers.remove(place.id, accountId);
    return;
  }
  await namespaces.takeTrees([place.id]);
  await groupMembers.remove(place.id, accountId);
};
