import { Type } from '@sinclair/typebox';
import type { RemoteMirrorReader } from '../../../../../application/mirrors/ports/mirror-ports.js';
import type { RemoteMirrors } from '../../../../../application/mirrors/remote-mirrors.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { MIRROR_STATUSES, type RemoteMirror } from '../../../../../domain/mirrors/remote-mirror.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import { MAX_REMOTE_URL, maskedUrl } from '../../../../../domain/shared/remote-url.js';
import { given } from '../../kit/given.js';
import { found, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import { route, type Route } from '../../route.js';
import { nullable, oneOf, parameters, pathId, text, type ParametersOf } from '../../validation/parameters.js';

export interface MirrorRoutesParts {
  readonly access: WorkspaceAccess;
  readonly remoteMirrors: RemoteMirrors;
  readonly remoteMirrorReader: RemoteMirrorReader;
}
type Parts = MirrorRoutesParts;

const TAG = 'Remote mirrors';
const ALL = '/projects/:id/remote_mirrors';
const ONE = `${ALL}/:mirror_id`;
const IN_PATH = { id: PROJECT_ID, mirror_id: pathId('Numeric id of the mirror') };
const { list, get, post, remove } = routesOf({ tag: TAG });

const FIELDS = {
  enabled: Type.Optional(Type.Boolean({ description: 'Whether it gets what is pushed' })),
  only_protected_branches: Type.Optional(Type.Boolean({ description: 'Whether it gets no other branches' })),
  keep_divergent_refs: Type.Optional(
    Type.Boolean({ description: 'Whether what has moved on there, or is there alone, stays as it is' }),
  ),
  auth_method: Type.Optional(oneOf(['password'], { description: 'By the user name and the password in the URL' })),
  mirror_branch_regex: Type.Optional(nullable(text(255))),
};

const instant = () => nullable(Type.String({ format: 'date-time' }));
const MirrorSchema = component(
  'schemas/RemoteMirror',
  Type.Object({
    id: Type.Integer(),
    enabled: Type.Boolean(),
    url: Type.String({ description: 'User name and password are masked' }),
    auth_method: Type.Literal('password'),
    only_protected_branches: Type.Boolean(),
    keep_divergent_refs: Type.Boolean(),
    update_status: Type.Union(MIRROR_STATUSES.map((status) => Type.Literal(status))),
    last_error: nullable(Type.String()),
    last_update_started_at: instant(),
    last_update_at: instant(),
    last_successful_update_at: instant(),
  }),
);

const present = (mirror: RemoteMirror) => ({
  id: mirror.id,
  enabled: mirror.enabled,
  url: maskedUrl(mirror.url, mirror.hasCredentials),
  auth_method: 'password',
  only_protected_branches: mirror.onlyProtectedBranches,
  keep_divergent_refs: mirror.keepDivergentRefs,
  update_status: mirror.status,
  last_error: mirror.lastError,
  last_update_started_at: mirror.lastUpdateStartedAt?.toISOString() ?? null,
  last_update_at: mirror.lastUpdateAt?.toISOString() ?? null,
  last_successful_update_at: mirror.lastSuccessfulUpdateAt?.toISOString() ?? null,
});

/** @throws Invalid for what is not to be had. */
const settingsOf = (sent: ParametersOf<typeof FIELDS>) => {
  if ((sent.mirror_branch_regex ?? '') !== '')
    throw new Invalid({ mirror_branch_regex: ['is not supported: choose only_protected_branches'] });
  return given({
    enabled: sent.enabled,
    onlyProtectedBranches: sent.only_protected_branches,
    keepDivergentRefs: sent.keep_divergent_refs,
  });
};

const inMirror = ({ access, remoteMirrorReader }: Parts) =>
  found('Mirror', 'mirror_id', inProject(access, 'manage_mirrors'), ({ project }, id: number) =>
    remoteMirrorReader.find(project.id, id),
  );

const show = async ({ remoteMirrorReader }: Parts, { projectId, id }: Pick<RemoteMirror, 'projectId' | 'id'>) =>
  present(orNotFound(await remoteMirrorReader.find(projectId, id)));

const listMirrors = ({ access, remoteMirrorReader }: Parts) =>
  list(ALL, 'listRemoteMirrors', {
    summary: 'Mirrors of a project',
    access: 'user',
    parameters: { id: PROJECT_ID },
    items: MirrorSchema,
    guard: inProject(access, 'manage_mirrors'),
    read: ({ subject: { project }, page }) => remoteMirrorReader.list(project.id, page),
    present,
  });

const getMirror = (parts: Parts) =>
  get(ONE, 'getRemoteMirror', {
    summary: 'One mirror',
    access: 'user',
    parameters: IN_PATH,
    answer: MirrorSchema,
    guard: inMirror(parts),
    handle: ({ subject: { mirror } }) => present(mirror),
  });

const addMirror = (parts: Parts) =>
  post(ALL, 'addRemoteMirror', {
    summary: 'Add a mirror',
    description:
      'Git is spoken over HTTPS or HTTP, as the user name and password in `url` let it. It gets nothing before `enabled` is true. 422 for more than 10 mirrors.',
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      url: text(MAX_REMOTE_URL, 'The repository, as in `https://user:password@host/path.git`', { writeOnly: true }),
      ...FIELDS,
    },
    answer: MirrorSchema,
    guard: inProject(parts.access, 'manage_mirrors'),
    handle: async ({ subject, parameters: { url, ...fields } }) => {
      const id = await parts.remoteMirrors.add(subject, url, settingsOf(fields));
      return show(parts, { projectId: subject.project.id, id });
    },
  });

/** Some clients change one by POST. */
const editMirror =
  (method: 'put' | 'post', operationId: string) =>
  (parts: Parts): Route =>
    route({
      method,
      path: ONE,
      operationId,
      summary: 'Change a mirror',
      description: 'Its `url` stays: add another mirror in its place.',
      tag: TAG,
      access: 'user',
      parameters: parameters({ ...IN_PATH, ...FIELDS }),
      responses: { 200: MirrorSchema },
      guard: inMirror(parts),
      handle: async ({ subject, parameters: fields }) => {
        await parts.remoteMirrors.edit(subject, subject.mirror, settingsOf(fields));
        return { body: await show(parts, subject.mirror) };
      },
    });

const removeMirror = (parts: Parts) =>
  remove(ONE, 'removeRemoteMirror', {
    summary: 'Remove a mirror; what it has stays there',
    access: 'user',
    parameters: IN_PATH,
    guard: inMirror(parts),
    handle: ({ subject }) => parts.remoteMirrors.remove(subject, subject.mirror),
  });

const syncMirror = (parts: Parts) =>
  route({
    method: 'post',
    path: `${ONE}/sync`,
    operationId: 'syncRemoteMirror',
    summary: 'Update a mirror as soon as may be',
    description: '400 for one that is disabled.',
    tag: TAG,
    access: 'user',
    parameters: parameters(IN_PATH),
    responses: { 204: null },
    guard: inMirror(parts),
    handle: async ({ subject }) => {
      await parts.remoteMirrors.sync(subject, subject.mirror);
      return { status: 204 };
    },
  });

/** Repositories elsewhere that get what is pushed to a project. */
export const createMirrorRoutes = (parts: Parts): readonly Route[] =>
  [
    listMirrors,
    getMirror,
    addMirror,
    editMirror('put', 'editRemoteMirror'),
    editMirror('post', 'editRemoteMirrorByPost'),
    removeMirror,
    syncMirror,
  ].map((make) => make(parts));
