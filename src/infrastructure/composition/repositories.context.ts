import { setTimeout as sleep } from 'node:timers/promises';
import { ContainerModule } from 'inversify';
import { AskForHousekeeping } from '../../application/repositories/ask-for-housekeeping.js';
import { FetchCounts } from '../../application/repositories/fetch-counts.js';
import { Snapshots } from '../../application/repositories/snapshots.js';
import { AdvertiseRefs } from '../../application/repositories/advertise-refs.js';
import { BeginCode } from '../../application/repositories/begin-code.js';
import { Branches } from '../../application/repositories/browse/branches.js';
import { Changelogs } from '../../application/repositories/browse/changelogs.js';
import { CodeStatistics } from '../../application/repositories/browse/code-statistics.js';
import { Comparisons } from '../../application/repositories/browse/comparisons.js';
import { Languages } from '../../application/repositories/browse/languages.js';
import { DescriptionTemplates } from '../../application/repositories/browse/description-templates.js';
import { LicenseFiles } from '../../application/repositories/browse/license-files.js';
import { NamedCommits } from '../../application/repositories/browse/named-commits.js';
import { Readmes } from '../../application/repositories/browse/readmes.js';
import { Revisions } from '../../application/repositories/browse/revisions.js';
import { RootFiles } from '../../application/repositories/browse/root-files.js';
import { Tags } from '../../application/repositories/browse/tags.js';
import { LocateCode } from '../../application/repositories/locate-code.js';
import { ChangeCode } from '../../application/repositories/operations/change-code.js';
import { BringCommits } from '../../application/repositories/operations/bring-commits.js';
import { CopyCode } from '../../application/repositories/copy-code.js';
import { CheckRepositories } from '../../application/repositories/check-repositories.js';
import { Housekeeping } from '../../application/repositories/housekeeping.js';
import { KeepStores } from '../../application/repositories/keep-stores.js';
import { LandChanges } from '../../application/repositories/land-changes.js';
import { MoveRefs } from '../../application/repositories/move-refs.js';
import { OpenRepository } from '../../application/repositories/open-repository.js';
import { ProtectedRefs } from '../../application/repositories/protected-refs.js';
import { FindContainingRefs } from '../../application/repositories/browse/find-containing-refs.js';
import { ProjectRefs } from '../../application/repositories/project-refs.js';
import { ReceivePush } from '../../application/repositories/receive-push.js';
import { ServeFetch } from '../../application/repositories/serve-fetch.js';
import { createCodeReadingRoutes } from '../../adapters/inbound/http/api-v4/repository/read-routes.js';
import { createRepositoryUpkeepRoutes } from '../../adapters/inbound/http/api-v4/repository/upkeep.js';
import { writingRoutes } from './code-writing-routes.js';
import { addReleasePages } from '../../adapters/inbound/http/pages/releases/release-pages.js';
import { answerGoImport } from '../../adapters/inbound/http/pages/code/go-import.js';
import { addCodePages } from '../../adapters/inbound/http/pages/code/code-pages.js';
import { addRepositorySettingsPage } from '../../adapters/inbound/http/pages/code/repository-settings-page.js';
import { LastCommits } from '../../adapters/inbound/http/pages/code/last-commits.js';
import { Markup } from '../../adapters/inbound/http/pages/code/markup.js';
import { JobLoop } from '../../adapters/inbound/scheduler/job-loop.js';
import { KnexFetchDayRepository } from '../../adapters/outbound/persistence/knex/repositories/knex-fetch-day-repository.js';
import { KnexProtectedRefRepository } from '../../adapters/outbound/persistence/knex/repositories/knex-protected-ref-repository.js';
import { KnexRepositoryCheckRepository } from '../../adapters/outbound/persistence/knex/repositories/knex-repository-check-repository.js';
import { KnexHousekeepingRepository } from '../../adapters/outbound/persistence/knex/repositories/knex-housekeeping-repository.js';
import { KnexStaleRefRepository } from '../../adapters/outbound/persistence/knex/repositories/knex-stale-ref-repository.js';
import { KnexReleaseReader } from '../../adapters/outbound/persistence/knex/repositories/knex-release-reader.js';
import { KnexMergeOrigins } from '../../adapters/outbound/persistence/knex/review/knex-merge-origins.js';
import { KnexRefReader } from '../../adapters/outbound/persistence/knex/repositories/knex-ref-reader.js';
import { compileNamePattern } from '../../adapters/outbound/regex/name-patterns.js';
import { COLLABORATION_TOKENS } from './collaboration.tokens.js';
import { composeCodeWorks } from './code-works.js';
import { gitHttpModule } from './git-over-http.js';
import { composeSshServer } from './git-over-ssh.js';
import { PLANNING_TOKENS } from './planning.tokens.js';
import { composeCodeWriting } from './code-writing.js';
import { codeImportsModule, importLoop } from './code-imports.js';
import { openConfiguredStores } from './configured-stores.js';
import type { Context } from './context.js';
import { ENVIRONMENT_TOKENS } from './environments.tokens.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { KEY_TOKENS } from './keys.tokens.js';
import { repositoriesStorage } from './repositories.storage.js';
import { markdownBy } from './markdown-by.js';
import { oneNodeAtATime } from './one-node-at-a-time.js';
import { PIPELINE_TOKENS } from './pipelines.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { REVIEW_TOKENS } from './review.tokens.js';
import { mayStillFork } from './rights-since.js';
import { EVERY_HOUR, EVERY_MINUTE, EVERY_TEN_SECONDS } from './schedules.js';
import { TEMPLATE_TOKENS } from './templates.tokens.js';
import { TOKENS } from './tokens.js';
import { UPLOAD_TOKENS } from './uploads.tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const repositoriesModule = new ContainerModule(({ bind }) => {
  bind(REPOSITORY_TOKENS.gitStores).toResolvedValue(openConfiguredStores, [TOKENS.config]);
  bind(REPOSITORY_TOKENS.repositories).toResolvedValue(
    (get, { reader, primary = reader }, unitOfWork, stores, secrecy, clock, counters, logger) => {
      const { intake, keeper, maintenance, packs, projector, objects, history } = stores;
      const refReader = new KnexRefReader(reader);
      const openRepository = new OpenRepository(unitOfWork, refReader, keeper, secrecy, clock);
      // Whoever asks joins what others have asked for, whatever these read from.
      const staleRefs = new KnexStaleRefRepository(primary);
      const { secrets } = secrecy;
      const projectRefs = new ProjectRefs({ unitOfWork, staleRefs, projector, secrets, clock, pause: sleep, logger });
      const protectedRefs = new KnexProtectedRefRepository(reader);
      const moveRefs = new MoveRefs(unitOfWork, refReader, protectedRefs, clock);
      const revisions = new Revisions(refReader, objects, keeper);
      const releaseReader = new KnexReleaseReader(reader);
      const browsing = { revisions, refs: refReader, objects, history, protectedRefs, releases: releaseReader };
      const fetchCounts = new FetchCounts(unitOfWork, new KnexFetchDayRepository(reader), clock);
      const landChanges = new LandChanges({ moveRefs, projectRefs, counters, logger });
      const changing = { openRepository, landChanges, moveRefs, clock };
      return {
        refReader,
        openRepository,
        beginCode: new BeginCode({ keeper, intake, objects, projectRefs, secrecy, clock }),
        projectRefs,
        containingRefs: new FindContainingRefs(projectRefs, history),
        moveRefs,
        landChanges,
        changeCode: new ChangeCode({ ...changing, unitOfWork, intake, objects, projectRefs }),
        advertiseRefs: new AdvertiseRefs(refReader),
        serveFetch: new ServeFetch(refReader, projectRefs, keeper, packs, fetchCounts),
        fetchCounts,
        askForHousekeeping: new AskForHousekeeping(unitOfWork, clock),
        snapshots: new Snapshots(revisions, refReader, keeper, stores.snapshots),
        revisions,
        ...composeCodeWriting({
          ...changing,
          revisions,
          stores,
          unitOfWork,
          protections: protectedRefs,
          refs: refReader,
          releaseReader,
          origins: new KnexMergeOrigins(reader),
        }),
        protections: protectedRefs,
        protectedRefs: new ProtectedRefs(unitOfWork, clock),
        branches: new Branches({ ...browsing, compileNamePattern }),
        tags: new Tags(browsing),
        receivePush: new ReceivePush({ openRepository, intake, refReader, moveRefs, landChanges, counters }),
        copyCode: new CopyCode({
          ...{ unitOfWork, reader: refReader, keeper, projectRefs, secrecy, clock, logger },
          bringCommits: new BringCommits({ ...stores, refs: refReader }),
          mayStillFork: mayStillFork(get),
        }),
        keepStores: new KeepStores(unitOfWork, refReader, keeper, projectRefs, clock, logger),
        checkRepositories: new CheckRepositories({
          unitOfWork,
          checks: new KnexRepositoryCheckRepository(reader),
          keeper,
          projectRefs,
          clock,
        }),
        housekeeping: new Housekeeping({
          unitOfWork,
          due: new KnexHousekeepingRepository(reader),
          maintenance,
          projectRefs,
          counters,
          clock,
          logger,
        }),
      };
    },
    [
      TOKENS.get,
      TOKENS.database,
      TOKENS.unitOfWork,
      REPOSITORY_TOKENS.gitStores,
      TOKENS.secrecy,
      TOKENS.clock,
      TOKENS.metrics,
      TOKENS.logger,
    ],
  );
  bind(REPOSITORY_TOKENS.codeReading).toResolvedValue(
    ({ objects, history }, { revisions, refReader: refs }) => {
      const rootFiles = new RootFiles(revisions, objects);
      return {
        comparisons: new Comparisons(objects, history),
        languages: new Languages(revisions, history),
        changelogs: new Changelogs({ revisions, refs, objects, history }),
        codeStatistics: new CodeStatistics(revisions, history),
        readmes: new Readmes(rootFiles),
        licenseFiles: new LicenseFiles(rootFiles, objects),
        descriptionTemplates: new DescriptionTemplates(revisions, objects),
        namedCommits: new NamedCommits(revisions, objects),
      };
    },
    [REPOSITORY_TOKENS.gitStores, REPOSITORY_TOKENS.repositories],
  );
  // Of its own: pages don't wait for what clients send.
  bind(REPOSITORY_TOKENS.apiMarkup).toResolvedValue(() => new Markup());
  bind(REPOSITORY_TOKENS.codePages).toResolvedValue(
    (
      { refReader, commitActions, pickCommits, changeRefs, removeMergedBranches, protections, releaseReader },
      { objects, history, search, archives },
      { access },
      { users },
      templates,
      { pipelineReader },
      urls,
    ) => ({
      users,
      pipelineReader,
      templates,
      commitActions,
      pickCommits,
      changeRefs,
      removeMergedBranches,
      protections,
      releaseReader,
      archives,
      access,
      locate: new LocateCode(refReader, objects),
      refReader,
      objects,
      history,
      search,
      lastCommits: new LastCommits(history, objects),
      markup: new Markup(),
      urls,
    }),
    [
      REPOSITORY_TOKENS.repositories,
      REPOSITORY_TOKENS.gitStores,
      WORKSPACE_TOKENS.workspace,
      IDENTITY_TOKENS.identityReaders,
      TEMPLATE_TOKENS.templates,
      PIPELINE_TOKENS.pipelines,
      TOKENS.webUrls,
    ],
  );
  bind(REPOSITORY_TOKENS.codeWorks).toResolvedValue(composeCodeWorks, [
    TOKENS.unitOfWork,
    REPOSITORY_TOKENS.repositories,
    WORKSPACE_TOKENS.workspace,
    PLANNING_TOKENS.planning,
    IDENTITY_TOKENS.identityReaders,
    TOKENS.secrecy,
    TOKENS.clock,
    TOKENS.logger,
    REVIEW_TOKENS.review,
    PIPELINE_TOKENS.pipelines,
    ENVIRONMENT_TOKENS.environments,
    COLLABORATION_TOKENS.collaboration,
  ]);
  bind(REPOSITORY_TOKENS.openSshServer).toResolvedValue(composeSshServer, [
    REPOSITORY_TOKENS.repositories,
    WORKSPACE_TOKENS.workspace,
    REVIEW_TOKENS.review,
    KEY_TOKENS.keys,
    TOKENS.clock,
    TOKENS.webUrls,
    TOKENS.logger,
    TOKENS.config,
  ]);
});

