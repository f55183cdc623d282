import { Invalid, Unprocessable } from '../shared/domain-error.js';
import type { SubjectChanges } from '../shared/subject-changes.js';
import type { ProjectId, UserId } from '../shared/identifiers.js';
import { isHeaderValue } from './custom-headers.js';
import type { ToldPushOptions } from './told-push-options.js';

/** What a webhook may hear of, by the names of the API. Those that nothing causes yet are kept, so that they work once something does. */
export const WEBHOOK_EVENTS = [
  'push_events',
  'tag_push_events',
  'issues_events',
  'confidential_issues_events',
  'note_events',
  'confidential_note_events',
  'merge_requests_events',
  'job_events',
  'pipeline_events',
  'wiki_page_events',
  'deployment_events',
  'releases_events',
  'repository_update_events',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Events that something causes, with the header that tells receivers which it is. */
export const HEADER_OF = {
  push_events: 'Push Hook',
  tag_push_events: 'Tag Push Hook',
  issues_events: 'Issue Hook',
  confidential_issues_events: 'Confidential Issue Hook',
  note_events: 'Note Hook',
  confidential_note_events: 'Confidential Note Hook',
  merge_requests_events: 'Merge Request Hook',
  job_events: 'Job Hook',
  pipeline_events: 'Pipeline Hook',
  deployment_events: 'Deployment Hook',
  releases_events: 'Release Hook',
} as const satisfies Partial<Record<WebhookEvent, string>>;
export type DeliveredEvent = keyof typeof HEADER_OF;
export const DELIVERED_EVENTS = Object.keys(HEADER_OF) as readonly DeliveredEvent[];

export interface Webhook {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly url: string;
  readonly events: ReadonlySet<WebhookEvent>;
  /** Branches whose pushes it hears of, with `*` for any text; null for all. */
  readonly branchFilter: string | null;
  readonly verifyCertificate: boolean;
  /** Whether it has a secret token; that itself is sealed. */
  readonly hasToken: boolean;
  /** Names of the headers that each delivery carries beside its own; their values are sealed. */
  readonly headerNames: readonly string[];
  /** Since when nothing is sent to it, because too much failed. */
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
}

export type MergeRequestAction = 'open' | 'close' | 'reopen' | 'update' | 'merge' | 'approved' | 'unapproved';

/** What happened, as far as it is not found again when it is sent. */
export type WebhookFacts = { readonly by: UserId; readonly at: string } & (
  | {
      readonly kind: 'push';
      readonly ref: string;
      readonly from: string | null;
      readonly to: string | null;
      readonly commitCount: number;
      /** Absent where there were none. */
      readonly options?: ToldPushOptions;
    }
  | {
      readonly kind: 'issue';
      readonly iid: number;
      readonly action: 'open' | 'close' | 'reopen' | 'update';
      /** Of an update. */
      readonly changes?: SubjectChanges;
    }
  | { readonly kind: 'note'; readonly iid: number; readonly issueId: number; readonly noteId: number }
  | { readonly kind: 'merge_request_note'; readonly id: number; readonly noteId: number }
  | { readonly kind: 'commit_note'; readonly id: number; readonly noteId: number }
  | {
      readonly kind: 'merge_request';
      readonly id: number;
      readonly action: MergeRequestAction;
      /** Where its source was before a push. */
      readonly before?: string;
      /** Of an update that was no push. */
      readonly changes?: SubjectChanges;
    }
  /** It stood so then. */
  | { readonly kind: 'job'; readonly id: number; readonly status: string }
  /** Likewise. */
  | { readonly kind: 'pipeline'; readonly id: number; readonly status: string }
  /** Likewise. */
  | { readonly kind: 'deployment'; readonly id: number; readonly status: string }
  | { readonly kind: 'release'; readonly tag: string; readonly action: 'create' | 'update' }
  /** Sent by hand, with made-up content. */
  | { readonly kind: 'test' }
);

export const MAX_WEBHOOK_TOKEN = 1_000;

/** It is sent in a header. @throws Invalid at `token`. */
export const checkWebhookToken = (token: string): void => {
  if (!isHeaderValue(token)) throw new Invalid({ token: ['must be text that a header can carry'] });
  if (token.length > MAX_WEBHOOK_TOKEN)
    throw new Invalid({ token: [`is too long (maximum is ${MAX_WEBHOOK_TOKEN} characters)`] });
};

export const MAX_BRANCH_FILTER = 255;

/** @throws Invalid at `push_events_branch_filter`. */
export const checkBranchFilter = (filter: string | null): void => {
  if ((filter ?? '').length > MAX_BRANCH_FILTER)
    throw new Invalid({ push_events_branch_filter: [`is too long (maximum is ${MAX_BRANCH_FILTER} characters)`] });
};

/** Each of them is told of everything that happens in its project. */
const MOST_WEBHOOKS = 100;

/** @throws Unprocessable. */
export const requireRoomForWebhook = (webhooks: number): void => {
  if (webhooks >= MOST_WEBHOOKS) throw new Unprocessable(`A project has at most ${MOST_WEBHOOKS} webhooks`);
};

/** So many failures in a row end a webhook until somebody looks after it. */
export const MOST_FAILURES = 20;

const PAUSES_MS = [10_000, 60_000, 600_000, 3_600_000, 14_400_000] as const;

/** How long to wait after an attempt that failed; undefined after the last. */
export const pauseAfter = (attempts: number): number | undefined => PAUSES_MS[attempts - 1];
