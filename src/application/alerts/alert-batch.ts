import { decideGrouping, type GroupingDecision } from '../../domain/alerts/alert-grouping.js';
import type { AlertSignal } from '../../domain/alerts/alert.js';
import type { Integration } from '../../domain/alerts/integration.js';
import { Unavailable } from '../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { AlertIncidentRepositories, Incidents } from './incidents.js';
import {
  DEFAULT_ALERT_SETTINGS,
  type AlertsRepositories,
  type NewArrival,
  type OpenAlert,
} from './ports/alert-repositories.js';

/** A signal with the digest that stands for its alert. */
export interface FingerprintedSignal {
  readonly signal: AlertSignal;
  readonly fingerprint: string | null;
}

/** What one request says of the alerts of a project. */
export interface Arrivals {
  readonly integration: Integration;
  readonly projectPath: string;
  readonly signals: readonly FingerprintedSignal[];
  readonly receivedAt: Date;
}

export interface HandledSignal {
  readonly decision: GroupingDecision;
  /** The alert that it touched. */
  readonly alert: OpenAlert | undefined;
}

export type ArrivalRepositories = AlertsRepositories & AlertIncidentRepositories;

const ATTEMPTS = 5;
/** Signals after which others are let in. */
const BREATH = 32;

/** Handles what several requests say of the alerts of one project, within one transaction: each alert is found once, and its repeats are counted together. */
export class AlertBatch {
  readonly #open = new Map<string, OpenAlert>();
  readonly #repeats = new Map<number, { times: number; at: Date }>();
  readonly #arrivals: NewArrival[] = [];
  #settings = DEFAULT_ALERT_SETTINGS;

  constructor(
    private readonly repositories: ArrivalRepositories,
    private readonly incidents: Incidents,
    private readonly bot: UserId,
    private readonly projectId: ProjectId,
  ) {}

  /** Finds the alerts that are meant, and holds the numbers of their project before anything is opened: always in this order. */
  async find(requests: readonly Arrivals[]): Promise<void> {
    this.#settings = await this.repositories.alertSettings.find(this.projectId);
    const signals = requests.flatMap((request) => request.signals);
    const fingerprints = new Set(signals.flatMap(({ fingerprint }) => fingerprint ?? []));
    await this.#take([...fingerprints].sort());
    const mayOpen = ({ signal, fingerprint }: FingerprintedSignal): boolean =>
      signal.endedAt === null && (fingerprint === null || !this.#open.has(fingerprint));
    if (signals.some(mayOpen)) await this.repositories.alerts.holdNumbers(this.projectId);
  }

  /** What becomes of each signal of a request, one after the other. */
  async handle(request: Arrivals): Promise<readonly HandledSignal[]> {
    const handled: HandledSignal[] = [];
    for (const [index, signal] of request.signals.entries()) {
      handled.push(await this.#handle(request, signal));
      // The one thing that a work waits for beside its repositories: a long one must not hold up what else there is to answer.
      if (index % BREATH === BREATH - 1) await new Promise((resume) => setImmediate(resume));
    }
    return handled;
  }

  /** Writes what was gathered. */
  async flush(): Promise<void> {
    const { alerts } = this.repositories;
    for (const [id, { times, at }] of this.#repeats) await alerts.countRepeats(id, times, at);
    await alerts.recordArrivals(this.#arrivals);
  }

  async #handle(request: Arrivals, { signal, fingerprint }: FingerprintedSignal): Promise<HandledSignal> {
    // Somebody else may open the same alert between the look and the opening: then the look is repeated, and finds it.
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const open = fingerprint === null ? undefined : this.#open.get(fingerprint);
      const decision = decideGrouping(open, signal);
      if (decision.outcome === 'opened') {
        const opened = await this.#openAlert(request, signal, fingerprint);
        if (opened !== undefined) return this.#note(opened, decision, request);
        await this.#take([fingerprint ?? '']);
        continue;
      }
      if (open === undefined) return { decision, alert: undefined };
      if (decision.outcome === 'counted') this.#countRepeat(open, request.receivedAt);
      else await this.#resolve(open, signal.endedAt ?? request.receivedAt, request.receivedAt);
      return this.#note(open, decision, request);
    }
    throw new Unavailable('database');
  }

  async #take(fingerprints: readonly string[]): Promise<void> {
    for (const alert of await this.repositories.alerts.takeOpen(this.projectId, fingerprints))
      if (alert.fingerprint !== null) this.#open.set(alert.fingerprint, alert);
  }

  async #openAlert(
    { integration: { id: integrationId }, projectPath, receivedAt }: Arrivals,
    signal: AlertSignal,
    fingerprint: string | null,
  ): Promise<OpenAlert | undefined> {
    const { projectId } = this;
    const given = { ...signal, projectId, integrationId, fingerprint, createdAt: receivedAt };
    const opened = await this.repositories.alerts.open(given);
    if (opened === undefined) return undefined;
    const issueId = this.#settings.createIncident
      ? await this.incidents.open(this.repositories, opened, projectPath, this.bot, receivedAt)
      : null;
    const alert = { ...opened, issueId };
    await this.repositories.events.publish({ kind: 'alert_opened', alert, by: this.bot, at: receivedAt });
    if (fingerprint !== null) this.#open.set(fingerprint, alert);
    return alert;
  }

  #countRepeat({ id }: OpenAlert, at: Date): void {
    const counted = this.#repeats.get(id);
    this.#repeats.set(id, { times: (counted?.times ?? 0) + 1, at });
  }

  async #resolve(alert: OpenAlert, endedAt: Date, at: Date): Promise<void> {
    await this.repositories.alerts.changeStatus(alert.id, 'resolved', endedAt, at);
    await this.repositories.events.publish({ kind: 'alert_resolved', alert, by: this.bot, at });
    if (alert.fingerprint !== null) this.#open.delete(alert.fingerprint);
    await this.incidents.follow(this.repositories, alert, 'resolved', this.#settings, this.bot, at);
  }

  #note(alert: OpenAlert, decision: GroupingDecision, { receivedAt: at }: Arrivals): HandledSignal {
    this.#arrivals.push({ alertId: alert.id, outcome: decision.outcome, reason: decision.reason, at });
    return { decision, alert };
  }
}
