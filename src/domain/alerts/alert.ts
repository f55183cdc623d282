import type { ProjectId } from '../shared/identifiers.js';
import type { Severity } from './severity.js';

export const ALERT_STATUSES = ['triggered', 'acknowledged', 'resolved', 'ignored'] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

export interface Alert {
  readonly id: number;
  readonly projectId: ProjectId;
  /** Counted within the project. */
  readonly iid: number;
  readonly integrationId: number | null;
  readonly issueId: number | null;
  readonly status: AlertStatus;
  readonly severity: Severity;
  readonly title: string;
  readonly description: string | null;
  readonly service: string | null;
  readonly monitoringTool: string | null;
  readonly hosts: readonly string[];
  /** The name as it was given. */
  readonly environment: string | null;
  /** Lower-case hex SHA-256; absent where nothing groups it. */
  readonly fingerprint: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  /** How often it arrived. */
  readonly events: number;
  /** The JSON text as it was sent. */
  readonly payload: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const DEFAULT_TITLE = 'New: Incident';

/** Everything but resolved takes repeats. */
export const isOpen = ({ status }: Pick<Alert, 'status'>): boolean => status !== 'resolved';

/** What an arriving element of a payload says, read and cut to size. */
export interface AlertSignal extends Pick<
  Alert,
  | 'severity'
  | 'title'
  | 'description'
  | 'service'
  | 'monitoringTool'
  | 'hosts'
  | 'environment'
  | 'startedAt'
  | 'payload'
> {
  /** What was asked that it is the answer to, as far as the payload tells: its incident says so. */
  readonly query: string | null;
  /** When given, an open alert is resolved. */
  readonly endedAt: Date | null;
  /** What the fingerprint is made of; absent where nothing groups it. */
  readonly fingerprintSource: string | null;
}
