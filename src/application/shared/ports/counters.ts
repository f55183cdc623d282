import type { MailTemplate } from './mail-queue.js';
import type { SendOutcome } from './mailer.js';

interface CounterDeclaration {
  readonly help: string;
  /** Every value that a label may take: each combination is there from the start, with 0. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
}

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

/** Every counter of what the service does. Names are without the `gatehouse_` prefix. A value that is not declared doesn't compile. */
export const COUNTERS = {
  tokens_issued_total: {
    help: 'Tokens issued, by grant.',
    labels: { grant: ['authorization_code', 'implicit', 'password', 'refresh_token', 'personal_access_token'] },
  },
  token_reuses_total: {
    help: 'Codes and refresh tokens used again so that what they had given was revoked, by kind.',
    labels: { kind: ['authorization_code', 'refresh_token'] },
  },
  code_refusals_total: {
    help: 'Authorization codes that bought nothing, by reason.',
    labels: {
      reason: [
        'unknown',
        'other_client',
        'used_before',
        'expired',
        'other_redirect_uri',
        'verifier_missing',
        'verifier_unexpected',
        'verifier_differs',
        'owner_inactive',
      ],
    },
  },
  refresh_refusals_total: {
    help: 'Refresh tokens that bought nothing, by reason.',
    labels: {
      reason: [
        'unknown',
        'revoked',
        'other_client',
        'past_grace',
        'too_many_repeats',
        'owner_inactive',
        'scope_exceeded',
      ],
    },
  },
  alerts_total: {
    help: 'Alerts that arrived, by what became of them.',
    labels: {
      outcome: ['opened', 'counted', 'resolved', 'nothing_to_resolve', 'accepted', 'refused', 'throttled'],
    },
  },
  sign_ins_total: {
    help: 'Attempts to sign in, by outcome.',
    labels: {
      outcome: [
        'signed_in',
        'second_factor_needed',
        'refused',
        'blocked',
        'unconfirmed',
        'second_factor_signed_in',
        'second_factor_refused',
      ],
    },
  },
  expired_rows_removed_total: {
    help: 'Expired rows removed by the clean-up, by table.',
    labels: { table: PRUNED_TABLES },
  },
  pushes_total: {
    help: 'Pushes of code, by outcome.',
    labels: { outcome: ['ok', 'declined', 'unpack_failed'] },
  },
  housekeeping_total: {
    help: 'Works on the files of repositories, by outcome.',
    labels: { work: ['gathered', 'repacked', 'removed'], outcome: ['done', 'failed'] },
  },
  jobs_total: {
    help: 'Background jobs run, by kind and outcome.',
    labels: { kind: JOB_KINDS, outcome: ['done', 'failed'] },
  },
  webhook_deliveries_total: {
    help: 'Attempts to deliver to a webhook, by outcome.',
    labels: { outcome: ['delivered', 'failed'] },
  },
  mails_total: { help: 'Attempts to send a mail, by outcome.', labels: { outcome: MAIL_OUTCOMES } },
  mails_queued_total: { help: 'Mails queued, by template.', labels: { template: MAIL_TEMPLATES } },
  backups_total: { help: 'Scheduled backups, by outcome.', labels: { outcome: ['written', 'failed'] } },
  event_loop_delays_total: { help: 'Times that the event loop was held for 200 ms or longer.', labels: {} },
} as const satisfies Readonly<Record<string, CounterDeclaration>>;

export type CounterName = keyof typeof COUNTERS;

type Labels<Name extends CounterName> = (typeof COUNTERS)[Name]['labels'];
export type LabelsOf<Name extends CounterName> = {
  readonly [Label in keyof Labels<Name>]: Labels<Name>[Label] extends readonly (infer Value extends string)[]
    ? Value
    : never;
};

/** Counters of what the service does, read by operators. */
export interface Counters {
  count<Name extends CounterName>(name: Name, labels?: LabelsOf<Name>, by?: number): void;
}
