import type { ProjectId } from '../shared/identifiers.js';
import { outboundUrlProblem, type MayReach } from '../shared/outbound-url.js';
import type { ProblemCollector } from '../shared/problem-collector.js';

/** Where the errors of a project are tracked. The token of the tracker is no part of it: nobody reads it back. */
export interface ErrorTrackingSettings {
  readonly projectId: ProjectId;
  readonly active: boolean;
  /** The API of the project at the tracker, as it was given. */
  readonly apiUrl: string;
  /** Null: what the API URL says. */
  readonly projectName: string | null;
  /** Null: what the API URL says. */
  readonly trackerExternalUrl: string | null;
  /** Whether a token is kept. */
  readonly tokenStored: boolean;
}

/** What is absent stays as it is; what is null or blank goes. */
export interface ErrorTrackingChange {
  readonly active?: boolean;
  readonly apiUrl?: string;
  readonly projectName?: string | null;
  readonly trackerExternalUrl?: string | null;
  readonly token?: string | null;
}

export interface DecidedChange {
  readonly settings: ErrorTrackingSettings;
  /** The token to keep from now on, null for none; absent when the one that is kept stays. */
  readonly token?: string | null;
}

/**
 * What a change makes of the settings, `before` being absent on a project that has none yet.
 * Another API URL is another project at the tracker, perhaps at somebody else's: what was said of the old one, its token above
 * all, goes unless it is said again.
 */
export const decideChange = (
  projectId: ProjectId,
  before: ErrorTrackingSettings | undefined,
  change: ErrorTrackingChange,
): DecidedChange => {
  const { apiUrl: oldUrl, active } = before ?? { apiUrl: '', active: true };
  const apiUrl = change.apiUrl?.trim() ?? oldUrl;
  const same = before !== undefined && oldUrl === apiUrl ? before : FORGOTTEN;
  const kept = {
    projectId,
    active: change.active ?? active,
    apiUrl,
    projectName: textOr(same.projectName, change.projectName),
    trackerExternalUrl: textOr(same.trackerExternalUrl, change.trackerExternalUrl),
  };
  const token = change.token === undefined && same === FORGOTTEN ? null : change.token;
  if (token === undefined) return { settings: { ...kept, tokenStored: same.tokenStored } };
  const newToken = textOr(null, token);
  return { settings: { ...kept, tokenStored: newToken !== null }, token: newToken };
};

/** What is left of settings for another project. */
const FORGOTTEN = { projectName: null, trackerExternalUrl: null, tokenStored: false };

const textOr = (before: string | null | undefined, given: string | null | undefined): string | null => {
  if (given === undefined) return before ?? null;
  const text = given?.trim() ?? '';
  return text === '' ? null : text;
};

const MAX_NAME = 255;

// It travels in a header one day: what ends a header, or can't stand in one, is refused.
const TOKEN = /^[\x21-\x7e]{1,1000}$/;

export const checkErrorTracking = (
  problems: ProblemCollector,
  { settings: { apiUrl, projectName, trackerExternalUrl }, token }: DecidedChange,
  mayReach: MayReach,
): void => {
  const problem = apiUrl === '' ? "can't be blank" : outboundUrlProblem(apiUrl, mayReach);
  if (problem !== undefined) problems.add('api_url', problem);
  const external = trackerExternalUrl === null ? undefined : outboundUrlProblem(trackerExternalUrl, mayReach);
  if (external !== undefined) problems.add('tracker_external_url', external);
  problems
    .check((projectName?.length ?? 0) <= MAX_NAME, 'project_name', 'is too long (maximum is 255 characters)')
    .check(
      token == null || TOKEN.test(token),
      'token',
      'must be letters, digits and signs without spaces, at most 1000',
    );
};
