import { ContainerModule } from 'inversify';
import { ComposeNotification } from '../../application/notifications/compose-notification.js';
import { DeliverMail } from '../../application/notifications/deliver-mail.js';
import { RemindOfDueIssues } from '../../application/notifications/remind-of-due-issues.js';
import { JobLoop } from '../../adapters/inbound/scheduler/job-loop.js';
import { createEtaMailRenderer } from '../../adapters/outbound/mail/eta-mail-renderer.js';
import { LazyMailer } from '../../adapters/outbound/mail/lazy-mailer.js';
import { KnexAudience } from '../../adapters/outbound/persistence/knex/notifications/knex-audience.js';
import { KnexCauseRepository } from '../../adapters/outbound/persistence/knex/notifications/knex-cause-repository.js';
import { readMailSender } from '../configuration/mail-sender.js';
import { MailLoop } from '../mail-loop.js';
import { COLLABORATION_TOKENS } from './collaboration.tokens.js';
import { NOTIFICATION_TOKENS } from './notifications.tokens.js';
import { TOKENS } from './tokens.js';

/** What is sent, and to whom. */
export const deliveryModule = new ContainerModule(({ bind }) => {
  bind(NOTIFICATION_TOKENS.deliverMail).toResolvedValue(
    (
      { reader },
      subjectReader,
      unitOfWork,
      mailer,
      { unsubscribeLinks },
      urls,
      clock,
      metrics,
      logger,
      config,
      markup,
    ) => {
      const renderer = createEtaMailRenderer();
      const { domain } = readMailSender(config.mailFrom);
      return new DeliverMail({
        unitOfWork,
        audience: new KnexAudience(reader, subjectReader),
        causes: new KnexCauseRepository(reader),
        mailer,
        renderer,
        composeNotification: new ComposeNotification(renderer, urls, unsubscribeLinks, domain, markup),
        links: urls,
        domain,
        clock,
        counters: metrics,
        logger,
      });
    },
    [
      TOKENS.database,
      COLLABORATION_TOKENS.subjectReader,
      TOKENS.unitOfWork,
      NOTIFICATION_TOKENS.mailer,
      NOTIFICATION_TOKENS.notifications,
      TOKENS.webUrls,
      TOKENS.clock,
      TOKENS.metrics,
      TOKENS.logger,
      TOKENS.config,
      NOTIFICATION_TOKENS.mailMarkup,
    ],
  );
});

/** By what, and when. */
export const mailModule = new ContainerModule(({ bind }) => {
  bind(NOTIFICATION_TOKENS.mailer).toResolvedValue(
    (config) => new LazyMailer({ url: config.smtpUrl?.reveal() ?? '', from: readMailSender(config.mailFrom) }),
    [TOKENS.config],
  );
  bind(NOTIFICATION_TOKENS.mailLoop).toResolvedValue(
    (deliverMail, mailer, logger, config) =>
      new MailLoop(
        config.smtpUrl === undefined ? undefined : deliverMail,
        new JobLoop(() => deliverMail.runDue(), logger, 'mail could not be delivered'),
        mailer,
        logger,
      ),
    [NOTIFICATION_TOKENS.deliverMail, NOTIFICATION_TOKENS.mailer, TOKENS.logger, TOKENS.config],
  );
  bind(NOTIFICATION_TOKENS.remindOfDueIssues).toResolvedValue(
    (unitOfWork, clock) => new RemindOfDueIssues(unitOfWork, clock),
    [TOKENS.unitOfWork, TOKENS.clock],
  );
});
