import { Invalid, NotFound } from '../../domain/shared/domain-error.js';
import { outboundUrlProblem, type MayReach } from '../../domain/shared/outbound-url.js';
import {
  checkWebhookToken,
  requireRoomForWebhook,
  type DeliveredEvent,
  type Webhook,
  type WebhookEvent,
} from '../../domain/webhooks/webhook.js';
import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { DeliverWebhooks } from './deliver-webhooks.js';
import type { WebhookRepository, WebhookSettings } from './ports/webhook-ports.js';

export interface WebhookChanges {
  readonly url?: string;
  readonly events?: Readonly<Partial<Record<WebhookEvent, boolean>>>;
  readonly branchFilter?: string | null;
  readonly verifyCertificate?: boolean;
  /** Empty or null takes it away. */
  readonly token?: string | null;
}

interface Needs {
  readonly webhooks: WebhookRepository;
}

type Manager = Permitted<'manage_webhooks'>;

/** The webhooks of projects. Their tokens are sealed and never shown again. */
export class Webhooks {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly secretBox: SecretBox,
    private readonly mayReach: MayReach,
    private readonly clock: Clock,
    private readonly deliver: DeliverWebhooks,
  ) {}

  /** @throws Invalid at `url` or `token`; Unprocessable for one more than a project may have. */
  async add({ project }: Manager, changes: WebhookChanges & { readonly url: string }): Promise<number> {
    const settings = this.#decide({ url: '', events: new Set(['push_events']), ...PLAIN }, changes);
    const sealed = this.#seal(changes.token) ?? null;
    const at = this.clock.now();
    return this.unitOfWork.execute(async ({ webhooks }) => {
      await webhooks.hold(project.id);
      requireRoomForWebhook(await webhooks.count(project.id));
      return webhooks.add(project.id, settings, sealed, at);
    });
  }

  /**
   * A webhook that was disabled works again. Another URL is another receiver, perhaps somebody else's: the token goes unless one is
   * sent along. @throws Invalid at `url` or `token`; NotFound when it is gone.
   */
  async edit(_: Manager, { id }: Webhook, changes: WebhookChanges): Promise<void> {
    const sealed = this.#seal(changes.token);
    const at = this.clock.now();
    await this.unitOfWork.execute(async ({ webhooks }) => {
      const before = await webhooks.take(id);
      if (before === undefined) throw new NotFound();
      const settings = this.#decide(before, changes);
      const moved = settings.url !== before.url;
      await webhooks.update(id, settings, sealed === undefined && moved ? null : sealed, at);
    });
  }

  async remove(_: Manager, { id }: Webhook): Promise<void> {
    await this.unitOfWork.execute(({ webhooks }) => webhooks.remove(id));
  }

  /** Sends a made-up event at once. Answers the status of the receiver, or null where none came. */
  test({ id: by }: UserActor, _: Manager, webhook: Webhook, event: DeliveredEvent): Promise<number | null> {
    const at = this.clock.now();
    const facts = { kind: 'test', by, at: at.toISOString() } as const;
    return this.deliver.now(async (deliveries) => {
      const [id] = await deliveries.add([{ webhookId: webhook.id, event, facts, at }]);
      return id!;
    });
  }

  /** Sends once more what was sent. Answers likewise. */
  resend(_: Manager, deliveryId: number): Promise<number | null> {
    return this.deliver.now((deliveries) => deliveries.repeat(deliveryId, this.clock.now()));
  }

  #seal(token: string | null | undefined): string | null | undefined {
    if (token === undefined) return undefined;
    if (token === null || token === '') return null;
    checkWebhookToken(token);
    return this.secretBox.seal(token);
  }

  #decide(before: WebhookSettings, changes: WebhookChanges): WebhookSettings {
    const { url = before.url, verifyCertificate = before.verifyCertificate } = changes;
    const problem = outboundUrlProblem(url, this.mayReach);
    if (problem !== undefined) throw new Invalid({ url: [problem] });
    const events = new Set(before.events);
    for (const [event, on] of Object.entries(changes.events ?? {}) as [WebhookEvent, boolean | undefined][])
      if (on === true) events.add(event);
      else if (on === false) events.delete(event);
    const branchFilter = changes.branchFilter === undefined ? before.branchFilter : changes.branchFilter;
    return { url, events, verifyCertificate, branchFilter: branchFilter === '' ? null : branchFilter };
  }
}

const PLAIN = { branchFilter: null, verifyCertificate: true } as const;
