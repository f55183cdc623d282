import type { Alert, AlertStatus } from '../../../domain/alerts/alert.js';
import type { Integration } from '../../../domain/alerts/integration.js';
import type { Severity } from '../../../domain/alerts/severity.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest, SortDirection } from '../../../domain/shared/page.js';
import type { Viewer } from '../../workspace/ports/workspace-readers.js';
import type { AlertSettings, Delivery } from './alert-repositories.js';

export type AlertDetails = Alert & { readonly issueIid: number | null };

/** An alert of a list; its payload is null where the list is large enough without it. */
export type ListedAlert = Omit<AlertDetails, 'payload'> & { readonly payload: string | null };

export interface AlertQuery {
  readonly projectId: ProjectId;
  readonly statuses?: readonly AlertStatus[];
  readonly severity?: Severity;
  readonly environment?: string;
  readonly service?: string;
  readonly monitoringTool?: string;
  readonly search?: string;
  readonly orderBy:
    'started_at' | 'ended_at' | 'events' | 'severity' | 'status' | 'title' | 'incident' | 'created_at' | 'updated_at';
  readonly sort: SortDirection;
  readonly page: PageRequest;
  /** As many bytes of payloads are read, in all. */
  readonly payloadBytes: number;
}

export interface Arrival {
  readonly outcome: string;
  readonly reason: string;
  readonly at: Date;
}

export interface EnvironmentCounts {
  readonly name: string;
  readonly open: number;
  readonly total: number;
}

/** How many open alerts of a severity a project has. */
export interface OpenAlertCount {
  readonly projectPath: string;
  readonly severity: Severity;
  readonly count: number;
}

/** How many alerts of a severity started on a UTC day (`YYYY-MM-DD`). */
export interface DailyAlerts {
  readonly day: string;
  readonly severity: Severity;
  readonly count: number;
}

/** Which alerts of a project are meant. */
export type AlertFilter = Omit<AlertQuery, 'orderBy' | 'sort' | 'page' | 'payloadBytes'>;

export interface AlertReader {
  find(projectId: ProjectId, iid: number): Promise<AlertDetails | undefined>;
  list(query: AlertQuery): Promise<Page<ListedAlert>>;
  /** How many alerts of a project are in each status. */
  countByStatus(projectId: ProjectId): Promise<Readonly<Record<AlertStatus, number>>>;
  /** Of the projects that the viewer is a Developer of, or more; the worst first, and at most a hundred counts. */
  countOpen(viewer: Viewer): Promise<readonly OpenAlertCount[]>;
  /** How many alerts each environment has that alerts have named. */
  environments(projectId: ProjectId): Promise<readonly EnvironmentCounts[]>;
  /** By the days on which they started, of the latest so many. */
  countByDay(filter: AlertFilter, from: Date, limit: number): Promise<readonly DailyAlerts[]>;
  /** The latest first. */
  arrivals(alertId: number, limit: number): Promise<readonly Arrival[]>;
  settings(projectId: ProjectId): Promise<AlertSettings>;
}

/** An integration beside what proves that a sender may use it. */
export interface IntegrationWithKey {
  readonly integration: Integration;
  readonly keyDigest: string;
  readonly sealedKey: string;
}

export type ListedDelivery = Delivery & {
  readonly id: number;
  /** Whether there is a payload that the list is large enough without. */
  readonly payloadOmitted: boolean;
};

export interface IntegrationReader {
  list(projectId: ProjectId, page: PageRequest): Promise<Page<IntegrationWithKey>>;
  find(projectId: ProjectId, id: number): Promise<IntegrationWithKey | undefined>;
  /** By the address that a sender posts to: the path of the project, and the type or the identifier. Case of the path does not count. */
  findByAddress(
    projectPath: string,
    at: { readonly type: 'generic' | 'prometheus' } | { readonly identifier: string },
  ): Promise<IntegrationWithKey | undefined>;
  /** @param payloadBytes as many bytes of payloads are read, in all. */
  deliveries(integrationId: number, page: PageRequest, payloadBytes: number): Promise<Page<ListedDelivery>>;
  findDelivery(integrationId: number, id: number): Promise<ListedDelivery | undefined>;
}
