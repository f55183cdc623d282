import { Type } from '@sinclair/typebox';
import type { PullMirrorReader } from '../../../../../application/mirrors/ports/pull-mirror-ports.js';
import type { PullMirrors } from '../../../../../application/mirrors/pull-mirrors.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { PULL_STATUSES, type PullMirror } from '../../../../../domain/mirrors/pull-mirror.js';
import { Invalid, NotPossible } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { MAX_REMOTE_URL, maskedUrl } from '../../../../../domain/shared/remote-url.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import { route, type Route } from '../../route.js';
import { nullable, parameters, text } from '../../validation/parameters.js';
import { pullChangesIn, PULL_FIELDS } from './pull-fields.js';

export interface PullMirrorRoutesParts {
  readonly access: WorkspaceAccess;
  readonly pullMirrors: PullMirrors;
  readonly pullMirrorReader: PullMirrorReader;
}
type Parts = PullMirrorRoutesParts;

const TAG = 'Remote mirrors';
const PATH = '/projects/:id/mirror/pull';
const { get, put } = routesOf({ tag: TAG });

const instant = () => nullable(Type.String({ format: 'date-time' }));
const PullMirrorSchema = component(
  'schemas/PullMirror',
  Type.Object({
    enabled: Type.Boolean(),
    url: Type.String({ description: 'User name and password are masked' }),
    mirror_trigger_builds: Type.Boolean(),
    only_mirror_protected_branches: Type.Boolean(),
    mirror_overwrites_diverged_branches: Type.Boolean(),
    mirror_branch_regex: Type.Null(),
    update_status: Type.Union(PULL_STATUSES.map((status) => Type.Literal(status))),
    last_error: nullable(Type.String()),
    last_update_started_at: instant(),
    last_update_at: instant(),
    last_successful_update_at: instant(),
  }),
);

const present = (mirror: PullMirror) => ({
  enabled: mirror.enabled,
  url: maskedUrl(mirror.url, mirror.hasCredentials),
  mirror_trigger_builds: mirror.triggersBuilds,
  only_mirror_protected_branches: mirror.onlyProtectedBranches,
  mirror_overwrites_diverged_branches: mirror.overwritesDiverged,
  mirror_branch_regex: null,
  update_status: mirror.status,
  last_error: mirror.lastError,
  last_update_started_at: mirror.lastUpdateStartedAt?.toISOString() ?? null,
  last_update_at: mirror.lastUpdateAt?.toISOString() ?? null,
  last_successful_update_at: mirror.lastSuccessfulUpdateAt?.toISOString() ?? null,
});

/** @throws NotPossible where the project follows none. */
const show = async ({ pullMirrorReader }: Parts, projectId: ProjectId) => {
  const mirror = await pullMirrorReader.find(projectId);
  if (mirror === undefined) throw new NotPossible('The project is not mirrored');
  return present(mirror);
};

const getPullMirror = (parts: Parts) =>
  get(PATH, 'getPullMirror', {
    summary: 'How the updates stand of a project that follows a repository elsewhere',
    description: '400 where it follows none.',
    access: 'user',
    parameters: { id: PROJECT_ID },
    answer: PullMirrorSchema,
    guard: inProject(parts.access, 'manage_mirrors'),
    handle: ({ subject: { project } }) => show(parts, project.id),
  });

const setPullMirror = (parts: Parts) =>
  put(PATH, 'setPullMirror', {
    summary: 'Follow a repository elsewhere, or change how',
    description: 'What is not sent stays. It is updated at once, in the name of whoever says so.',
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      enabled: Type.Optional(
        Type.Boolean({ description: 'Whether it is followed; false leaves what came from there' }),
      ),
      url: Type.Optional(
        text(MAX_REMOTE_URL, 'The repository, as in `https://user:password@host/path.git`', { writeOnly: true }),
      ),
      auth_user: Type.Optional(text(255, 'The user name, where `url` has none', { writeOnly: true })),
      auth_password: Type.Optional(text(1_000, 'The same of the password', { writeOnly: true })),
      ...PULL_FIELDS,
      mirror_branch_regex: Type.Optional(nullable(text(255))),
    },
    answer: PullMirrorSchema,
    guard: inProject(parts.access, 'manage_mirrors'),
    handle: async ({ actor, subject, parameters: { id: _id, ...sent } }) => {
      if ((sent.mirror_branch_regex ?? '') !== '')
        throw new Invalid({ mirror_branch_regex: ['is not supported: choose only_mirror_protected_branches'] });
      const { enabled, url, auth_user: user = '', auth_password: password = '' } = sent;
      const changes = pullChangesIn({ ...sent, mirror: enabled, import_url: withCredentials(url, user, password) });
      await parts.pullMirrors.set(subject, changes, actor.id);
      return show(parts, subject.project.id);
    },
  });

/** @throws Invalid where they belong to no URL. */
const withCredentials = (text: string | undefined, user: string, password: string): string | undefined => {
  if (user === '' && password === '') return text;
  if (text === undefined) throw new Invalid({ url: ['is needed beside auth_user and auth_password'] });
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  return url.href;
};

const startPull = (parts: Parts): Route =>
  route({
    method: 'post',
    path: PATH,
    operationId: 'startPullMirror',
    summary: 'Update a project from the repository that it follows, as soon as may be',
    description: '400 where it follows none, or that is disabled.',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID }),
    responses: { 200: PullMirrorSchema },
    guard: inProject(parts.access, 'manage_mirrors'),
    handle: async ({ subject }) => {
      await parts.pullMirrors.hurry(subject);
      return { body: await show(parts, subject.project.id) };
    },
  });

/** Repositories elsewhere that projects follow. */
export const createPullMirrorRoutes = (parts: Parts): readonly Route[] =>
  [getPullMirror, setPullMirror, startPull].map((make) => make(parts));
