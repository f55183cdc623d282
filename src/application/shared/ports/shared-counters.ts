import type { MailTemplate } from './mail-queue.js';
import type { SendOutcome } from './mailer.js';
import type { CounterDeclarations, Counters } from './counters.js';

const MAIL_OUTCOMES = ['sent', 'refused', 'postponed', 'withdrawn'] as const satisfies readonly (
  SendOutcome['outcome'] | 'withdrawn'
)[];
const MAIL_TEMPLATES = [
  'confirm_email',
  'reset_password',
  'security_notice',
  'invitation',
  'sign_up',
  'already_signed_up',
] as const satisfies readonly MailTemplate[];
/** The runner of the jobs adds the kinds that contexts declare. */
const JOB_KINDS: readonly string[] = [];
/** More than these: the clean-up adds the tables of the catalogue. */
const PRUNED_TABLES: readonly string[] = ['activity_events', 'alert_deliveries', 'members'];

/** What the service counts whatever it has features for. */
export const SHARED_COUNTERS = {
  jobs_total: {
    help: 'Background jobs run, by kind and outcome.',
    labels: { kind: JOB_KINDS, outcome: ['done', 'failed'] },
  },
  expired_rows_removed_total: {
    help: 'Expired rows removed by the clean-up, by table.',
    labels: { table: PRUNED_TABLES },
  },
  mails_total: { help: 'Attempts to send a mail, by outcome.', labels: { outcome: MAIL_OUTCOMES } },
  mails_queued_total: { help: 'Mails queued, by template.', labels: { template: MAIL_TEMPLATES } },
  backups_total: { help: 'Scheduled backups, by outcome.', labels: { outcome: ['written', 'failed'] } },
  event_loop_delays_total: { help: 'Times that the event loop was held for 200 ms or longer.', labels: {} },
} as const satisfies CounterDeclarations;

export type SharedCounters = Counters<typeof SHARED_COUNTERS>;
