import type { AlertSignal } from '../../domain/alerts/alert.js';
import { closedReason, type ClosedReason, type Integration } from '../../domain/alerts/integration.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { Batched } from '../shared/batched.js';
import type { AlertCounters } from './ports/alert-counters.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import { together } from '../shared/together.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { AlertBot } from './alert-bot.js';
import { AlertBatch, type ArrivalRepositories, type Arrivals, type HandledSignal } from './alert-batch.js';
import type { Incidents } from './incidents.js';
import type { Delivery } from './ports/alert-repositories.js';
import { SaidBefore, type TouchedAlert } from './said-before.js';

export interface ReceiveAlertsCommand {
  readonly integration: Integration;
  /** Of the key that the sender presented; null where a person sends. */
  readonly keyDigest: string | null;
  readonly projectPath: string;
  readonly signals: readonly AlertSignal[];
  /** The body as it was sent. */
  readonly text: string;
  /** A request of the same key is counted once (`Idempotency-Key`). */
  readonly idempotencyKey: string | undefined;
  readonly receivedAt: Date;
}

export type ReceiveAlertsResult =
  | { readonly outcome: 'accepted'; readonly touched: readonly TouchedAlert[] }
  /** The key was used for another body. */
  | { readonly outcome: 'key_reused' }
  /** The integration was open when the request began, and isn't any more. Nothing is stored. */
  | { readonly outcome: 'closed'; readonly reason: ClosedReason };

/** A command with its digests, which are no work for a transaction. */
interface Prepared extends Arrivals {
  readonly keyDigest: string | null;
  readonly text: string;
  readonly claim: { readonly keyDigest: string; readonly bodyDigest: string } | undefined;
}

interface Handled {
  readonly result: ReceiveAlertsResult;
  readonly signals: readonly HandledSignal[];
  /** For the log of the integration; absent for what was in it before. */
  readonly delivery?: Delivery;
}

/** Signals of one batch. */
const BATCH_WEIGHT = 64;
/** Requests for one project: more come only while the database stands still. */
const MOST_WAITING = 2_000;
/** Where the alerts of many projects come at once, a third transaction beside two would be for fewer of them, and cost as much. */
const MOST_AT_ONCE = 2;
/** Another's lock may hold up a project for seconds, and a database that is far away keeps a batch waiting without working for it. */
const PATIENCE_MS = 10;

/** Takes what monitoring sends: opens, counts and resolves alerts. What it has answered is committed. */
export class ReceiveAlerts {
  readonly #batched = new Batched<Prepared, ReceiveAlertsResult>((take) => this.#handleBatch(take), {
    laneOf: ({ integration }) => integration.projectId,
    weightOf: ({ signals }) => Math.max(signals.length, 1),
    maxWeight: BATCH_WEIGHT,
    mostWaiting: MOST_WAITING,
    mostAtOnce: MOST_AT_ONCE,
    patienceMs: PATIENCE_MS,
  });

  constructor(
    private readonly unitOfWork: UnitOfWork<ArrivalRepositories>,
    private readonly incidents: Incidents,
    private readonly bot: AlertBot,
    private readonly digester: SecretDigester,
    private readonly counters: AlertCounters,
  ) {}

  execute(command: ReceiveAlertsCommand): Promise<ReceiveAlertsResult> {
    return this.#batched.execute(this.#prepare(command));
  }

  #prepare({ idempotencyKey, signals, ...rest }: ReceiveAlertsCommand): Prepared {
    const digest = (text: string): string => this.digester.digest(text);
    return {
      ...rest,
      signals: signals.map((signal) => ({
        signal,
        fingerprint: signal.fingerprintSource === null ? null : digest(signal.fingerprintSource),
      })),
      claim:
        idempotencyKey === undefined ? undefined : { keyDigest: digest(idempotencyKey), bodyDigest: digest(rest.text) },
    };
  }

  async #handleBatch(take: () => readonly Prepared[]): Promise<readonly ReceiveAlertsResult[]> {
    const bot = await this.bot.id();
    const handled = await this.unitOfWork.execute((repositories) => this.#handleAll(repositories, take(), bot));
    for (const { decision } of handled.flatMap(({ signals }) => signals))
      this.counters.count('alerts_total', { outcome: decision.outcome });
    return handled.map(({ result }) => result);
  }

  async #handleAll(
    repositories: ArrivalRepositories,
    requests: readonly Prepared[],
    bot: UserId,
  ): Promise<readonly Handled[]> {
    const [first] = requests;
    if (first === undefined) return [];
    const { projectId } = first.integration;
    const [closed, batch] = await together([
      closedAmong(repositories, requests),
      AlertBatch.find(repositories, this.incidents, { projectId, bot }, requests),
    ]);
    const admitted = requests.filter((request) => !closed.has(request));
    const { alertDeliveries } = repositories;
    const [, said] = await together([batch.prepare(admitted), SaidBefore.claim(alertDeliveries, admitted)]);
    const handled: Handled[] = [];
    for (const request of requests) {
      const reason = closed.get(request);
      if (reason === undefined) handled.push(await handleOne(batch, said, request));
      else handled.push({ result: { outcome: 'closed', reason }, signals: [] });
    }
    const deliveries = handled.flatMap(({ delivery }) => delivery ?? []);
    await together([batch.flush(), alertDeliveries.add(deliveries), said.keep(alertDeliveries)]);
    return handled;
  }
}

const handleOne = async (batch: AlertBatch, said: SaidBefore, request: Prepared): Promise<Handled> => {
  const before = said.to(request);
  if (before !== undefined) return { result: before, signals: [] };
  const signals = await batch.handle(request);
  const touched = signals.flatMap(({ alert }) => (alert === undefined ? [] : [{ iid: alert.iid, title: alert.title }]));
  said.note(request, touched);
  return { result: { outcome: 'accepted', touched }, signals, delivery: deliveryOf(request, touched, signals) };
};

/** The requests whose integration is closed to them by now: a body may come long after its head was let in. */
const closedAmong = async (
  { alertIntegrations }: ArrivalRepositories,
  requests: readonly Prepared[],
): Promise<ReadonlyMap<Prepared, ClosedReason>> => {
  const states = await alertIntegrations.hold([...new Set(requests.map(({ integration }) => integration.id))]);
  const closed = new Map<Prepared, ClosedReason>();
  for (const request of requests) {
    const reason = closedReason(states.get(request.integration.id), request.keyDigest);
    if (reason !== undefined) closed.set(request, reason);
  }
  return closed;
};

const deliveryOf = (
  { integration, text, receivedAt }: Prepared,
  touched: readonly TouchedAlert[],
  signals: readonly HandledSignal[],
): Delivery => ({
  integrationId: integration.id,
  outcome: 'accepted',
  reason: [...new Set(signals.map(({ decision }) => decision.outcome))].join(', ') || 'nothing_in_it',
  status: 200,
  alertIids: touched.map(({ iid }) => iid),
  payload: text,
  receivedAt,
});
