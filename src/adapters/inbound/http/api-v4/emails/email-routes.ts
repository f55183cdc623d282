import { Type } from '@sinclair/typebox';
import type { EmailAddresses } from '../../../../../application/identity/email-addresses.js';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { EmailAddress } from '../../../../../domain/identity/user.js';
import { pageOfList } from '../../pagination/page-of-list.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import type { GuardContext, Route } from '../../route.js';
import { nullable, pathId, text } from '../../validation/parameters.js';

export interface EmailRoutesParts {
  readonly users: UserReader;
  readonly emailAddresses: EmailAddresses;
}

type Parts = EmailRoutesParts;

const ALL = '/user/emails';
const ONE = `${ALL}/:email_id`;
const IN_PATH = { email_id: pathId('Id of the address') };

const { list, get, post, remove } = routesOf({ tag: 'E-mail addresses', scopes: ['read_user'] });

const EmailSchema = component(
  'schemas/Email',
  Type.Object({
    id: Type.Integer(),
    email: Type.String(),
    confirmed_at: nullable(Type.String({ format: 'date-time' })),
  }),
);

const presentEmail = ({ id, address, confirmedAt }: EmailAddress) => ({
  id,
  email: address,
  confirmed_at: confirmedAt?.toISOString() ?? null,
});

const findOwn =
  ({ users }: Parts) =>
  async ({ actor, path }: GuardContext<'user'>): Promise<EmailAddress> =>
    orNotFound(
      (await users.emailsOf(actor.id)).find(({ id }) => String(id) === path['email_id']),
      'Email',
    );

export const listOwnEmails = ({ users }: Parts) =>
  list(ALL, 'listOwnEmails', {
    summary: 'Your addresses beside the primary one',
    access: 'user',
    parameters: {},
    items: EmailSchema,
    read: async ({ actor, page }) => {
      const addresses = await users.emailsOf(actor.id);
      return pageOfList(
        addresses.filter(({ primary }) => !primary),
        page,
      );
    },
    present: presentEmail,
  });

export const getOwnEmail = (parts: Parts) =>
  get(ONE, 'getOwnEmail', {
    summary: 'One of your addresses',
    access: 'user',
    parameters: IN_PATH,
    answer: EmailSchema,
    guard: findOwn(parts),
    handle: ({ subject }) => presentEmail(subject),
  });

export const addOwnEmail = ({ emailAddresses }: Parts) =>
  post(ALL, 'addOwnEmail', {
    summary: 'Add an address; it counts once the mail that is sent to it has been answered',
    description:
      'Your primary address is told. For links that set a new password the address serves only when you allow it on the page of your addresses. At most 5 an hour.',
    access: 'user',
    sensitive: 'add addresses',
    parameters: { email: text(1_000) },
    answer: EmailSchema,
    handle: async ({ actor, parameters: { email }, request }) => {
      return presentEmail(await emailAddresses.add({ actor, clientAddress: request.ip ?? '' }, email));
    },
  });

export const removeOwnEmail = (parts: Parts) =>
  remove(ONE, 'removeOwnEmail', {
    summary: 'Remove an address that is not the primary one',
    access: 'user',
    sensitive: 'remove addresses',
    parameters: IN_PATH,
    guard: findOwn(parts),
    handle: async ({ actor, subject, request }) => {
      await parts.emailAddresses.remove({ actor, clientAddress: request.ip ?? '' }, subject.id);
    },
  });

export const createEmailRoutes = (parts: Parts): readonly Route[] =>
  [listOwnEmails, getOwnEmail, addOwnEmail, removeOwnEmail].map((make) => make(parts));
