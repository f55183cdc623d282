import { Type } from '@sinclair/typebox';
import type { Applications } from '../../../../../application/oauth/applications.js';
import type { ApplicationReader } from '../../../../../application/oauth/ports/application-repository.js';
import type { Application } from '../../../../../domain/oauth/application.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { route, type PathParameters, type Route } from '../../route.js';
import { pagedParameters, parameters, pathId, text } from '../../validation/parameters.js';

export interface ApplicationRoutesParts {
  readonly applications: Applications;
  readonly reader: ApplicationReader;
}

const TAG = 'Applications';

const ApplicationSchema = Type.Object({
  id: Type.Integer(),
  application_id: Type.String(),
  application_name: Type.String(),
  callback_url: Type.String(),
  confidential: Type.Boolean(),
});

const WithSecretSchema = Type.Object({
  ...ApplicationSchema.properties,
  secret: Type.String({ description: 'Shown this once' }),
});

const findId = ({ path }: { readonly path: PathParameters }): Promise<number> => {
  if (!/^\d{1,15}$/.test(path['id'] ?? '')) throw new NotFound('Application');
  return Promise.resolve(Number(path['id']));
};

const present = ({ id, uid, name, redirectUris, confidential }: Application) => ({
  id,
  application_id: uid,
  application_name: name,
  callback_url: redirectUris.join('\n'),
  confidential,
});

export const createApplicationRoutes = ({ applications, reader }: ApplicationRoutesParts): readonly Route[] => {
  const postApplication = route({
    method: 'post',
    path: '/applications',
    operationId: 'createApplication',
    summary: 'Register an application for everybody',
    tag: TAG,
    access: 'admin',
    parameters: parameters({
      name: text(1_000),
      redirect_uri: text(100_000, 'One a line'),
      scopes: text(1_000, 'Separated by spaces'),
      confidential: Type.Boolean({ default: true, description: 'Whether it can keep a secret' }),
    }),
    responses: { 201: WithSecretSchema },
    handle: async ({ parameters: { name, redirect_uri, scopes, confidential } }) => {
      const registered = await applications.register(null, { name, redirectUris: redirect_uri, scopes, confidential });
      return { status: 201, body: { ...present(registered), secret: registered.secret } };
    },
  });

  const listApplications = route({
    method: 'get',
    path: '/applications',
    operationId: 'listApplications',
    summary: 'Every application, without its secret',
    tag: TAG,
    access: 'admin',
    parameters: pagedParameters({}),
    responses: { 200: Type.Array(ApplicationSchema) },
    handle: async ({ parameters: paging }) => {
      const request = readPageRequest(paging);
      const page = await reader.list(request);
      return { body: page.items.map(present), page: { request, of: page } };
    },
  });

  const deleteApplication = route({
    method: 'delete',
    path: '/applications/:id',
    operationId: 'removeApplication',
    summary: 'Remove an application',
    tag: TAG,
    access: 'admin',
    parameters: parameters({ id: pathId('Numeric id') }),
    responses: { 204: null },
    guard: findId,
    handle: async ({ subject }) => {
      await applications.remove(subject);
      return { status: 204 };
    },
  });

  const renewSecret = route({
    method: 'post',
    path: '/applications/:id/renew-secret',
    operationId: 'renewApplicationSecret',
    summary: 'Replace the secret of an application',
    description: 'The old secret is refused at once. Tokens that were given live on.',
    tag: TAG,
    access: 'admin',
    parameters: parameters({ id: pathId('Numeric id') }),
    responses: { 201: WithSecretSchema },
    guard: findId,
    handle: async ({ subject }) => {
      const renewed = await applications.renewSecret(subject);
      return { status: 201, body: { ...present(renewed), secret: renewed.secret } };
    },
  });

  return [postApplication, listApplications, deleteApplication, renewSecret];
};
