import { MOST_OF_A_PERSON, type Applications } from '../../../../application/oauth/applications.js';
import type { ConnectedApplications } from '../../../../application/oauth/connected-applications.js';
import type { ApplicationReader } from '../../../../application/oauth/ports/application-repository.js';
import type { Application } from '../../../../domain/oauth/application.js';
import { NotFound } from '../../../../domain/shared/domain-error.js';
import { identifierIn } from '../../../../domain/shared/identifiers.js';
import { given } from '../kit/given.js';
import { orNotFound } from '../kit/or-not-found.js';
import { detailsOf, EMPTY_FORM, formAgain, SCOPE_CHOICES } from './application-form.js';
import { problemsOf, type PageContext, type Pages } from './page.js';
import type { PageFlash } from './page-flash.js';
import { refusalOf } from './frame/form-page.js';
import { addRemovalPage } from './frame/removal-page.js';
import { actorOf } from './page-session.js';
import { sendPage } from './render.js';

export interface ApplicationPagesParts {
  readonly applications: Applications;
  readonly applicationReader: ApplicationReader;
  readonly connectedApplications: ConnectedApplications;
  readonly flash: PageFlash;
}

const LIST = '/profile/applications';

/** Why access ended, where its owner did not end it. */
const ENDED_WORDS: Readonly<Record<string, string>> = {
  code_reused: 'An authorization code was used twice.',
  refresh_token_reused: 'A refresh token was used again after it had been replaced: somebody else may have had it.',
};

const formOf = ({ name, redirectUris, scopes, confidential }: Application) => ({
  name,
  redirectUri: redirectUris.join('\n'),
  chosen: scopes,
  confidential,
});

export const addApplicationPages = (pages: Pages, parts: ApplicationPagesParts): void => {
  addOwnApplications(pages, parts);
  addOneApplication(pages, parts);
  addConnections(pages, parts);
};

const addOwnApplications = (pages: Pages, parts: ApplicationPagesParts): void => {
  const { applications, applicationReader, connectedApplications, flash } = parts;

  const showList = async ({ browser, response }: PageContext, form: object, extra: object = {}) => {
    const { id } = actorOf(browser);
    const { items } = await applicationReader.list({ page: 1, perPage: MOST_OF_A_PERSON }, id);
    const { connected, ended } = await connectedApplications.of(id);
    sendPage(response, browser, 'applications', {
      title: 'Applications',
      applications: items,
      connected,
      ended: ended.map((each) => ({ ...each, words: ENDED_WORDS[each.reason] })),
      scopes: SCOPE_CHOICES,
      form,
      ...extra,
    });
  };

  pages.get(LIST, 'signed_in', (context) => showList(context, EMPTY_FORM));

  pages.post(LIST, 'signed_in', async (context) => {
    const { id: ownerId } = actorOf(context.browser);
    try {
      const { id, secret } = await applications.register(ownerId, detailsOf(context));
      flash.put(context.response, ownerId, [secret], `${LIST}/${id}`);
      context.response.redirect(303, `${LIST}/${id}`);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      const { status, ...said } = refusal;
      context.response.status(status);
      await showList(context, formAgain(context), said);
    }
  });
};

const showOne = ({ browser, response }: PageContext, application: Application, form: object, extra: object = {}) =>
  sendPage(response, browser, 'application', {
    title: application.name,
    application,
    scopes: SCOPE_CHOICES,
    form,
    ...extra,
  });

const addOneApplication = (pages: Pages, parts: ApplicationPagesParts): void => {
  const { applications, applicationReader, flash } = parts;

  /** @throws NotFound for one of somebody else's. */
  const findOwn = async ({ browser, request }: PageContext): Promise<Application> => {
    const id = orNotFound(identifierIn(String(request.params['id'])), 'Application');
    const application = await applicationReader.find(id);
    if (application === undefined || application.ownerId !== actorOf(browser).id) throw new NotFound('Application');
    return application;
  };

  pages.get(`${LIST}/:id`, 'signed_in', async (context) => {
    const { browser, request, response } = context;
    const application = await findOwn(context);
    const [secret] = flash.take(request, response, actorOf(browser).id);
    showOne(context, application, formOf(application), given({ secret }));
  });

  pages.post(`${LIST}/:id`, 'signed_in', async (context) => {
    const application = await findOwn(context);
    try {
      await applications.edit(actorOf(context.browser).id, application.id, detailsOf(context));
      context.response.redirect(303, `${LIST}/${application.id}`);
    } catch (error) {
      const problems = problemsOf(error);
      context.response.status(400);
      showOne(context, application, formAgain(context), { problems });
    }
  });

  pages.post(`${LIST}/:id/renew_secret`, 'signed_in', async (context) => {
    const { id: ownerId } = actorOf(context.browser);
    const { id } = await findOwn(context);
    const { secret } = await applications.renewSecret(id, ownerId);
    flash.put(context.response, ownerId, [secret], `${LIST}/${id}`);
    context.response.redirect(303, `${LIST}/${id}`);
  });

  addRemovalPage<Application>(pages, {
    path: `${LIST}/:id/remove`,
    find: findOwn,
    ask: (_context, { id, name }) => ({
      title: `Delete the application ${name}?`,
      consequences: ['Everything that it was given ends with it: nobody is signed in by it any more.'],
      button: 'Delete application',
      cancel: `${LIST}/${id}`,
    }),
    act: async ({ browser }, { id, name }) => {
      await applications.remove(id, actorOf(browser).id);
      return { notice: `Application “${name}” deleted.`, to: LIST };
    },
  });
};

/** In addresses: access that was given by password, to no application. */
const BY_PASSWORD = 'password';

/** What may act for somebody. */
interface Connection {
  readonly id: number | null;
  readonly name: string;
}

const addConnections = (pages: Pages, { connectedApplications }: ApplicationPagesParts): void => {
  addRemovalPage<Connection>(pages, {
    path: '/profile/authorized_applications/:id/revoke',
    find: async ({ browser, request }) => {
      const { connected } = await connectedApplications.of(actorOf(browser).id);
      const id = String(request.params['id']);
      const found = connected.find(({ application }) => String(application?.id ?? BY_PASSWORD) === id);
      const { application } = orNotFound(found, 'Application');
      return { id: application?.id ?? null, name: application?.name ?? 'API clients that use your password' };
    },
    ask: (_context, { id, name }) => ({
      title: id === null ? `Take access back from ${name}?` : `Take access back from the application ${name}?`,
      consequences: ['Nothing may be done for you by it any more, at once.', 'It can ask you for access again.'],
      button: 'Revoke access',
      cancel: LIST,
    }),
    act: async ({ browser }, { id, name }) => {
      await connectedApplications.revoke(actorOf(browser).id, id);
      return { notice: `Access taken back from ${name}.`, to: LIST };
    },
  });
};
