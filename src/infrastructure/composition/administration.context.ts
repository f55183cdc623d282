import { addAdminApplicationPages } from '../../adapters/inbound/http/pages/admin/admin-application-pages.js';
import { addAdminRunnerPages } from '../../adapters/inbound/http/pages/admin/admin-runner-pages.js';
import { addOverviewPage } from '../../adapters/inbound/http/pages/admin/overview-page.js';
import { addAdminPlacePages } from '../../adapters/inbound/http/pages/admin/place-pages.js';
import { addQueuePages } from '../../adapters/inbound/http/pages/admin/queue-pages.js';
import { addSettingsPage } from '../../adapters/inbound/http/pages/admin/settings-page.js';
import { addStoragePages } from '../../adapters/inbound/http/pages/admin/storage-pages.js';
import { addAdminUserPages } from '../../adapters/inbound/http/pages/admin/user-pages.js';
import { KnexMailQueueReader } from '../../adapters/outbound/persistence/knex/notifications/knex-mail-queue-reader.js';
import { KnexJobReader } from '../../adapters/outbound/persistence/knex/shared/knex-job-reader.js';
import { KnexMoveReceiptReader } from '../../adapters/outbound/persistence/knex/storage/knex-move-receipts.js';
import { readMove } from '../../adapters/outbound/persistence/knex/storage/read-control.js';
import { describeConfig } from '../configuration/describe-config.js';
import { InstallationReports } from '../installation-report.js';
import { signReceipt } from '../sign-receipt.js';
import { administrationStorage } from './administration.storage.js';
import type { Context, Get } from './context.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { OAUTH_TOKENS } from './oauth.tokens.js';
import { PIPELINE_TOKENS } from './pipelines.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const queues = (get: Get) => {
  const { reader } = get(TOKENS.database);
  const [unitOfWork, clock, wakeUps] = [get(TOKENS.unitOfWork), get(TOKENS.clock), get(TOKENS.wakeUps)];
  return {
    mailReader: new KnexMailQueueReader(reader),
    jobReader: new KnexJobReader(reader),
    mailIsSetUp: get(TOKENS.config).smtpUrl !== undefined,
    sendMailAgain: async (id: number) => {
      const found = await unitOfWork.execute(({ mailOutbox }) => mailOutbox.sendAgain(id, clock.now()));
      wakeUps.mail?.();
      return found;
    },
    runJobNow: async (id: number) => {
      const found = await unitOfWork.execute(({ jobs }) => jobs.hurry(id, clock.now()));
      wakeUps.jobs?.();
      return found;
    },
  };
};

/** What administrators alone see. */
export const administrationContext: Context<typeof administrationStorage> = {
  storage: administrationStorage,
  modules: [],
  pages: (get) => (pages) => {
    const { users } = get(IDENTITY_TOKENS.identityReaders);
    const parts = { ...get(TOKENS.pageParts), ...queues(get), users };
    const reports = new InstallationReports({
      database: get(TOKENS.database),
      config: get(TOKENS.config),
      baseUrl: () => get(TOKENS.publicAddress).baseUrl,
      gitIsReady: () => get(REPOSITORY_TOKENS.gitStores).keeper.ready(),
      mails: parts.mailReader,
      jobs: parts.jobReader,
      clock: get(TOKENS.clock),
      backupFailure: () => get(TOKENS.scheduledBackups).failure,
    });
    addOverviewPage(pages, { reportInstallation: () => reports.report() });
    addAdminUserPages(pages, { ...get(IDENTITY_TOKENS.identity), ...parts });
    addAdminPlacePages(pages, get(WORKSPACE_TOKENS.workspace));
    addAdminApplicationPages(pages, { ...get(OAUTH_TOKENS.oauth), ...parts });
    addAdminRunnerPages(pages, {
      ...get(PIPELINE_TOKENS.pipelines),
      ...parts,
      workspace: get(WORKSPACE_TOKENS.workspace).reader,
      clock: get(TOKENS.clock),
    });
    addQueuePages(pages, parts);
    addStoragePages(pages, {
      checkStorage: () => reports.checkStorage(),
      moveReceipts: new KnexMoveReceiptReader(get(TOKENS.database).reader),
      signReceipt: (receipt) => signReceipt(get(OAUTH_TOKENS.signingKeys), receipt),
      readMove: () => readMove(get(TOKENS.database)),
    });
    addSettingsPage(pages, { settingsInForce: () => describeConfig(process.env) });
  },
};
