import { ContainerModule } from 'inversify';
import { Groups } from '../../application/workspace/groups.js';
import { Members } from '../../application/workspace/members.js';
import { Projects } from '../../application/workspace/projects.js';
import { WorkspaceAccess } from '../../application/workspace/workspace-access.js';
import { KnexWorkspaceReader } from '../../adapters/outbound/persistence/knex/workspace/knex-workspace-reader.js';
import { TOKENS } from './tokens.js';

export const workspaceModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.workspace).toResolvedValue(
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
