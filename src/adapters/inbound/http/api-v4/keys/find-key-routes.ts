import { Type } from '@sinclair/typebox';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { KeyReader } from '../../../../../application/keys/ports/key-ports.js';
import type { DeployKey, UserKey } from '../../../../../domain/keys/ssh-key.js';
import { parseFingerprint } from '../../../../../domain/keys/ssh-public-key.js';
import { NotFound, UnknownValue } from '../../../../../domain/shared/domain-error.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { route, type Route } from '../../route.js';
import { nullable, parameters, pathId, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { presentBasicUser } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';
import { component } from '../../openapi/component.js';
import { KeyProjectSchema, KeySchema, presentKey, presentKeyProject } from './key-schema.js';

export interface FindKeyRoutesParts {
  readonly users: UserReader;
  readonly keyReader: KeyReader;
  readonly urls: WebUrls;
}
type Parts = FindKeyRoutesParts;

const TAG = 'SSH keys';
const MOST_PROJECTS = 1_000;

const KeyWithUserSchema = component(
  'schemas/KeyWithUser',
  Type.Object({
    ...KeySchema.properties,
    user: nullable(BasicUserSchema),
    deploy_keys_projects: Type.Optional(Type.Array(KeyProjectSchema)),
  }),
);

const show = async ({ users, keyReader, urls }: Parts, key: UserKey | DeployKey | undefined) => {
  if (key === undefined) throw new NotFound('Key');
  const personId = 'userId' in key ? key.userId : key.creatorId;
  const person = personId === null ? undefined : await users.find(personId);
  const user = person === undefined ? null : presentBasicUser(person, urls);
  const shown = { ...presentKey(key, person?.name, urls), user };
  if ('userId' in key) return shown;
  const projects = (await keyReader.projectsOf([key.id], MOST_PROJECTS)).get(key.id) ?? [];
  return { ...shown, deploy_keys_projects: projects.map((project) => presentKeyProject(key.id, project)) };
};

const getKey = (parts: Parts) =>
  route({
    method: 'get',
    path: '/keys/:id',
    operationId: 'getKey',
    summary: 'One SSH key with its owner',
    tag: TAG,
    access: 'admin',
    parameters: parameters({ id: pathId('Numeric id of the key') }),
    responses: { 200: KeyWithUserSchema },
    guard: async ({ path }) => {
      const id = identifierIn(path['id']);
      return show(parts, id === undefined ? undefined : await parts.keyReader.find(id));
    },
    handle: ({ subject }) => Promise.resolve({ body: subject }),
  });

const findKeyByFingerprint = (parts: Parts) =>
  route({
    method: 'get',
    path: '/keys',
    operationId: 'findKeyByFingerprint',
    summary: 'The SSH key of a fingerprint, with its owner',
    tag: TAG,
    access: 'admin',
    parameters: parameters({ fingerprint: text(255, '`SHA256:` and base64, or MD5 in hex with colons') }),
    responses: { 200: KeyWithUserSchema },
    handle: async ({ parameters: { fingerprint } }) => {
      const query = parseFingerprint(fingerprint);
      if (query === undefined) throw new UnknownValue('Failed to return the key');
      return { body: await show(parts, await parts.keyReader.findByFingerprint(query)) };
    },
  });

export const createFindKeyRoutes = (parts: Parts): readonly Route[] => [getKey(parts), findKeyByFingerprint(parts)];
