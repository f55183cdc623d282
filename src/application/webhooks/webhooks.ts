import { Invalid, NotFound } from '../../domain/shared/domain-error.js';
import { outboundUrlProblem, type MayReach } from '../../domain/shared/outbound-url.js';
import {
  checkCustomHeaders,
  isSameHeader,
  withKeptValues,
  type CustomHeader,
  type WantedHeader,
} from '../../domain/webhooks/custom-headers.js';
import {
  checkBranchFilter,
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
import type {
  HeldWebhook,
  SealedHeaders,
  SealedParts,
  WebhookRepository,
  WebhookSettings,
} from './ports/webhook-ports.js';
import { NO_HEADERS, openHeaderList, sealHeaders } from './sealed-headers.js';

export interface WebhookChanges {
  readonly url?: string;
  readonly events?: Readonly<Partial<Record<WebhookEvent, boolean>>>;
  readonly branchFilter?: string | null;
  readonly verifyCertificate?: boolean;
  /** Empty or null takes it away. */
  readonly token?: string | null;
  /** All of them: others go. */
  readonly headers?: readonly WantedHeader[];
}

interface Needs {
  readonly webhooks: WebhookRepository;
}

type Manager = Permitted<'manage_webhooks'>;

/** The webhooks of projects. Their tokens, and the values of their headers, are sealed and never shown again. */
export class Webhooks {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly secretBox: SecretBox,
    private readonly mayReach: MayReach,
    private readonly clock: Clock,
    private readonly deliver: DeliverWebhooks,
  ) {}

  /** @throws Invalid at `url`, `token`, `push_events_branch_filter` or `custom_headers`; Unprocessable for one more than a project may have. */
  async add({ project }: Manager, changes: WebhookChanges & { readonly url: string }): Promise<number> {
    const settings = this.#decide({ url: '', events: new Set(['push_events']), ...PLAIN }, changes);
    const headers = changes.headers && this.#sealHeaders(withKeptValues(changes.headers, []));
    const sealed = { ...this.#sealedToken(changes), ...(headers && { headers }) };
    const at = this.clock.now();
    return this.unitOfWork.execute(async ({ webhooks }) => {
      await webhooks.hold(project.id);
      requireRoomForWebhook(await webhooks.count(project.id));
      return webhooks.add(project.id, settings, sealed, at);
    });
  }

  /**
   * A webhook that was disabled works again. Another URL is another receiver, perhaps somebody else's: the token goes unless one is
   * sent along, and so do the headers, also those that were to keep their value.
   * @throws Invalid at `url`, `token`, `push_events_branch_filter` or `custom_headers`; NotFound when it is gone.
   */
  async edit(_: Manager, { id }: Webhook, changes: WebhookChanges): Promise<void> {
    const token = this.#sealedToken(changes);
    const at = this.clock.now();
    await this.unitOfWork.execute(async ({ webhooks }) => {
      const before = await webhooks.take(id);
      if (before === undefined) throw new NotFound();
      const settings = this.#decide(before, changes);
      const moved = settings.url !== before.url;
      const headers =
        changes.headers && this.#sealHeaders(this.#headersOf(changes.headers, moved ? undefined : before));
      const sealed = { ...token, ...(headers && { headers }) };
      await webhooks.update(id, settings, moved ? { ...NOTHING, ...sealed } : sealed, at);
    });
  }

  /** Adds one, or gives another value to the one of this name. @throws Invalid at `custom_headers`; NotFound when the webhook is gone. */
  setHeader(_: Manager, { id }: Webhook, header: CustomHeader): Promise<void> {
    return this.#changeHeaders(id, (headers) => {
      const others = headers.filter(({ name }) => !isSameHeader(name, header.name));
      return [...others, header];
    });
  }

  /** @throws NotFound when there is none of this name. */
  removeHeader(_: Manager, { id }: Webhook, name: string): Promise<void> {
    return this.#changeHeaders(id, (headers) => {
      const others = headers.filter((header) => !isSameHeader(header.name, name));
      if (others.length === headers.length) throw new NotFound();
      return others;
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

  #changeHeaders(id: number, change: (headers: readonly CustomHeader[]) => readonly CustomHeader[]): Promise<void> {
    const at = this.clock.now();
    return this.unitOfWork.execute(async ({ webhooks }) => {
      const before = await webhooks.take(id);
      if (before === undefined) throw new NotFound();
      const headers = change(openHeaderList(this.secretBox, before));
      await webhooks.update(id, before, { headers: this.#sealHeaders(headers) }, at);
    });
  }

  /** @param before what the values are of that are kept; absent where nothing is. */
  #headersOf(wanted: readonly WantedHeader[], before: HeldWebhook | undefined): readonly CustomHeader[] {
    if (before === undefined) return wanted.filter((header): header is CustomHeader => header.value !== null);
    return withKeptValues(wanted, openHeaderList(this.secretBox, before));
  }

  #sealedToken({ token }: Pick<WebhookChanges, 'token'>): Pick<SealedParts, 'token'> {
    if (token === undefined) return {};
    if (token === null || token === '') return { token: null };
    checkWebhookToken(token);
    return { token: this.secretBox.seal(token) };
  }

  #sealHeaders(headers: readonly CustomHeader[]): SealedHeaders {
    checkCustomHeaders(headers);
    return sealHeaders(this.secretBox, headers);
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
    checkBranchFilter(branchFilter);
    return { url, events, verifyCertificate, branchFilter: branchFilter === '' ? null : branchFilter };
  }
}

const NOTHING: SealedParts = { token: null, headers: NO_HEADERS };
const PLAIN = { branchFilter: null, verifyCertificate: true } as const;
