import type { Alert, AlertSignal } from '../../domain/alerts/alert.js';
import { decideGrouping, type GroupingDecision } from '../../domain/alerts/alert-grouping.js';
import type { Integration } from '../../domain/alerts/integration.js';
import { Unavailable } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Counters } from '../shared/ports/counters.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { AlertBot } from './alert-bot.js';
import type { IncidentRepositories, Incidents } from './incidents.js';
import type { AlertSettings, AlertsRepositories } from './ports/alert-repositories.js';

export interface ReceiveAlertsCommand {
  readonly integration: Integration;
  readonly projectPath: string;
  readonly signals: readonly AlertSignal[];
  /** The body as it was sent. */
  readonly text: string;
  /** A request of the same key is counted once (`Idempotency-Key`). */
  readonly idempotencyKey: string | undefined;
}

/** One alert that a request touched, as its sender is told. */
export interface TouchedAlert {
  readonly iid: number;
  readonly title: string;
}

export type ReceiveAlertsResult =
  | { readonly outcome: 'accepted'; readonly touched: readonly TouchedAlert[] }
  /** The key was used for another body. */
  | { readonly outcome: 'key_reused' };

type Needs = AlertsRepositories & IncidentRepositories;

interface Handled {
  readonly decision: GroupingDecision;
  readonly alert: Alert | undefined;
}

const DAY_MS = 86_400_000;
const ATTEMPTS = 5;

/** Takes what monitoring sends: opens, counts and resolves alerts. What it has answered is committed. */
export class ReceiveAlerts {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly incidents: Incidents,
    private readonly bot: AlertBot,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
    private readonly counters: Counters,
  ) {}

  async execute(command: ReceiveAlertsCommand): Promise<ReceiveAlertsResult> {
    const bot = await this.bot.id();
    const { result, handled } = await this.unitOfWork.execute(async (repositories) => {
      const claim = await this.#claim(repositories, command);
      if (claim !== 'new') return { result: claim, handled: [] };
      const handled = await this.#handleAll(repositories, command, bot);
      const touched = handled.flatMap(({ alert }) =>
        alert === undefined ? [] : [{ iid: alert.iid, title: alert.title }],
      );
      await this.#remember(repositories, command, handled, touched);
      return { result: { outcome: 'accepted', touched } as const, handled };
    });
    for (const { decision } of handled) this.counters.count('alerts_total', { outcome: decision.outcome });
    return result;
  }

  async #handleAll(repositories: Needs, command: ReceiveAlertsCommand, bot: UserId): Promise<readonly Handled[]> {
    const settings = await repositories.alertSettings.find(command.integration.projectId);
    const handled: Handled[] = [];
    for (const signal of command.signals)
      handled.push(await this.#handle(repositories, command, signal, settings, bot));
    return handled;
  }

  async #handle(
    repositories: Needs,
    { integration, projectPath }: ReceiveAlertsCommand,
    signal: AlertSignal,
    settings: AlertSettings,
    bot: UserId,
  ): Promise<Handled> {
    const { alerts } = repositories;
    const { projectId, id: integrationId } = integration;
    const now = this.clock.now();
    const fingerprint = signal.fingerprintSource === null ? null : this.digester.digest(signal.fingerprintSource);
    // Somebody else may open the same alert between the look and the opening: then the look is repeated, and finds it.
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const open = fingerprint === null ? undefined : await alerts.takeOpen(projectId, fingerprint);
      const decision = decideGrouping(open, signal);
      if (decision.outcome === 'opened') {
        const opened = await alerts.open({ ...signal, projectId, integrationId, fingerprint, createdAt: now });
        if (opened === undefined) continue;
        if (settings.createIncident) await this.incidents.open(repositories, opened, projectPath, bot, now);
        await repositories.events.publish({ kind: 'alert_opened', alert: opened, by: bot, at: now });
        await alerts.recordArrival(opened.id, decision, now);
        return { decision, alert: opened };
      }
      if (open === undefined) return { decision, alert: undefined };
      if (decision.outcome === 'counted') await alerts.countRepeat(open.id, now);
      else await this.#resolve(repositories, open, signal.endedAt ?? now, settings, bot, now);
      await alerts.recordArrival(open.id, decision, now);
      return { decision, alert: open };
    }
    throw new Unavailable('database');
  }

  async #resolve(
    repositories: Needs,
    alert: Alert,
    endedAt: Date,
    settings: AlertSettings,
    bot: UserId,
    at: Date,
  ): Promise<void> {
    await repositories.alerts.changeStatus(alert.id, 'resolved', endedAt, at);
    await repositories.events.publish({ kind: 'alert_resolved', alert, by: bot, at });
    await this.incidents.follow(repositories, alert, 'resolved', settings, bot, at);
  }

  async #claim(
    { alertDeliveries }: AlertsRepositories,
    { integration, idempotencyKey, text }: ReceiveAlertsCommand,
  ): Promise<'new' | ReceiveAlertsResult> {
    if (idempotencyKey === undefined) return 'new';
    const bodyDigest = this.digester.digest(text);
    const key = { integrationId: integration.id, keyDigest: this.digester.digest(idempotencyKey), bodyDigest };
    const claim = await alertDeliveries.claim(key, new Date(this.clock.now().getTime() + DAY_MS));
    if (claim === 'new') return 'new';
    if (claim.bodyDigest !== bodyDigest) return { outcome: 'key_reused' };
    return { outcome: 'accepted', touched: JSON.parse(claim.answer ?? '[]') as TouchedAlert[] };
  }

  async #remember(
    { alertDeliveries }: AlertsRepositories,
    { integration, idempotencyKey, text }: ReceiveAlertsCommand,
    handled: readonly Handled[],
    touched: readonly TouchedAlert[],
  ): Promise<void> {
    if (idempotencyKey !== undefined) {
      await alertDeliveries.answer(integration.id, this.digester.digest(idempotencyKey), JSON.stringify(touched));
    }
    await alertDeliveries.add({
      integrationId: integration.id,
      outcome: 'accepted',
      reason: [...new Set(handled.map(({ decision }) => decision.outcome))].join(', ') || 'nothing_in_it',
      status: 200,
      alertIids: touched.map(({ iid }) => iid),
      payload: text,
      receivedAt: this.clock.now(),
    });
  }
}