/** The code of projects: what git keeps, and who may change it. */
export const repositoriesContext: Context<typeof repositoriesStorage> = {
  storage: repositoriesStorage,
  modules: [repositoriesModule, gitHttpModule, codeImportsModule],
  routes: (get) => {
    const { archives, history, objects } = get(REPOSITORY_TOKENS.gitStores);
    const { access, forkNetwork } = get(WORKSPACE_TOKENS.workspace);
    const around = { access, forkNetwork, urls: get(TOKENS.webUrls), clock: get(TOKENS.clock) };
    const { pipelineReader } = get(PIPELINE_TOKENS.pipelines);
    const browsing = { ...get(REPOSITORY_TOKENS.repositories), ...get(REPOSITORY_TOKENS.codeReading), pipelineReader };
    const reading = createCodeReadingRoutes({ archives, history, objects, ...around, ...browsing });
    return [
      ...reading,
      ...writingRoutes(get),
      ...createRepositoryUpkeepRoutes({ access, ...get(REPOSITORY_TOKENS.repositories) }),
    ];
  },
  pages: (get) => (pages) => {
    const parts = get(REPOSITORY_TOKENS.codePages);
    const markdown = markdownBy(get, parts.markup);
    const { discussedCommits } = get(REVIEW_TOKENS.commits);
    pages.router.use(answerGoImport({ ...get(WORKSPACE_TOKENS.workspace), urls: parts.urls }));
    const { uploads } = get(UPLOAD_TOKENS.uploads);
    addCodePages(pages, { ...parts, ...get(COLLABORATION_TOKENS.collaboration), uploads, discussedCommits, markdown });
    addRepositorySettingsPage(pages, { ...get(WORKSPACE_TOKENS.workspace), ...get(REPOSITORY_TOKENS.repositories) });
    const { releases, releaseReader } = get(REPOSITORY_TOKENS.repositories);
    const { milestoneReader } = get(PLANNING_TOKENS.planning);
    addReleasePages(pages, { ...parts, releases, releaseReader, milestoneReader, markdown, clock: get(TOKENS.clock) });
  },
  loops: (get) => {
    const { copyCode } = get(REPOSITORY_TOKENS.repositories);
    const copies = new JobLoop(() => copyCode.runDue(), get(TOKENS.logger), 'code of forks could not be copied');
    const codeWorks = get(REPOSITORY_TOKENS.codeWorks);
    const works = new JobLoop(() => codeWorks.runDue(), get(TOKENS.logger), 'what follows pushes could not be done');
    return [
      { does: 'copies of code', loop: copies, hurryUp: () => copyCode.stop() },
      { does: 'works on code', loop: works },
      importLoop(get),
    ];
  },
  tasks: (get) => {
    const { keepStores, copyCode, housekeeping, fetchCounts } = get(REPOSITORY_TOKENS.repositories);
    const database = get(TOKENS.database);
    return [
      { name: 'repositories', pattern: EVERY_TEN_SECONDS, run: (stopping) => keepStores.execute(stopping) },
      { name: 'pools of objects', pattern: EVERY_TEN_SECONDS, run: () => copyCode.dropPools() },
      {
        name: 'housekeeping',
        pattern: EVERY_MINUTE,
        // It removes what it has replaced, and the locks of those that were killed.
        run: oneNodeAtATime(database, 'housekeeping', (stopping) => housekeeping.execute(stopping)),
      },
      { name: 'counts of fetches', pattern: EVERY_TEN_SECONDS, run: () => fetchCounts.flush() },
      { name: 'old counts of fetches', pattern: EVERY_HOUR, run: (stopping) => fetchCounts.expire(stopping) },
      { name: 'kept tips', pattern: EVERY_HOUR, run: (stopping) => keepStores.dropTips(stopping) },
    ];
  },
};
