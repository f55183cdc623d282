import type { Alert, AlertSignal, AlertStatus } from '../../../domain/alerts/alert.js';
import type { GroupingDecision } from '../../../domain/alerts/alert-grouping.js';
import type { Integration, IntegrationState } from '../../../domain/alerts/integration.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';

export type NewAlert = Omit<AlertSignal, 'endedAt' | 'fingerprintSource' | 'query'> &
  Pick<Alert, 'projectId' | 'iid' | 'integrationId' | 'issueId' | 'fingerprint' | 'events' | 'createdAt' | 'updatedAt'>;

/** What arrivals need to know of an alert that is open. */
export type OpenAlert = Pick<Alert, 'id' | 'projectId' | 'iid' | 'issueId' | 'title' | 'fingerprint'>;

/** That an alert was meant by a request, and what became of it. */
export type NewArrival = Pick<GroupingDecision, 'outcome' | 'reason'> & {
  readonly alertId: number;
  readonly at: Date;
};

/** How often an alert arrived again, and when it did last. */
export interface Repeats {
  readonly id: number;
  readonly times: number;
  readonly at: Date;
}

export interface AlertEnd {
  readonly id: number;
  readonly endedAt: Date;
  readonly at: Date;
}

export interface AlertRepository {
  /** Before alerts of a project are opened: no arrival opens any there until the work ends. @returns the last number. */
  holdNumbers(projectId: ProjectId): Promise<number>;
  /**
   * Opens alerts of one project, whose numbers follow the last one and are held, and whose fingerprints were found not to be open since.
   *
   * @returns their ids, in this order.
   * @throws an error that lets the work run again, when one of a fingerprint was reopened meanwhile.
   */
  open(alerts: readonly NewAlert[]): Promise<readonly number[]>;
  /**
   * The open alerts of fingerprints; of many works that ask for one, each waits for the one before.
   *
   * @param fingerprints each once, and sorted: two who take some of the same in different orders would wait for each other.
   */
  takeOpen(projectId: ProjectId, fingerprints: readonly string[]): Promise<readonly OpenAlert[]>;
  take(id: number): Promise<Alert | undefined>;
  /** The alerts that incidents belong to. */
  takeOfIssues(issueIds: readonly number[]): Promise<readonly Alert[]>;
  countRepeats(repeats: readonly Repeats[]): Promise<void>;
  /** Ends alerts that this work has taken. */
  resolve(ends: readonly AlertEnd[]): Promise<void>;
  /** @throws Conflict "Cannot have multiple unresolved alerts" when another one of that fingerprint is open. */
  changeStatus(id: number, status: AlertStatus, endedAt: Date | null, at: Date): Promise<void>;
  recordArrivals(arrivals: readonly NewArrival[]): Promise<void>;
}

export type NewIntegration = Omit<Integration, 'id'> & {
  readonly keyDigest: string;
  readonly sealedKey: string;
  readonly samplePayload: string | null;
};
export type IntegrationChanges = Partial<
  Pick<Integration, 'name' | 'active' | 'apiUrl'> & Pick<NewIntegration, 'keyDigest' | 'sealedKey'>
>;

export interface IntegrationRepository {
  /** @throws Invalid at `type` when the project has one of that type already, and may have one only. */
  add(integration: NewIntegration): Promise<Integration>;
  find(projectId: ProjectId, id: number): Promise<Integration | undefined>;
  /** All of a project; of works that change one project's integrations, each waits for the one before. */
  takeAll(projectId: ProjectId): Promise<readonly Integration[]>;
  /**
   * The integrations of these ids as they are now, and as they stay until the transaction ends; without those that were removed,
   * alone or with their project.
   */
  hold(ids: readonly number[]): Promise<ReadonlyMap<number, IntegrationState>>;
  update(id: number, changes: IntegrationChanges, at: Date): Promise<void>;
  remove(id: number): Promise<void>;
}

export interface AlertSettings {
  /** Whether a new alert opens an incident. */
  readonly createIncident: boolean;
  /** Whether an alert that ends closes its incident. */
  readonly autoCloseIncident: boolean;
  /** Whether maintainers and owners are mailed. */
  readonly sendEmail: boolean;
}

/** The settings, beside what the project lets them do. */
export interface AlertSettingsInProject extends AlertSettings {
  /** Whether it has issues at all. */
  readonly takesIncidents: boolean;
}

export const DEFAULT_ALERT_SETTINGS: AlertSettings = {
  createIncident: true,
  autoCloseIncident: true,
  sendEmail: false,
};

export interface AlertSettingsRepository {
  find(projectId: ProjectId): Promise<AlertSettingsInProject>;
  save(projectId: ProjectId, settings: AlertSettings): Promise<void>;
}

export interface Delivery {
  readonly integrationId: number;
  readonly outcome: 'accepted' | 'refused' | 'throttled';
  readonly reason: string;
  readonly status: number;
  readonly alertIids: readonly number[];
  readonly payload: string | null;
  readonly receivedAt: Date;
}

/** A request that is counted once. */
export interface RequestKey {
  readonly integrationId: number;
  readonly keyDigest: string;
}

export type Claim = RequestKey & { readonly bodyDigest: string; readonly expiresAt: Date };
export type ClaimedBefore = RequestKey & { readonly bodyDigest: string; readonly answer: string | null };

export interface DeliveryRepository {
  add(deliveries: readonly Delivery[]): Promise<void>;
  /**
   * Remembers requests by their keys, which differ, each for as long as `expiresAt` says.
   * @returns of the keys that were there before what their requests said: the body and the answer.
   */
  claim(claims: readonly Claim[]): Promise<readonly ClaimedBefore[]>;
  /**
   * Keeps of each integration the latest requests, and of fewer their payloads; of each alert the latest arrivals.
   * @returns how many rows were removed or emptied, at most `limit` of each kind: call again until it is 0.
   */
  trim(
    kept: { readonly requests: number; readonly payloads: number; readonly arrivals: number },
    limit: number,
  ): Promise<number>;
  /** Keeps what was answered to the requests of keys. */
  answer(answers: readonly (RequestKey & { readonly answer: string })[]): Promise<void>;
}

export interface AlertsRepositories {
  readonly alerts: AlertRepository;
  readonly alertIntegrations: IntegrationRepository;
  readonly alertSettings: AlertSettingsRepository;
  readonly alertDeliveries: DeliveryRepository;
}
