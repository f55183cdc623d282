import { Type } from '@sinclair/typebox';
import {
  ERROR_TRACKING_SETTING,
  type ErrorTracking,
} from '../../../../../application/error-tracking/error-tracking.js';
import type { ErrorTrackingReader } from '../../../../../application/error-tracking/ports/error-tracking-repository.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type {
  ErrorTrackingChange,
  ErrorTrackingSettings,
} from '../../../../../domain/error-tracking/error-tracking-settings.js';
import { projectNameOf, trackerExternalUrlOf } from '../../../../../domain/error-tracking/tracker-project.js';
import { given } from '../../kit/given.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import type { GuardContext, Route } from '../../route.js';
import { nullable, text, type ParametersOf } from '../../validation/parameters.js';

export interface ErrorTrackingRoutesParts {
  readonly access: WorkspaceAccess;
  readonly errorTracking: ErrorTracking;
  readonly errorTrackingReader: ErrorTrackingReader;
}
type Parts = ErrorTrackingRoutesParts;

const PATH = '/projects/:id/error_tracking/settings';

const { get, patch, put } = routesOf({ tag: 'Error tracking', since: '12.7' });

const SettingsSchema = component(
  'schemas/ErrorTrackingSettings',
  Type.Object({
    active: Type.Boolean({ description: 'Whether error tracking is enabled' }),
    project_name: Type.String({ description: 'Name of the project in the external error tracker' }),
    tracker_external_url: Type.String({ description: 'URL of the project in the external error tracker' }),
    sentry_external_url: Type.String({ description: 'The same, by the name that some clients read' }),
    api_url: Type.String({ description: 'API URL of that project' }),
  }),
);

/** Specification, "Error tracking settings": what everybody may read who may change it. The token is not in it. */
const present = (settings: ErrorTrackingSettings) => ({
  active: settings.active,
  project_name: projectNameOf(settings),
  tracker_external_url: trackerExternalUrlOf(settings),
  sentry_external_url: trackerExternalUrlOf(settings),
  api_url: settings.apiUrl,
});

const CHANGE = {
  api_url: Type.Optional(
    text(1_000, 'Needed the first time; another one clears what is not sent along, the token above all'),
  ),
  project_name: Type.Optional(nullable(text(1_000, 'By default the project’s part of the API URL in title case'))),
  tracker_external_url: Type.Optional(
    nullable(text(1_000, 'By default the API URL without `api/0/projects/`; also taken as `sentry_external_url`')),
  ),
  sentry_external_url: Type.Optional(nullable(text(1_000, 'Where `tracker_external_url` is not sent'))),
  token: Type.Optional(nullable(text(1_000, 'Kept sealed and never answered', { writeOnly: true }))),
  active: Type.Optional(Type.Boolean({ description: 'True the first time, unless it is sent' })),
};

const changeIn = (sent: ParametersOf<typeof CHANGE>): ErrorTrackingChange => {
  const { api_url: apiUrl, project_name: projectName, token, active } = sent;
  const { tracker_external_url: trackerExternalUrl = sent.sentry_external_url } = sent;
  return given({ apiUrl, projectName, trackerExternalUrl, token, active });
};

const inSettings = ({ access, errorTrackingReader }: Parts) => {
  const place = inProject(access, 'manage_error_tracking');
  return async (context: GuardContext) => {
    const permitted = await place.decide(context);
    const settings = await errorTrackingReader.find(permitted.project.id);
    return { ...permitted, settings: orNotFound(settings, ERROR_TRACKING_SETTING) };
  };
};

export const getErrorTrackingSettings = (parts: Parts) =>
  get(PATH, 'getErrorTrackingSettings', {
    summary: 'Where the errors of a project are tracked',
    access: 'user',
    parameters: { id: PROJECT_ID },
    answer: SettingsSchema,
    guard: inSettings(parts),
    handle: ({ subject }) => present(subject.settings),
  });

export const switchErrorTracking = (parts: Parts) =>
  patch(PATH, 'switchErrorTracking', {
    summary: 'Enable error tracking that is configured, or disable it',
    access: 'user',
    parameters: { id: PROJECT_ID, active: Type.Boolean({ description: 'True enables, false disables' }) },
    answer: SettingsSchema,
    guard: inSettings(parts),
    handle: async ({ subject, parameters: { active } }) =>
      present(await parts.errorTracking.setActive(subject, active)),
  });

export const configureErrorTracking = ({ access, errorTracking }: Parts) =>
  put(PATH, 'configureErrorTracking', {
    summary: 'Configure where the errors of a project are tracked',
    description:
      'What is not sent stays as it is. Addresses in private networks are refused, unless the installation allows them.',
    access: 'user',
    parameters: { id: PROJECT_ID, ...CHANGE },
    answer: SettingsSchema,
    guard: inProject(access, 'manage_error_tracking'),
    handle: async ({ subject, parameters: sent }) => present(await errorTracking.configure(subject, changeIn(sent))),
  });

export const createErrorTrackingRoutes = (parts: Parts): readonly Route[] =>
  [getErrorTrackingSettings, switchErrorTracking, configureErrorTracking].map((make) => make(parts));
