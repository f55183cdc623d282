import type { GroupingDecision } from '../../domain/alerts/alert-grouping.js';
import type { AlertSignal } from '../../domain/alerts/alert.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { DomainEvent, IssueEvent } from '../shared/domain-events.js';
import { together } from '../shared/together.js';
import type { AlertIncidentRepositories, Incidents } from './incidents.js';
import type { AlertSettingsInProject, AlertsRepositories, OpenAlert } from './ports/alert-repositories.js';

/** An alert that signals mean: one that is open, or one of this wave, which has its number already and gets its id when it is written. */
export type MeantAlert = Omit<OpenAlert, 'id' | 'issueId'> & { id: number; issueId: number | null };

/** The id of an alert that isn't written yet. */
export const UNWRITTEN = 0;

/** Alerts that one wave opens at most: nothing else is answered meanwhile where the database works in this thread. */
const MOST_OPENED = 500;

/** An alert that is opened, as its signal describes it. */
interface Opening {
  readonly alert: MeantAlert;
  readonly signal: AlertSignal;
  readonly integrationId: number;
  readonly projectPath: string;
  readonly createdAt: Date;
  events: number;
  updatedAt: Date;
}

interface Ending {
  readonly alert: MeantAlert;
  readonly endedAt: Date;
  readonly at: Date;
}

interface Arrival {
  readonly alert: MeantAlert;
  readonly decision: GroupingDecision;
  readonly at: Date;
}

interface WaveOf {
  readonly projectId: ProjectId;
  readonly bot: UserId;
  readonly settings: AlertSettingsInProject;
}

/**
 * What becomes of the alerts of one project, as far as it can be written at once: each table by one statement, whatever the number of
 * alerts. An alert that ends in a wave is not opened again in the same one.
 */
export class AlertWave {
  readonly #opened = new Map<MeantAlert, Opening>();
  readonly #repeats = new Map<MeantAlert, { times: number; at: Date }>();
  readonly #ended = new Map<MeantAlert, Ending>();
  readonly #endedFingerprints = new Set<string>();
  readonly #arrivals: Arrival[] = [];

  constructor(
    private readonly repositories: AlertsRepositories & AlertIncidentRepositories,
    private readonly incidents: Incidents,
    private readonly of: WaveOf,
  ) {}

  open(alert: MeantAlert, opening: Omit<Opening, 'alert' | 'events' | 'updatedAt'>): void {
    this.#opened.set(alert, { ...opening, alert, events: 1, updatedAt: opening.createdAt });
  }

  count(alert: MeantAlert, at: Date): void {
    const opening = this.#opened.get(alert);
    if (opening !== undefined) {
      opening.events += 1;
      opening.updatedAt = at;
      return;
    }
    const counted = this.#repeats.get(alert);
    this.#repeats.set(alert, { times: (counted?.times ?? 0) + 1, at });
  }

  end(alert: MeantAlert, endedAt: Date, at: Date): void {
    this.#ended.set(alert, { alert, endedAt, at });
    if (alert.fingerprint !== null) this.#endedFingerprints.add(alert.fingerprint);
  }

  note(alert: MeantAlert, decision: GroupingDecision, at: Date): void {
    this.#arrivals.push({ alert, decision, at });
  }

  /** Whether an alert of that fingerprint may be opened in this wave. */
  hasRoomFor(fingerprint: string | null): boolean {
    if (this.#opened.size >= MOST_OPENED) return false;
    return fingerprint === null || !this.#endedFingerprints.has(fingerprint);
  }

  async write(): Promise<void> {
    const opened = await this.#writeOpened();
    const ended = await this.#writeEnded();
    const { alerts, events } = this.repositories;
    const repeats = [...this.#repeats].map(([{ id }, { times, at }]) => ({ id, times, at }));
    const arrivals = this.#arrivals.map(({ alert, decision: { outcome, reason }, at }) => {
      return { alertId: alert.id, outcome, reason, at };
    });
    const told = [...opened, ...ended];
    await together([
      alerts.countRepeats(repeats),
      alerts.recordArrivals(arrivals),
      ...(told.length === 0 ? [] : [events.publish(...told)]),
    ]);
  }

  async #writeOpened(): Promise<readonly DomainEvent[]> {
    const openings = [...this.#opened.values()];
    const incidents = await this.#reserveIncidents(openings);
    const given = openings.map(({ alert, signal, integrationId, projectPath, createdAt, events, updatedAt }) => {
      const { projectId, iid, issueId, fingerprint } = alert;
      return {
        ...signal,
        projectId,
        iid,
        issueId,
        fingerprint,
        integrationId,
        projectPath,
        createdAt,
        events,
        updatedAt,
      };
    });
    const { alerts } = this.repositories;
    const [opened, ids] = await together([
      incidents === undefined
        ? Promise.resolve<readonly IssueEvent[]>([])
        : this.incidents.open(this.repositories, incidents, given, this.of.bot),
      alerts.open(given),
    ]);
    return openings.flatMap(({ alert, createdAt: at }, index): DomainEvent[] => {
      alert.id = ids[index]!;
      const told = { kind: 'alert_opened', alert, by: this.of.bot, at } as const;
      const incident = opened[index];
      return incident === undefined ? [told] : [incident, told];
    });
  }

  async #reserveIncidents(openings: readonly Opening[]) {
    const [first] = openings;
    const { projectId, settings } = this.of;
    if (first === undefined || !settings.createIncident || !settings.takesIncidents) return undefined;
    const reserved = await this.incidents.reserve(this.repositories, projectId, openings.length, first.createdAt);
    openings.forEach(({ alert }, index) => (alert.issueId = reserved.places[index]!.id));
    return reserved;
  }

  async #writeEnded(): Promise<readonly DomainEvent[]> {
    const ended = [...this.#ended.values()];
    if (ended.length === 0) return [];
    const { bot, settings } = this.of;
    // The alerts are asked for first: whoever locks an alert and its incident locks the alert first.
    const [, closed] = await together([
      this.repositories.alerts.resolve(ended.map(({ alert: { id }, ...end }) => ({ id, ...end }))),
      this.incidents.follow(this.repositories, ended, 'resolved', { ...settings, bot }),
    ]);
    return [...ended.map(({ alert, at }) => ({ kind: 'alert_resolved', alert, by: bot, at }) as const), ...closed];
  }
}
