import type { AdministerUsers } from '../../../../../application/identity/administer-users.js';
import type { CreateUser } from '../../../../../application/identity/create-user.js';
import type { UserProfile, UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { ProvedPerson } from '../../../../../application/identity/prove-identity.js';
import { isServiceAccount } from '../../../../../domain/identity/service-account.js';
import { Conflict, Forbidden, Invalid, NotFound } from '../../../../../domain/shared/domain-error.js';
import { identifierIn, type UserId } from '../../../../../domain/shared/identifiers.js';
import type { LimitSignIn } from '../../middleware/sign-in-limit.js';
import { given } from '../../kit/given.js';
import { field, type PageContext, type Pages } from '../page.js';
import { sendPage } from '../render.js';
import { pageRequest, queryChoice, queryText } from '../page-request.js';
import { tell } from '../frame/notice.js';
import type { SensitivePath } from '../declared-forms.js';

export interface AdminUserPagesParts {
  readonly users: UserReader;
  readonly createUser: CreateUser;
  readonly administerUsers: AdministerUsers;
  readonly limitSignIn: LimitSignIn;
  /** Whether mails are sent. */
  readonly mailIsSetUp: boolean;
}

const LIST = '/admin/users';
const FIELDS = ['username', 'name', 'email'] as const;

/** What administrators do to an account by one button: what is said of it afterwards. */
const ACTS = {
  block: 'is blocked. Their sessions have ended, and their tokens are refused.',
  unblock: 'may sign in again.',
  promote: 'is an administrator now.',
  demote: 'is no longer an administrator.',
  disable_two_factor: 'signs in without a second factor now. Their sessions have ended.',
  send_password_link: 'gets a link to set a new password, at their primary address.',
} as const;
type Act = keyof typeof ACTS;

/** What a form that was refused says at the top, or beside its fields. */
const refusalOf = (error: unknown): object => {
  if (error instanceof Invalid) return { problems: error.problems };
  if (error instanceof Conflict || error instanceof Forbidden) return { problem: error.message };
  throw error;
};

/** People: finding them, and what administrators do to their accounts. */
export const addAdminUserPages = (pages: Pages, parts: AdminUserPagesParts): void => {
  addList(pages, parts);
  addNew(pages, parts);
  addOne(pages, parts);
  for (const act of Object.keys(ACTS) as Act[]) addAct(pages, parts, act);
};

const addList = (pages: Pages, { users }: AdminUserPagesParts): void => {
  pages.get(LIST, 'administrator', async (context) => {
    const request = pageRequest(context);
    const [search, state] = [queryText(context, 'search'), queryChoice(context, 'state', ['all', 'active', 'blocked'])];
    const page = await users.list({
      orderBy: 'username',
      sort: 'asc',
      page: request,
      searchesAddresses: true,
      ...given({ search: search || undefined }),
      ...(state === 'all' ? {} : { state }),
    });
    sendPage(context.response, context.browser, 'admin/users', {
      title: 'Users',
      users: page.items.map((user) => ({
        ...user,
        isServiceAccount: isServiceAccount(user),
        isBot: user.bot !== null,
      })),
      page,
      request,
      search,
      state,
      kept: { search, state },
    });
  });
};

const showNew = (
  { browser, request, response }: PageContext,
  { mailIsSetUp }: AdminUserPagesParts,
  extra: object = {},
) =>
  sendPage(response, browser, 'admin/new-user', {
    title: 'New user',
    form: Object.fromEntries(FIELDS.map((name) => [name, field(request, name)])),
    mailIsSetUp,
    ...extra,
  });

const addNew = (pages: Pages, parts: AdminUserPagesParts): void => {
  const { createUser, limitSignIn, mailIsSetUp } = parts;

  pages.get(`${LIST}/new`, 'administrator', (context) => showNew(context, parts));

  pages.postSensitive(LIST, async (context, person) => {
    const { browser, request, response } = context;
    const password = field(request, 'password');
    try {
      if (password === '' && !mailIsSetUp)
        throw new Invalid({ password: ["can't be blank while mail is not set up: no link to choose one can be sent"] });
      const offer = await limitSignIn(request);
      const user = await createUser.execute(person, {
        username: field(request, 'username').trim(),
        name: field(request, 'name').trim(),
        email: field(request, 'email').trim(),
        admin: field(request, 'admin') === 'true',
        skipConfirmation: true,
        sendPasswordLink: password === '',
        ...(password === '' ? {} : { password: offer(password) }),
      });
      tell(response, browser, `The account @${user.username} was created.`);
      response.redirect(303, `${LIST}/${user.id}`);
    } catch (error) {
      const refusal = refusalOf(error);
      response.status(400);
      showNew(context, parts, refusal);
    }
  });
};

/** @throws NotFound. */
const findUser = async ({ users }: AdminUserPagesParts, { request }: PageContext): Promise<UserProfile> => {
  const id = identifierIn<UserId>(String(request.params['id']));
  const user = id === undefined ? undefined : await users.find(id);
  if (user === undefined) throw new NotFound('User');
  return user;
};

const showOne = async (context: PageContext, parts: AdminUserPagesParts, user: UserProfile, extra: object = {}) => {
  const { browser, response } = context;
  sendPage(response, browser, 'admin/user', {
    title: `${user.name} (@${user.username})`,
    person: user,
    form: { username: user.username, name: user.name, email: user.email ?? '' },
    emails: await parts.users.emailsOf(user.id),
    isSelf: browser.user?.id === user.id,
    isServiceAccount: isServiceAccount(user),
    isBot: user.bot !== null,
    mailIsSetUp: parts.mailIsSetUp,
    ...extra,
  });
};

const addOne = (pages: Pages, parts: AdminUserPagesParts): void => {
  const { administerUsers } = parts;

  pages.get(`${LIST}/:id`, 'administrator', async (context) => showOne(context, parts, await findUser(parts, context)));

  pages.postSensitive('/admin/users/:id', async (context, person) => {
    const { browser, request, response } = context;
    const user = await findUser(parts, context);
    const form = Object.fromEntries(FIELDS.map((name) => [name, field(request, name).trim()]));
    const { username, name, email } = form as Record<(typeof FIELDS)[number], string>;
    try {
      const changes = { username, name, ...(email === (user.email ?? '') ? {} : { email }) };
      await administerUsers.edit(person, user.id, changes);
      tell(response, browser, `The account @${username} was changed.`);
      response.redirect(303, `${LIST}/${user.id}`);
    } catch (error) {
      const refusal = refusalOf(error);
      response.status(400);
      await showOne(context, parts, user, { ...refusal, form });
    }
  });
};

const perform = async ({ administerUsers }: AdminUserPagesParts, act: Act, by: ProvedPerson, id: UserId) => {
  if (act === 'block') await administerUsers.block(by, id);
  else if (act === 'unblock') await administerUsers.unblock(by, id);
  else if (act === 'disable_two_factor') await administerUsers.disableTwoFactor(by, id);
  else if (act === 'send_password_link') await administerUsers.sendPasswordLink(by, id);
  else await administerUsers.edit(by, id, { admin: act === 'promote' });
};

const addAct = (pages: Pages, parts: AdminUserPagesParts, act: Act): void => {
  const path: SensitivePath = `/admin/users/:id/${act}`;
  pages.postSensitive(path, async (context, person) => {
    const { browser, response } = context;
    const user = await findUser(parts, context);
    try {
      await perform(parts, act, person, user.id);
      tell(response, browser, `@${user.username} ${ACTS[act]}`);
      response.redirect(303, `${LIST}/${user.id}`);
    } catch (error) {
      const refusal = refusalOf(error);
      response.status(400);
      await showOne(context, parts, user, refusal);
    }
  });
};
