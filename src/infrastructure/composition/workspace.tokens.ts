import type { ForkNetwork } from '../../application/workspace/fork-network.js';
import type { AccessRequests } from '../../application/workspace/access-requests.js';
import type { Forks } from '../../application/workspace/forks.js';
import type { GroupLinks } from '../../application/workspace/group-links.js';
import type { GroupTransfers } from '../../application/workspace/group-transfers.js';
import type { Groups } from '../../application/workspace/groups.js';
import type { Members } from '../../application/workspace/members.js';
import type { AccessRequestReader } from '../../application/workspace/ports/access-requests.js';
import type { WorkspaceReader } from '../../application/workspace/ports/workspace-readers.js';
import type { FormerPaths } from '../../application/workspace/ports/former-paths.js';
import type { GroupLinkReader } from '../../application/workspace/ports/group-links.js';
import type { ProjectRelationsReader } from '../../application/workspace/ports/project-relations.js';
import type { TopicReader } from '../../application/workspace/ports/topic-reader.js';
import type { Projects } from '../../application/workspace/projects.js';
import type { Stars } from '../../application/workspace/stars.js';
import type { WorkspaceAccess } from '../../application/workspace/workspace-access.js';
import type { Repositories } from './storages.js';
import { token } from './token.js';

/** Groups, projects and their members. */
export interface WorkspaceUseCases {
  readonly reader: WorkspaceReader;
  readonly access: WorkspaceAccess;
  readonly groups: Groups;
  readonly groupTransfers: GroupTransfers;
  readonly projects: Projects<Repositories>;
  readonly members: Members;
  readonly accessRequests: AccessRequests;
  readonly accessRequestReader: AccessRequestReader;
  readonly groupLinks: GroupLinks;
  readonly groupLinkReader: GroupLinkReader;
  readonly forks: Forks;
  readonly forkNetwork: ForkNetwork;
  readonly stars: Stars;
  readonly relations: ProjectRelationsReader;
  readonly topics: TopicReader;
  readonly formerPaths: FormerPaths;
}

export const WORKSPACE_TOKENS = {
  workspace: token<WorkspaceUseCases>('WorkspaceUseCases'),
} as const;
