import { decideGrouping, type GroupingDecision } from '../../domain/alerts/alert-grouping.js';
import type { AlertSignal } from '../../domain/alerts/alert.js';
import type { Integration } from '../../domain/alerts/integration.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import { together } from '../shared/together.js';
import { AlertWave, UNWRITTEN, type MeantAlert } from './alert-wave.js';
import type { AlertIncidentRepositories, Incidents } from './incidents.js';
import type { AlertSettingsInProject, AlertsRepositories } from './ports/alert-repositories.js';

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
  readonly alert: Pick<MeantAlert, 'iid' | 'title'> | undefined;
}

export type ArrivalRepositories = AlertsRepositories & AlertIncidentRepositories;

/** Signals after which others are let in. */
const BREATH = 32;

/**
 * Handles what several requests say of the alerts of one project, within one transaction. What becomes of each signal is decided one
 * after the other; it is written by waves, of which there is one, unless an alert ends and occurs
 * again, or hundreds are opened.
 */
export class AlertBatch {
  readonly #open = new Map<string, MeantAlert>();
  #wave: AlertWave;
  /** The last number of an alert, once numbers are held. */
  #lastNumber: number | undefined;

  private constructor(
    private readonly repositories: ArrivalRepositories,
    private readonly incidents: Incidents,
    private readonly of: {
      readonly projectId: ProjectId;
      readonly bot: UserId;
      readonly settings: AlertSettingsInProject;
    },
  ) {
    this.#wave = this.#nextWave();
  }

  /** Finds the alerts that are meant. */
  static async find(
    repositories: ArrivalRepositories,
    incidents: Incidents,
    { projectId, bot }: { readonly projectId: ProjectId; readonly bot: UserId },
    requests: readonly Arrivals[],
  ): Promise<AlertBatch> {
    const signals = requests.flatMap((request) => request.signals);
    const fingerprints = [...new Set(signals.flatMap(({ fingerprint }) => fingerprint ?? []))].sort();
    const [settings, open] = await together([
      repositories.alertSettings.find(projectId),
      repositories.alerts.takeOpen(projectId, fingerprints),
    ]);
    const batch = new AlertBatch(repositories, incidents, { projectId, bot, settings });
    batch.#know(open);
    return batch;
  }

  /** Holds the numbers of the project where requests may open something, before anything is opened: always after the look. */
  async prepare(requests: readonly Arrivals[]): Promise<void> {
    const unknown = requests.flatMap(({ signals }) =>
      signals.filter(({ signal, fingerprint }) => {
        return signal.endedAt === null && (fingerprint === null || !this.#open.has(fingerprint));
      }),
    );
    if (unknown.length > 0) await this.#holdNumbers(unknown.flatMap(({ fingerprint }) => fingerprint ?? []));
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
  flush(): Promise<void> {
    return this.#wave.write();
  }

  async #handle(request: Arrivals, { signal, fingerprint }: FingerprintedSignal): Promise<HandledSignal> {
    const { receivedAt: at } = request;
    const open = fingerprint === null ? undefined : this.#open.get(fingerprint);
    const decision = decideGrouping(open, signal);
    if (decision.outcome === 'opened') {
      const alert = await this.#openAlert(request, signal, fingerprint);
      this.#wave.note(alert, decision, at);
      return { decision, alert };
    }
    if (open === undefined) return { decision, alert: undefined };
    if (decision.outcome === 'counted') this.#wave.count(open, at);
    else this.#resolve(open, signal.endedAt ?? at, at);
    this.#wave.note(open, decision, at);
    return { decision, alert: open };
  }

  #nextWave(): AlertWave {
    return new AlertWave(this.repositories, this.incidents, this.of);
  }

  #know(alerts: readonly MeantAlert[]): void {
    for (const alert of alerts) if (alert.fingerprint !== null) this.#open.set(alert.fingerprint, { ...alert });
  }

  /** Others may have opened some of the alerts between the first look and the hold, so they are looked for again. */
  async #holdNumbers(fingerprints: readonly string[]): Promise<number> {
    const { alerts } = this.repositories;
    const [last, opened] = await together([
      alerts.holdNumbers(this.of.projectId),
      alerts.takeOpen(this.of.projectId, [...new Set(fingerprints)].sort()),
    ]);
    this.#know(opened);
    return (this.#lastNumber = last);
  }

  async #openAlert(
    { integration: { id: integrationId }, projectPath, receivedAt: createdAt }: Arrivals,
    signal: AlertSignal,
    fingerprint: string | null,
  ): Promise<MeantAlert> {
    if (!this.#wave.hasRoomFor(fingerprint)) {
      await this.#wave.write();
      this.#wave = this.#nextWave();
    }
    const iid = (this.#lastNumber ?? (await this.#holdNumbers([]))) + 1;
    this.#lastNumber = iid;
    const { projectId } = this.of;
    const alert = { id: UNWRITTEN, issueId: null, iid, projectId, title: signal.title, fingerprint };
    if (fingerprint !== null) this.#open.set(fingerprint, alert);
    this.#wave.open(alert, { signal, integrationId, projectPath, createdAt });
    return alert;
  }

  #resolve(alert: MeantAlert, endedAt: Date, at: Date): void {
    if (alert.fingerprint !== null) this.#open.delete(alert.fingerprint);
    this.#wave.end(alert, endedAt, at);
  }
}
