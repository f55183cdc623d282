import { ContainerModule } from 'inversify';
import { AccessRequests } from '../../application/workspace/access-requests.js';
import { ForkNetwork } from '../../application/workspace/fork-network.js';
import { Forks } from '../../application/workspace/forks.js';
import { GroupLinks } from '../../application/workspace/group-links.js';
import { GroupTransfers } from '../../application/workspace/group-transfers.js';
import { Groups } from '../../application/workspace/groups.js';
import { Members } from '../../application/workspace/members.js';
import { Projects } from '../../application/workspace/projects.js';
import { Removals } from '../../application/workspace/removals.js';
import { Stars } from '../../application/workspace/stars.js';
import { WorkspaceAccess } from '../../application/workspace/workspace-access.js';
import { createGroupRoutes } from '../../adapters/inbound/http/api-v4/groups/group-routes.js';
import { createAccessRequestRoutes } from '../../adapters/inbound/http/api-v4/members/access-request-routes.js';
import { createMemberRoutes } from '../../adapters/inbound/http/api-v4/members/member-routes.js';
import { createNamespaceRoutes } from '../../adapters/inbound/http/api-v4/namespaces/namespace-routes.js';
import { createTopicRoutes } from '../../adapters/inbound/http/api-v4/topics/topic-routes.js';
import { createArchiveRoutes } from '../../adapters/inbound/http/api-v4/projects/archive-routes.js';
import { createForkRoutes } from '../../adapters/inbound/http/api-v4/projects/fork-routes.js';
import { createProjectRoutes } from '../../adapters/inbound/http/api-v4/projects/project-routes.js';
import { createShareRoutes } from '../../adapters/inbound/http/api-v4/projects/share-routes.js';
import { createStarRoutes } from '../../adapters/inbound/http/api-v4/projects/star-routes.js';
import { BadgesOfProject } from '../../adapters/inbound/http/pages/badges/badges-of-project.js';
import { CodeOverview } from '../../adapters/inbound/http/pages/code/code-overview.js';
import { addPublicKeysFile } from '../../adapters/inbound/http/pages/public-keys-file.js';
import { addStartPage } from '../../adapters/inbound/http/pages/start-page.js';
import { addWorkspacePages } from '../../adapters/inbound/http/pages/workspace-pages.js';
import { KnexAccessRequestReader } from '../../adapters/outbound/persistence/knex/workspace/knex-access-request-repository.js';
import { KnexFormerPaths } from '../../adapters/outbound/persistence/knex/workspace/knex-former-paths.js';
import { KnexGroupLinkReader } from '../../adapters/outbound/persistence/knex/workspace/knex-group-link-reader.js';
import { KnexProjectRelationsReader } from '../../adapters/outbound/persistence/knex/workspace/knex-project-relations-reader.js';
import { KnexTopicReader } from '../../adapters/outbound/persistence/knex/workspace/knex-topic-reader.js';
import { KnexWorkspaceReader } from '../../adapters/outbound/persistence/knex/workspace/knex-workspace-reader.js';
import { CODE_IMPORTS } from './code-imports.js';
import type { Context } from './context.js';
import { ACTIVITY_TOKENS } from './activity.tokens.js';
import { ALERT_TOKENS } from './alerts.tokens.js';
import { BADGE_TOKENS } from './badges.tokens.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { INVITATION_TOKENS } from './invitations.tokens.js';
import { markdownBy } from './markdown-by.js';
import { MIRROR_TOKENS } from './mirrors.tokens.js';
import { PLANNING_TOKENS } from './planning.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { KEY_TOKENS } from './keys.tokens.js';
import { REVIEW_TOKENS } from './review.tokens.js';
import { shownProjects } from './shown-projects.js';
import { TOKENS } from './tokens.js';
import { workspaceStorage } from './workspace.storage.js';
import { TEMPLATE_TOKENS } from './templates.tokens.js';
import { PACKAGE_TOKENS } from './packages.tokens.js';
import { PIPELINE_TOKENS } from './pipelines.tokens.js';
import { UPLOAD_TOKENS } from './uploads.tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const workspaceModule = new ContainerModule(({ bind }) => {
  bind(WORKSPACE_TOKENS.workspace).toResolvedValue(
    (database, unitOfWork, clock, jobLoop) => {
      const reader = new KnexWorkspaceReader(database.reader);
      const access = new WorkspaceAccess(reader, clock);
      const relations = new KnexProjectRelationsReader(database.reader);
      const jobsAreDue = () => jobLoop.nudge();
      const members = new Members(unitOfWork, clock);
      return {
        reader,
        access,
        groups: new Groups(unitOfWork, clock, jobsAreDue),
        groupTransfers: new GroupTransfers(unitOfWork, clock),
        projects: new Projects(unitOfWork, clock, jobsAreDue),
        members,
        accessRequests: new AccessRequests(unitOfWork, members, clock),
        accessRequestReader: new KnexAccessRequestReader(database.reader),
        groupLinks: new GroupLinks(unitOfWork, clock),
        groupLinkReader: new KnexGroupLinkReader(database.reader),
        forks: new Forks(unitOfWork, clock),
        stars: new Stars(unitOfWork, clock),
        relations,
        forkNetwork: new ForkNetwork(access, relations),
        topics: new KnexTopicReader(database.reader),
        formerPaths: new KnexFormerPaths(database.reader),
      };
    },
    [TOKENS.database, TOKENS.unitOfWork, TOKENS.clock, TOKENS.jobLoop],
  );
});

