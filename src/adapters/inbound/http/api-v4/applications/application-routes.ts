import { Type } from '@sinclair/typebox';
import type { Applications } from '../../../../../application/oauth/applications.js';
import type { ApplicationReader } from '../../../../../application/oauth/ports/application-repository.js';
import type { Application } from '../../../../../domain/oauth/application.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import type { GuardContext, Route } from '../../route.js';
import { pathId, text } from '../../validation/parameters.js';

export interface ApplicationRoutesParts {
  readonly applications: Applications;
  readonly reader: ApplicationReader;
}

type Parts = ApplicationRoutesParts;

const ALL = '/applications';
const ONE = `${ALL}/:id`;
const IN_PATH = { id: pathId('Numeric id') };

const { list, post, remove } = routesOf({ tag: 'Applications' });

const ApplicationSchema = component(
  'schemas/Application',
  Type.Object({
    id: Type.Integer(),
    application_id: Type.String(),
    application_name: Type.String(),
    callback_url: Type.String(),
    confidential: Type.Boolean(),
  }),
);

const WithSecretSchema = component(
  'schemas/ApplicationWithSecret',
  Type.Object({ ...ApplicationSchema.properties, secret: Type.String({ description: 'Shown this once' }) }),
);

/** What is no application is found out where it is removed, or gets its secret. */
const findId = async ({ path }: GuardContext): Promise<number> => orNotFound(identifierIn(path['id']), 'Application');

const present = ({ id, uid, name, redirectUris, confidential }: Application) => ({
  id,
  application_id: uid,
  application_name: name,
  callback_url: redirectUris.join('\n'),
  confidential,
});

export const createApplication = ({ applications }: Parts) =>
  post(ALL, 'createApplication', {
    summary: 'Register an application for everybody',
    access: 'admin',
    sensitive: 'register applications',
    parameters: {
      name: text(1_000),
      redirect_uri: text(100_000, 'One a line'),
      scopes: text(1_000, 'Separated by spaces'),
      confidential: Type.Boolean({ default: true, description: 'Whether it can keep a secret' }),
    },
    answer: WithSecretSchema,
    handle: async ({ parameters: { redirect_uri: redirectUris, ...fields } }) => {
      const registered = await applications.register(null, { ...fields, redirectUris });
      return { ...present(registered), secret: registered.secret };
    },
  });

export const listApplications = ({ reader }: Parts) =>
  list(ALL, 'listApplications', {
    summary: 'Every application, without its secret',
    access: 'admin',
    parameters: {},
    items: ApplicationSchema,
    read: ({ page }) => reader.list(page),
    present,
  });

export const removeApplication = ({ applications }: Parts) =>
  remove(ONE, 'removeApplication', {
    summary: 'Remove an application',
    access: 'admin',
    sensitive: 'remove applications',
    parameters: IN_PATH,
    guard: findId,
    handle: ({ subject: id }) => applications.remove(id),
  });

export const renewApplicationSecret = ({ applications }: Parts) =>
  post(`${ONE}/renew-secret`, 'renewApplicationSecret', {
    summary: 'Replace the secret of an application',
    description: 'The old secret is refused at once. Tokens that were given live on.',
    access: 'admin',
    sensitive: 'replace the secrets of applications',
    parameters: IN_PATH,
    answer: WithSecretSchema,
    guard: findId,
    handle: async ({ subject: id }) => {
      const renewed = await applications.renewSecret(id);
      return { ...present(renewed), secret: renewed.secret };
    },
  });

export const createApplicationRoutes = (parts: Parts): readonly Route[] =>
  [createApplication, listApplications, removeApplication, renewApplicationSecret].map((make) => make(parts));
