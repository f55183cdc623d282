import { Type } from '@sinclair/typebox';
import {
  ERROR_TRACKING_SETTING,
  type ErrorTracking,
} from '../../../../../application/error-tracking/error-tracking.js';
import type { ErrorTrackingReader } from '../../../../../application/error-tracking/ports/error-tracking-repository.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type {
  ErrorTrackingChange,
  ErrorTrackingSettings,
} from '../../../../../domain/error-tracking/error-tracking-settings.js';
import { projectNameOf, trackerExternalUrlOf } from '../../../../../domain/error-tracking/tracker-project.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { route, type PathParameters, type Route } from '../../route.js';
import { nullable, parameters, pathId, text } from '../../validation/parameters.js';

export interface ErrorTrackingRoutesParts {
  readonly access: WorkspaceAccess;
  readonly errorTracking: ErrorTracking;
  readonly errorTrackingReader: ErrorTrackingReader;
}

const TAG = 'Error tracking';
const SINCE = '12.7';
const PATH = '/projects/:id/error_tracking/settings';

const SettingsSchema = Type.Object({
  active: Type.Boolean({ description: 'Whether error tracking is enabled' }),
  project_name: Type.String({ description: 'Name of the project in the external error tracker' }),
  tracker_external_url: Type.String({ description: 'URL of the project in the external error tracker' }),
  sentry_external_url: Type.String({ description: 'The same, by the name that some clients read' }),
  api_url: Type.String({ description: 'API URL of that project' }),
});

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

interface GivenChange {
  readonly api_url?: string;
  readonly project_name?: string | null;
  readonly tracker_external_url?: string | null;
  readonly sentry_external_url?: string | null;
  readonly token?: string | null;
  readonly active?: boolean;
}

const toChange = (given: GivenChange): ErrorTrackingChange => {
  const { api_url: apiUrl, project_name: projectName, token, active } = given;
  const { tracker_external_url: trackerExternalUrl = given.sentry_external_url } = given;
  return {
    ...(apiUrl === undefined ? {} : { apiUrl }),
    ...(projectName === undefined ? {} : { projectName }),
    ...(trackerExternalUrl === undefined ? {} : { trackerExternalUrl }),
    ...(token === undefined ? {} : { token }),
    ...(active === undefined ? {} : { active }),
  };
};

interface Context {
  readonly actor: Actor;
  readonly path: PathParameters;
}

export const createErrorTrackingRoutes = (parts: ErrorTrackingRoutesParts): readonly Route[] => {
  const { access, errorTracking, errorTrackingReader } = parts;
  const id = pathId('Number, or URL-encoded path of the project');

  const findProject = ({ actor, path }: Context): Promise<PermittedProject<'manage_error_tracking'>> =>
    access.project(actor, path['id'], 'manage_error_tracking');

  const findSettings = async (context: Context) => {
    const permitted = await findProject(context);
    const settings = await errorTrackingReader.find(permitted.project.id);
    if (settings === undefined) throw new NotFound(ERROR_TRACKING_SETTING);
    return { ...permitted, settings };
  };

  const get = route({
    method: 'get',
    path: PATH,
    operationId: 'getErrorTrackingSettings',
    summary: 'Where the errors of a project are tracked',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters({ id }),
    responses: { 200: SettingsSchema },
    guard: findSettings,
    handle: ({ subject }) => Promise.resolve({ body: present(subject.settings) }),
  });

  const patch = route({
    method: 'patch',
    path: PATH,
    operationId: 'switchErrorTracking',
    summary: 'Enable error tracking that is configured, or disable it',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters({ id, active: Type.Boolean({ description: 'True enables, false disables' }) }),
    responses: { 200: SettingsSchema },
    guard: findSettings,
    handle: async ({ subject, parameters: { active } }) => ({
      body: present(await errorTracking.setActive(subject, active)),
    }),
  });

  const put = route({
    method: 'put',
    path: PATH,
    operationId: 'configureErrorTracking',
    summary: 'Configure where the errors of a project are tracked',
    description:
      'What is not sent stays as it is. Addresses in private networks are refused, unless the installation allows them.',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters({ id, ...CHANGE }),
    responses: { 200: SettingsSchema },
    guard: findProject,
    handle: async ({ subject, parameters: given }) => ({
      body: present(await errorTracking.configure(subject, toChange(given))),
    }),
  });

  return [get, patch, put];
};
