import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { DeliveredEvent, Webhook, WebhookFacts } from '../../../domain/webhooks/webhook.js';

export type WebhookSettings = Pick<Webhook, 'url' | 'events' | 'branchFilter' | 'verifyCertificate'>;

/** What of a webhook is kept sealed. */
export interface SealedParts {
  /** What to keep from now on, null for none; when absent, the one that is kept stays. */
  readonly token?: string | null;
  /** Likewise. */
  readonly headers?: SealedHeaders;
}

/** Headers that each delivery carries beside its own. */
export interface SealedHeaders {
  readonly names: readonly string[];
  /** Their values in the same order, as JSON; null where there are none. */
  readonly sealedValues: string | null;
}

/** A webhook with what its headers are made of, so that they can be changed one by one. */
export interface HeldWebhook extends Webhook {
  readonly sealedHeaderValues: string | null;
}

export interface WebhookRepository {
  /** Until the transaction ends nobody else adds one to the project. */
  hold(projectId: ProjectId): Promise<void>;
  count(projectId: ProjectId): Promise<number>;
  add(projectId: ProjectId, settings: WebhookSettings, sealed: SealedParts, at: Date): Promise<number>;
  /** Locks it until the transaction ends. */
  take(id: number): Promise<HeldWebhook | undefined>;
  /** It works again. */
  update(id: number, settings: WebhookSettings, sealed: SealedParts, at: Date): Promise<void>;
  remove(id: number): Promise<void>;
  /** Those of a project that are not disabled. */
  working(projectId: ProjectId): Promise<readonly Webhook[]>;
  /** Counts failures in a row, and disables the webhook at the last one; answers whether that happened now. */
  countFailure(id: number, most: number, at: Date): Promise<boolean>;
  countSuccess(id: number): Promise<void>;
}

export interface NewDelivery {
  readonly webhookId: number;
  readonly event: DeliveredEvent;
  readonly facts: WebhookFacts;
  readonly at: Date;
}

/** A delivery whose turn has come. */
export interface DueDelivery {
  readonly id: number;
  readonly uuid: string;
  readonly event: DeliveredEvent;
  readonly facts: WebhookFacts;
  /** How often it was tried, this time too. */
  readonly attempts: number;
  /** What was sent before, and is sent again. */
  readonly body: string | null;
  readonly webhook: HeldWebhook;
  readonly sealedToken: string | null;
}

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** What an attempt came to. */
export interface DeliveryOutcome {
  readonly state: DeliveryState;
  /** When it is tried again. */
  readonly dueAt: Date;
  readonly body: string | null;
  readonly status: number | null;
  readonly responseBody: string | null;
  readonly durationMs: number;
  readonly problem: string | null;
}

/** Which of the deliveries that are due. */
export interface DueOnes {
  readonly limit: number;
  readonly exceptProjects?: readonly ProjectId[];
}

export interface WebhookDeliveryRepository {
  /** @returns their ids. */
  add(deliveries: readonly NewDelivery[]): Promise<readonly number[]>;
  /** The same once more, with the body that was sent. @throws NotFound when it is gone. */
  repeat(id: number, at: Date): Promise<number>;
  /** At most `limit` that are due, of other projects than these, or one by its id; nobody else gets them before `until`, and each counts as tried once more. */
  lease(now: Date, until: Date, which: DueOnes | { readonly id: number }): Promise<readonly DueDelivery[]>;
  /** Notes what an attempt came to. Does nothing where the delivery is gone. */
  note(id: number, outcome: DeliveryOutcome): Promise<void>;
}

/** A delivery as its log shows it. */
export interface LoggedDelivery {
  readonly id: number;
  readonly uuid: string;
  readonly event: DeliveredEvent;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly requestBody: string | null;
  readonly status: number | null;
  readonly responseBody: string | null;
  readonly durationMs: number | null;
  readonly problem: string | null;
  readonly createdAt: Date;
}

export interface WebhookReader {
  list(projectId: ProjectId, page: PageRequest): Promise<Page<Webhook>>;
  find(projectId: ProjectId, id: number): Promise<Webhook | undefined>;
  /** The newest first. */
  deliveries(webhookId: number, page: PageRequest): Promise<Page<LoggedDelivery>>;
  findDelivery(webhookId: number, id: number): Promise<LoggedDelivery | undefined>;
}

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly verifyCertificate: boolean;
}

/** The status is null where no answer came; `problem` says why. */
export interface WebhookResponse {
  readonly status: number | null;
  readonly body: string | null;
  readonly problem: string | null;
}

/** Sends to where connections may go, follows no redirect, and reads no more of an answer than is kept. Never throws. */
export type SendWebhook = (request: WebhookRequest) => Promise<WebhookResponse>;

/** The body of a delivery; undefined where what happened is gone meanwhile, or confidential and none of the webhook's business. */
export type ComposeWebhook = (
  webhook: Pick<Webhook, 'projectId' | 'events'>,
  event: DeliveredEvent,
  facts: WebhookFacts,
) => Promise<object | undefined>;
