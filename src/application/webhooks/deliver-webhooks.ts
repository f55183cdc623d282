import type { ProjectId } from '../../domain/shared/identifiers.js';
import { HEADER_OF, MOST_FAILURES, pauseAfter } from '../../domain/webhooks/webhook.js';
import { withoutSecrets } from '../../domain/webhooks/without-secrets.js';
import type { Clock } from '../shared/ports/clock.js';
import type { WebhookCounters } from './ports/webhook-counters.js';
import type { Logger } from '../shared/ports/logger.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { Manner, UnitOfWork } from '../shared/unit-of-work.js';
import type {
  ComposeWebhook,
  DeliveryOutcome,
  DueDelivery,
  SendWebhook,
  WebhookDeliveryRepository,
  WebhookRepository,
  WebhookResponse,
} from './ports/webhook-ports.js';
import { openHeaders } from './sealed-headers.js';
import { RunningWorks } from '../shared/running-works.js';

interface Needs {
  readonly webhooks: WebhookRepository;
  readonly webhookDeliveries: WebhookDeliveryRepository;
}

export interface DeliverWebhooksParts {
  readonly unitOfWork: UnitOfWork<Needs>;
  readonly compose: ComposeWebhook;
  readonly send: SendWebhook;
  readonly secretBox: SecretBox;
  /** The address of the installation. */
  readonly instance: () => string;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly counters: WebhookCounters;
  readonly logger: Logger;
}

/** Longer than any attempt takes: whoever dies in between leaves its deliveries to the others after that. */
const LEASE_MS = 60_000;
const AT_ONCE = 10;
/** So that receivers of one project that take their time leave room for those of others. */
const OF_PROJECT = 4;

/** Sends what webhooks hear of, at least once each: a delivery is leased, sent outside every transaction, and noted. */
export class DeliverWebhooks {
  #stopping = false;

  constructor(private readonly parts: DeliverWebhooksParts) {}

  /** Begins no further batch. */
  stop(): void {
    this.#stopping = true;
  }

  /** Answers how many were tried. */
  async runDue(): Promise<number> {
    const running = new RunningWorks(AT_ONCE, OF_PROJECT);
    for (let tried = 0; ;) {
      const [delivery] = this.#stopping || running.isFull ? [] : await this.#lease(running.full);
      if (delivery !== undefined) {
        running.add(delivery.webhook.projectId, this.#deliver(delivery, 'repeatable'));
        tried += 1;
      } else if (!(await running.nextEnd())) return tried;
    }
  }

  /**
   * Adds a delivery and tries it now, in one lease: no other node gets it meanwhile. Answers the status of the receiver, or null where
   * no answer came.
   */
  async now(add: (deliveries: WebhookDeliveryRepository) => Promise<number>): Promise<number | null> {
    const [delivery] = await this.parts.unitOfWork.execute(async ({ webhookDeliveries }) =>
      webhookDeliveries.lease(...this.#span(), { id: await add(webhookDeliveries) }),
    );
    return delivery === undefined ? null : this.#deliver(delivery, 'step by step');
  }

  #lease(exceptProjects: readonly ProjectId[]): Promise<readonly DueDelivery[]> {
    return this.parts.unitOfWork.execute(
      ({ webhookDeliveries }) => webhookDeliveries.lease(...this.#span(), { limit: 1, exceptProjects }),
      'repeatable',
    );
  }

  #span(): [now: Date, until: Date] {
    const now = this.parts.clock.now();
    return [now, new Date(now.getTime() + LEASE_MS)];
  }

  /** @param manner in which it is noted: what waits in the queue is sent once more where that is lost. */
  async #deliver(delivery: DueDelivery, manner: Manner): Promise<number | null> {
    const { clock, counters, unitOfWork, logger } = this.parts;
    const startedAt = clock.now().getTime();
    const { body, response } = await this.#attempt(delivery);
    const durationMs = clock.now().getTime() - startedAt;
    const outcome = this.#outcomeOf(delivery, body, response, durationMs);
    const delivered = outcome.state === 'delivered';
    const disabled = await unitOfWork.execute(async ({ webhooks, webhookDeliveries }) => {
      await webhookDeliveries.note(delivery.id, outcome);
      // What was never sent is no failure of the receiver.
      if (body === null) return false;
      if (!delivered) return webhooks.countFailure(delivery.webhook.id, MOST_FAILURES, clock.now());
      await webhooks.countSuccess(delivery.webhook.id);
      return false;
    }, manner);
    counters.count('webhook_deliveries_total', { outcome: delivered ? 'delivered' : 'failed' });
    const fields = { webhookId: delivery.webhook.id, deliveryId: delivery.id, status: response.status };
    if (!delivered) logger.info('webhook not delivered', { ...fields, problem: outcome.problem });
    if (disabled) logger.warn('webhook disabled: too many deliveries failed in a row', fields);
    return response.status;
  }

  async #attempt(delivery: DueDelivery): Promise<{ readonly body: string | null; readonly response: WebhookResponse }> {
    const { webhook, event, facts, uuid, sealedToken } = delivery;
    const { compose, send, secretBox, instance, userAgent } = this.parts;
    let { body } = delivery;
    try {
      if (body === null) {
        const composed = await compose(webhook, event, facts);
        if (composed === undefined) return { body, response: { status: null, body: null, problem: UNTOLD } };
        body = JSON.stringify(composed);
      }
      const token = sealedToken === null ? {} : { 'X-Gitlab-Token': secretBox.open(sealedToken) };
      const custom = openHeaders(secretBox, webhook);
      const headers = {
        ...custom,
        'Content-Type': 'application/json',
        'User-Agent': userAgent,
        'X-Gitlab-Event': HEADER_OF[event],
        'X-Gitlab-Event-UUID': uuid,
        'X-Gitlab-Instance': instance(),
        'Idempotency-Key': uuid,
        ...token,
      };
      const { url, verifyCertificate } = webhook;
      const response = await send({ url, headers, body, verifyCertificate });
      return { body, response: repeatingNone(response, [...Object.values(custom), ...Object.values(token)]) };
    } catch (error) {
      return { body, response: { status: null, body: null, problem: String(error) } };
    }
  }

  #outcomeOf(
    { attempts, facts }: DueDelivery,
    body: string | null,
    { status, body: responseBody, problem }: WebhookResponse,
    durationMs: number,
  ): DeliveryOutcome {
    const now = this.parts.clock.now();
    const answer = { body, status, responseBody, durationMs, dueAt: now };
    if (status !== null && status >= 200 && status < 300) return { ...answer, state: 'delivered', problem: null };
    const told = problem ?? `The receiver answered ${status}.`;
    // Whoever sends by hand sees what came of it.
    const pause = facts.kind === 'test' || problem === UNTOLD ? undefined : pauseAfter(attempts);
    if (pause === undefined) return { ...answer, state: 'failed', problem: told };
    return { ...answer, state: 'waiting', dueAt: new Date(now.getTime() + pause), problem: told };
  }
}

/** Who may read what came back hasn't set what was sent, perhaps. */
const repeatingNone = (response: WebhookResponse, secrets: readonly string[]): WebhookResponse =>
  response.body === null ? response : { ...response, body: withoutSecrets(response.body, secrets) };

const UNTOLD = 'What it would tell of is gone, or has become confidential.';
