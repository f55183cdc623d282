import { ContainerModule } from 'inversify';
import type { ActivityRepository } from '../../application/activity/ports/activity-repository.js';
import { Groups } from '../../application/workspace/groups.js';
import { Members } from '../../application/workspace/members.js';
import { Projects } from '../../application/workspace/projects.js';
import { WorkspaceAccess } from '../../application/workspace/workspace-access.js';
import { createGroupRoutes } from '../../adapters/inbound/http/api-v4/groups/group-routes.js';
import { createMemberRoutes } from '../../adapters/inbound/http/api-v4/members/member-routes.js';
import { createProjectRoutes } from '../../adapters/inbound/http/api-v4/projects/project-routes.js';
import { addWorkspacePages } from '../../adapters/inbound/http/pages/workspace-pages.js';
import { KnexWorkspaceReader } from '../../adapters/outbound/persistence/knex/workspace/knex-workspace-reader.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Context } from './context.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { TOKENS } from './tokens.js';
import { workspaceStorage } from './workspace.storage.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const workspaceModule = new ContainerModule(({ bind }) => {
  bind(WORKSPACE_TOKENS.workspace).toResolvedValue(
    (database, unitOfWork, clock, jobLoop) => {
      const reader = new KnexWorkspaceReader(database.reader);
      const access = new WorkspaceAccess(reader, clock);
      const jobsAreDue = () => jobLoop.nudge();
      return {
        reader,
        access,
        groups: new Groups(unitOfWork, clock, jobsAreDue),
        projects: new Projects(unitOfWork, clock, jobsAreDue),
        members: new Members(unitOfWork, clock),
      };
    },
    [TOKENS.database, TOKENS.unitOfWork, TOKENS.clock, TOKENS.jobLoop],
  );
});

/** Projects, or groups, that one step of a removal takes. */
const REMOVED_AT_ONCE = 50;
/** Entries of the feed that one step takes. */
const EVENTS_REMOVED_AT_ONCE = 1_000;

/** False while there may be more of them. */
const forgetActivity = async (activity: ActivityRepository, projectIds: readonly ProjectId[]): Promise<boolean> => {
  for (const id of projectIds)
    if ((await activity.removeOfProject(id, EVENTS_REMOVED_AT_ONCE)) === EVENTS_REMOVED_AT_ONCE) return false;
  return true;
};

/** Groups, projects and their members. */
export const workspaceContext: Context<typeof workspaceStorage> = {
  storage: workspaceStorage,
  modules: [workspaceModule],
  routes: (get) => {
    const parts = { ...get(WORKSPACE_TOKENS.workspace), urls: get(TOKENS.webUrls) };
    const { users } = get(IDENTITY_TOKENS.identityReaders);
    return [...createGroupRoutes(parts), ...createProjectRoutes({ ...parts, users }), ...createMemberRoutes(parts)];
  },
  pagesOfAnyPath: (get) => (pages) => {
    const { users } = get(IDENTITY_TOKENS.identityReaders);
    addWorkspacePages(pages, { ...get(WORKSPACE_TOKENS.workspace), users });
  },
  jobs: () => ({
    remove_project: async ({ projects, activity }, id) => {
      if (!(await forgetActivity(activity, [id]))) return 'more';
      await projects.remove(id);
      return 'done';
    },
    remove_group: async ({ groups, activity }, id) => {
      if (!(await forgetActivity(activity, await groups.projectsInside(id, REMOVED_AT_ONCE)))) return 'more';
      return (await groups.removeSome(id, REMOVED_AT_ONCE)) ? 'done' : 'more';
    },
  }),
  cleanUp: (get) => async (stopping) => {
    const removed = await get(WORKSPACE_TOKENS.workspace).members.removeExpired(stopping);
    get(TOKENS.metrics).count('expired_rows_removed_total', { table: 'members' }, removed);
  },
};