/** Groups, projects and their members. */
export const workspaceContext: Context<typeof workspaceStorage> = {
  storage: workspaceStorage,
  modules: [workspaceModule],
  routes: (get) => {
    const parts = { ...get(WORKSPACE_TOKENS.workspace), urls: get(TOKENS.webUrls) };
    const { beginCode } = get(REPOSITORY_TOKENS.repositories);
    const { codeImports } = get(CODE_IMPORTS);
    const { pullMirrors, pullMirrorReader } = get(MIRROR_TOKENS.mirrors);
    const { codeStatistics, licenseFiles } = get(REPOSITORY_TOKENS.codeReading);
    const recognizeLicense = get(TEMPLATE_TOKENS.recognizeLicense);
    const files = {
      ...get(UPLOAD_TOKENS.uploads),
      ...get(PIPELINE_TOKENS.pipelines),
      packageReader: get(PACKAGE_TOKENS.packages).packageReader,
    };
    const shown = { ...parts, ...shownProjects(get) };
    return [
      ...createGroupRoutes(parts),
      ...createProjectRoutes({
        ...shown,
        ...files,
        beginCode,
        codeImports,
        pullMirrors,
        pullMirrorReader,
        codeStatistics,
        licenseFiles,
        recognizeLicense,
      }),
      ...createArchiveRoutes(shown),
      ...createStarRoutes(shown),
      ...createForkRoutes(shown),
      ...createShareRoutes(parts),
      ...createMemberRoutes(parts),
      ...createAccessRequestRoutes(parts),
      ...createNamespaceRoutes(parts),
      ...createTopicRoutes(parts),
    ];
  },
  pages: (get) => (pages) => {
    const { users } = get(IDENTITY_TOKENS.identityReaders);
    const parts = { ...get(WORKSPACE_TOKENS.workspace), ...get(PLANNING_TOKENS.planning), users };
    // Before the page of a person, whose path is any name.
    addPublicKeysFile(pages, { users, ...get(KEY_TOKENS.keys), clock: get(TOKENS.clock), urls: get(TOKENS.webUrls) });
    const address = get(TOKENS.publicAddress);
    const { smtpUrl, backupSchedule } = get(TOKENS.config);
    addStartPage(pages, {
      ...parts,
      ...get(ALERT_TOKENS.alerts),
      mergeRequestReader: get(REVIEW_TOKENS.review).mergeRequestReader,
      ...get(ACTIVITY_TOKENS.activity),
      clock: get(TOKENS.clock),
      installation: () => ({
        baseUrl: address.baseUrl,
        hasMail: smtpUrl !== undefined,
        hasBackups: backupSchedule !== undefined,
      }),
    });
  },
  pagesOfAnyPath: (get) => (pages) => {
    const { users } = get(IDENTITY_TOKENS.identityReaders);
    const code = get(REPOSITORY_TOKENS.codePages);
    const codeOverview = new CodeOverview({ ...code, markdown: markdownBy(get, code.markup) });
    const { smtpUrl, signUp } = get(TOKENS.config);
    addWorkspacePages(pages, {
      ...get(WORKSPACE_TOKENS.workspace),
      invitations: get(INVITATION_TOKENS.invitations).invitations,
      users,
      codeOverview,
      badgesOfProject: new BadgesOfProject({
        ...get(WORKSPACE_TOKENS.workspace),
        ...get(BADGE_TOKENS.badges),
        urls: get(TOKENS.webUrls),
      }),
      ...get(CODE_IMPORTS),
      mailIsSetUp: smtpUrl !== undefined,
      invitesByMail: signUp !== 'off',
    });
  },
  jobs: (get) => {
    const contexts = get(TOKENS.contexts);
    const removals = new Removals(
      contexts.flatMap(({ forgetProject }) => forgetProject ?? []),
      contexts.flatMap(({ forgetGroup }) => forgetGroup ?? []),
    );
    return {
      remove_project: (repositories, id) => removals.removeProject(repositories, id),
      remove_group: (repositories, id) => removals.removeGroup(repositories, id),
    };
  },
  cleanUp: (get) => async (stopping) => {
    const { members, groupLinks } = get(WORKSPACE_TOKENS.workspace);
    const count = (table: string, removed: number) =>
      get(TOKENS.metrics).count('expired_rows_removed_total', { table }, removed);
    count('members', await members.removeExpired(stopping));
    count('project_group_links', await groupLinks.removeExpired(stopping));
  },
};
