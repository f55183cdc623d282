import { Type } from '@sinclair/typebox';
import { refuseBot, type UserActor } from '../../../../../application/shared/actor.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import { identifierIn, type NamespaceId, type UserId } from '../../../../../domain/shared/identifiers.js';
import { AcceptedSchema, ACCEPTED } from '../../accepted.js';
import { identifiedBy, inProject, namedBy, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { route, type GuardContext, type Route } from '../../route.js';
import { identifier, parameters, pathId, requiredText } from '../../validation/parameters.js';
import { pullChangesIn, type SentPull } from '../mirrors/pull-fields.js';
import { findUser } from '../users/find-user.js';
import { beginProject, type BeginProjectParts } from './begin-project.js';
import { changesIn, creationBy, CREATION_FIELDS, EDIT_FIELDS, firstCodeIn, requireAny } from './project-fields.js';
import { listGroupProjects, listProjects, listUserProjects } from './project-list-routes.js';
import { getProjectImport } from './project-import-route.js';
import { AnyProjectSchema, ProjectSchema } from './project-schema.js';
import { licenseOf, type ProjectLicenseParts } from './project-license.js';
import { ShowProjects, type ShowProjectsParts } from './show-projects.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import type { CiArtifactReader } from '../../../../../application/pipelines/ports/artifact-ports.js';
import type { PullMirrorReader } from '../../../../../application/mirrors/ports/pull-mirror-ports.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { PackageReader } from '../../../../../application/packages/ports/package-ports.js';
import type { UploadReader } from '../../../../../application/uploads/ports/upload-ports.js';
import type { CodeStatistics } from '../../../../../application/repositories/browse/code-statistics.js';
import { presentStatistics } from './present-project.js';

export interface ProjectRoutesParts extends ShowProjectsParts, BeginProjectParts, ProjectLicenseParts {
  readonly codeStatistics: CodeStatistics;
  readonly pullMirrorReader: PullMirrorReader;
  readonly uploadReader: Pick<UploadReader, 'sizeOf'>;
  readonly artifactReader: Pick<CiArtifactReader, 'sizesOf'>;
  readonly packageReader: Pick<PackageReader, 'sizesOf'>;
}
type Parts = ProjectRoutesParts;

const TAG = 'Projects';
const ONE = '/projects/:id';
const MAX_PATH = 2_000;

const { get, post, put } = routesOf({ tag: TAG });

const permitOwn = async ({ access, reader }: Parts, actor: UserActor, userId: UserId) => {
  refuseBot(actor, 'own projects: name a group');
  const own = orNotFound(await reader.findPersonalNamespace(userId), 'Namespace');
  return access.namespaceForProjects(actor, own.id);
};

export const getProject = (parts: Parts) =>
  get(ONE, 'getProject', {
    summary: 'One project',
    access: 'anyone',
    parameters: {
      id: PROJECT_ID,
      statistics: Type.Boolean({ default: false, description: 'Whether Reporters and above are told how large it is' }),
      license: Type.Boolean({ default: false, description: 'Whether it is told which license its code has' }),
    },
    answer: AnyProjectSchema,
    guard: inProject(parts.access, 'read_project'),
    handle: async ({ actor, subject, parameters: { statistics, license } }) => {
      const project = await new ShowProjects(parts).permitted(actor, subject);
      const shown = license ? { ...project, ...(await licenseOf(parts, actor, subject)) } : project;
      const code = parts.access.alsoWhere(actor, subject, 'read_code');
      if (!statistics || subject.level < ACCESS_LEVEL.reporter || code === undefined) return shown;
      const { id } = code.project;
      const files = {
        uploads: await parts.uploadReader.sizeOf(id),
        artifacts: (await parts.artifactReader.sizesOf(id)).bytes,
        packages: (await parts.packageReader.sizesOf(id)).bytes,
      };
      return { ...shown, statistics: presentStatistics(await parts.codeStatistics.of(code), files) };
    },
  });

export const createProject = (parts: Parts) =>
  post('/projects', 'createProject', {
    summary: 'Create a project in your own namespace or in a group',
    description:
      'One of `name` and `path` is needed. With `import_url` its code is fetched from there: `import_status` becomes `finished`, or `failed` with `import_error`.',
    access: 'user',
    parameters: { ...CREATION_FIELDS, namespace_id: Type.Optional(identifier<NamespaceId>('Your own, or a group’s')) },
    answer: ProjectSchema,
    guard: async (context) => {
      const { actor, sent } = context;
      if (sent['namespace_id'] === undefined) return permitOwn(parts, actor, actor.id);
      const id = identifiedBy<NamespaceId>(context, 'namespace_id');
      return id && parts.access.namespaceForProjects(actor, id);
    },
    handle: async ({ actor, subject, parameters: fields }) => {
      // Without one the number was beyond every identifier: what is none at all was refused with the other parameters.
      const namespace = orNotFound(subject, 'Namespace');
      const id = await beginProject(parts, namespace, creationBy(actor.id, fields), firstCodeIn(fields));
      return new ShowProjects(parts).written(actor, id);
    },
  });

export const createProjectForUser = (parts: Parts) =>
  post('/projects/user/:user_id', 'createProjectForUser', {
    summary: 'Create a project in somebody’s own namespace',
    access: 'admin',
    parameters: { ...CREATION_FIELDS, user_id: pathId('Numeric id of the user') },
    answer: ProjectSchema,
    guard: async ({ actor, path }) => {
      const user = await findUser(parts.users, path['user_id']);
      return { user, namespace: await permitOwn(parts, actor, user.id) };
    },
    handle: async ({ actor, subject: { user, namespace }, parameters: fields }) => {
      const id = await beginProject(parts, namespace, creationBy(user.id, fields), firstCodeIn(fields));
      return new ShowProjects(parts).written(actor, id);
    },
  });

const nothing = (): Promise<void> => Promise.resolve();

/** What is to be done once the project is changed. What isn't followed needs no change before it is to be. @throws Invalid, Forbidden. */
const toFollowElsewhere = async (
  { access, pullMirrors, pullMirrorReader }: Parts,
  actor: UserActor,
  place: PermittedProject<'manage_project'>,
  sent: SentPull,
): Promise<() => Promise<void>> => {
  const changes = pullChangesIn(sent);
  if (Object.keys(changes).length === 0) return nothing;
  const isThere = (await pullMirrorReader.find(place.project.id)) !== undefined;
  if (sent.mirror !== true && !isThere) return nothing;
  const manager = access.also(actor, place, 'manage_mirrors');
  if (!isThere && changes.url === undefined) throw new Invalid({ import_url: ["can't be blank"] });
  return pullMirrors.toSet(manager, changes, actor.id, 'import_url');
};

export const editProject = (parts: Parts) =>
  put(ONE, 'editProject', {
    summary: 'Change a project',
    access: 'user',
    parameters: { ...EDIT_FIELDS, id: PROJECT_ID },
    answer: ProjectSchema,
    guard: inProject(parts.access, 'manage_project'),
    handle: async ({ actor, subject, parameters: { id: _id, ...fields } }) => {
      requireAny(fields);
      const follow = await toFollowElsewhere(parts, actor, subject, fields);
      await parts.projects.edit(subject, changesIn(fields));
      await follow();
      return new ShowProjects(parts).written(actor, subject.project.id);
    },
  });

const permitTransfer = async ({ access, reader }: Parts, context: GuardContext<'user'>) => {
  const { actor, path } = context;
  const permitted = await access.project(actor, path['id'], 'transfer_project');
  const name = namedBy(context, 'namespace');
  // Without a name the parameters are refused.
  if (name === undefined || name.length > MAX_PATH) return { permitted, target: undefined };
  const id = identifierIn<NamespaceId>(name) ?? (await reader.findNamespaceByPath(name))?.id;
  return { permitted, target: await access.namespaceForProjects(actor, orNotFound(id, 'Namespace')) };
};

export const transferProject = (parts: Parts) =>
  put(`${ONE}/transfer`, 'transferProject', {
    summary: 'Move a project that you own to another namespace; its addresses follow',
    access: 'user',
    parameters: { id: PROJECT_ID, namespace: requiredText(MAX_PATH, 'Id or path of a group, or your own') },
    answer: ProjectSchema,
    guard: (context) => permitTransfer(parts, context),
    handle: async ({ actor, subject: { permitted, target } }) => {
      await parts.projects.transfer(permitted, orNotFound(target, 'Namespace'), actor.id);
      return new ShowProjects(parts).written(actor, permitted.project.id);
    },
  });

export const removeProject = ({ access, projects }: Parts) =>
  route({
    method: 'delete',
    path: ONE,
    operationId: 'removeProject',
    summary: 'Remove a project: gone at once, cleaned up afterwards',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID }),
    responses: { 202: AcceptedSchema },
    guard: inProject(access, 'remove_project'),
    lastChanged: ({ project }) => project.updatedAt,
    handle: async ({ subject }) => {
      await projects.requestRemoval(subject);
      return { status: 202, body: ACCEPTED };
    },
  });

export const createProjectRoutes = (parts: Parts): readonly Route[] =>
  [
    listProjects,
    listUserProjects,
    listGroupProjects,
    getProject,
    getProjectImport,
    createProject,
    createProjectForUser,
    editProject,
    transferProject,
    removeProject,
  ].map((make) => make(parts));
