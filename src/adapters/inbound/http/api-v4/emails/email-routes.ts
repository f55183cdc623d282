import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { Type } from '@sinclair/typebox';
import type { EmailAddresses } from '../../../../../application/identity/email-addresses.js';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { EmailAddress } from '../../../../../domain/identity/user.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { pageOfList } from '../../pagination/page-of-list.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { refuseSession } from '../../authentication/refuse-session.js';
import { route, type Route } from '../../route.js';
import { nullable, pagedParameters, parameters, pathId, text } from '../../validation/parameters.js';

export interface EmailRoutesParts {
  readonly users: UserReader;
  readonly emailAddresses: EmailAddresses;
}

const TAG = 'E-mail addresses';

const EmailSchema = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  confirmed_at: nullable(Type.String({ format: 'date-time' })),
});

const presentEmail = ({ id, address, confirmedAt }: EmailAddress) => ({
  id,
  email: address,
  confirmed_at: confirmedAt?.toISOString() ?? null,
});

export const createEmailRoutes = ({ users, emailAddresses }: EmailRoutesParts): readonly Route[] => {
  const findOwn = async (userId: UserId, emailId: string | undefined): Promise<EmailAddress> => {
    const email = (await users.emailsOf(userId)).find(({ id }) => String(id) === emailId);
    if (email === undefined) throw new NotFound('Email');
    return email;
  };

  const listEmails = route({
    method: 'get',
    path: '/user/emails',
    operationId: 'listOwnEmails',
    summary: 'Your addresses beside the primary one',
    tag: TAG,
    access: 'user',
    scopes: ['read_user'],
    parameters: pagedParameters({}),
    responses: { 200: Type.Array(EmailSchema) },
    handle: async ({ actor, parameters: paging }) => {
      const request = readPageRequest(paging);
      const page = pageOfList(
        (await users.emailsOf(actor.id)).filter(({ primary }) => !primary),
        request,
      );
      return { body: page.items.map(presentEmail), page: { request, of: page } };
    },
  });

  const getEmail = route({
    method: 'get',
    path: '/user/emails/:email_id',
    operationId: 'getOwnEmail',
    summary: 'One of your addresses',
    tag: TAG,
    access: 'user',
    scopes: ['read_user'],
    parameters: parameters({ email_id: pathId('Id of the address') }),
    responses: { 200: EmailSchema },
    guard: ({ actor, path }) => findOwn(actor.id, path['email_id']),
    handle: ({ subject }) => Promise.resolve({ body: presentEmail(subject) }),
  });

  const postEmail = route({
    method: 'post',
    path: '/user/emails',
    operationId: 'addOwnEmail',
    summary: 'Add an address; it counts once the mail that is sent to it has been answered',
    description:
      'Your primary address is told. For links that set a new password the address serves only when you allow it on the page of your addresses. At most 5 an hour.',
    tag: TAG,
    access: 'user',
    parameters: parameters({ email: text(1_000) }),
    responses: { 201: EmailSchema },
    handle: async ({ actor, parameters: { email }, request }) => {
      refuseSession(actor, 'add addresses');
      const added = await emailAddresses.add({ actor, clientAddress: request.ip ?? '' }, email);
      return { status: 201, body: presentEmail(added) };
    },
  });

  const deleteEmail = route({
    method: 'delete',
    path: '/user/emails/:email_id',
    operationId: 'removeOwnEmail',
    summary: 'Remove an address that is not the primary one',
    tag: TAG,
    access: 'user',
    parameters: parameters({ email_id: pathId('Id of the address') }),
    responses: { 204: null },
    guard: ({ actor, path }) => findOwn(actor.id, path['email_id']),
    handle: async ({ actor, subject, request }) => {
      refuseSession(actor, 'remove addresses');
      await emailAddresses.remove({ actor, clientAddress: request.ip ?? '' }, subject.id);
      return { status: 204 };
    },
  });

  return [listEmails, getEmail, postEmail, deleteEmail];
};
