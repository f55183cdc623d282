import type { Applications } from '../../../../../application/oauth/applications.js';
import type { ApplicationReader } from '../../../../../application/oauth/ports/application-repository.js';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { Application } from '../../../../../domain/oauth/application.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { detailsOf, EMPTY_FORM, formAgain, SCOPE_CHOICES } from '../application-form.js';
import { pathNumber, problemsOf, type PageContext, type Pages } from '../page.js';
import type { PageFlash } from '../page-flash.js';
import { actorOf } from '../page-session.js';
import { sendPage } from '../render.js';
import { showQuestion } from '../frame/removal-page.js';
import { tell } from '../frame/notice.js';
import { pageRequest } from '../page-request.js';

export interface AdminApplicationPagesParts {
  readonly applications: Applications;
  readonly applicationReader: ApplicationReader;
  readonly users: UserReader;
  readonly flash: PageFlash;
}

const LIST = '/admin/applications';

/** Every application, and new ones that belong to the installation. */
export const addAdminApplicationPages = (pages: Pages, parts: AdminApplicationPagesParts): void => {
  const { applications, applicationReader, users, flash } = parts;

  const show = async (context: PageContext, form: object, extra: object = {}) => {
    const { browser, request, response } = context;
    const paging = pageRequest(context);
    const page = await applicationReader.list(paging);
    const owners = await Promise.all(
      page.items.map(async ({ ownerId }) => (ownerId === null ? undefined : users.find(ownerId))),
    );
    const [uid, secret] = flash.take(request, response, actorOf(browser).id);
    sendPage(response, browser, 'admin/applications', {
      title: 'Applications',
      applications: page.items.map((application, index) => ({ ...application, owner: owners[index] })),
      page,
      request: paging,
      scopes: SCOPE_CHOICES,
      form,
      ...given({ uid, secret }),
      ...extra,
    });
  };

  pages.get(LIST, 'administrator', (context) => show(context, EMPTY_FORM));

  pages.postSensitive(LIST, async (context) => {
    try {
      const { uid, secret } = await applications.register(null, detailsOf(context));
      flash.put(context.response, actorOf(context.browser).id, [uid, secret], LIST);
      context.response.redirect(303, LIST);
    } catch (error) {
      const problems = problemsOf(error);
      context.response.status(400);
      await show(context, formAgain(context), { problems });
    }
  });

  const find = async ({ request }: PageContext): Promise<Application> =>
    orNotFound(await applicationReader.find(pathNumber(request)), 'Application');

  pages.get(`${LIST}/:id/remove`, 'administrator', async (context) => {
    const { name } = await find(context);
    showQuestion(context, {
      title: `Remove the application ${name}?`,
      consequences: [
        'Everything that people allowed it ends: its tokens are refused at once.',
        'This can’t be undone.',
      ],
      button: 'Remove application',
      cancel: LIST,
    });
  });

  pages.postSensitive('/admin/applications/:id/remove', async (context) => {
    const { id, name } = await find(context);
    await applications.remove(id);
    tell(context.response, context.browser, `Application “${name}” removed.`);
    context.response.redirect(303, LIST);
  });
};
