import type { UserReader } from '../../../../application/identity/ports/identity-readers.js';
import type { NotificationSettings } from '../../../../application/notifications/notification-settings.js';
import type {
  NotificationSettingReader,
  SettingPlace,
} from '../../../../application/notifications/ports/notification-setting-ports.js';
import type { UserActor } from '../../../../application/shared/actor.js';
import type { Unsubscribe } from '../../../../application/notifications/unsubscribe.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import type { NotificationEvent } from '../../../../domain/notifications/notification-event.js';
import { NOTIFICATION_LEVELS } from '../../../../domain/notifications/notification-level.js';
import { NotFound } from '../../../../domain/shared/domain-error.js';
import { EVENT_WORDS, GLOBAL_WORDS, LEVEL_WORDS } from './notification-words.js';
import { field, fields, problemsOf, type PageContext, type Pages } from './page.js';
import { actorOf } from './page-session.js';
import { joinedPath } from './project-path.js';
import { sendPage } from './render.js';

export interface NotificationPagesParts {
  readonly access: WorkspaceAccess;
  readonly users: UserReader;
  readonly notificationSettings: NotificationSettings;
  readonly notificationSettingReader: NotificationSettingReader;
  readonly unsubscribe: Unsubscribe;
}

/** More than any path of a group or project has, with empty ones around it. */
const MAX_SEGMENTS = 100;
const SHOWN_PLACES = { page: 1, perPage: 100 };
const SAVED = 'Your notifications are saved.';

/** What somebody is mailed about, and the links that end such mail. */
export const addNotificationPages = (pages: Pages, parts: NotificationPagesParts): void => {
  addGlobalSettings(pages, parts);
  addWayToPlaces(pages, parts);
  for (const kind of ['groups', 'projects'] as const) addSettingsOfPlaces(pages, parts, kind);
  addUnsubscribePages(pages, parts);
};

const noticeIn = ({ request }: PageContext): object => (request.query['done'] === 'saved' ? { notice: SAVED } : {});

/** There are no epics: only the API knows of these, and a form leaves them as they are. */
const OF_NOTHING_HERE: ReadonlySet<NotificationEvent> = new Set(['new_epic']);

const eventsOf = ({ notificationSettings }: NotificationPagesParts): readonly NotificationEvent[] =>
  notificationSettings.events.filter((event) => !OF_NOTHING_HERE.has(event));

/** The levels and the events that are to choose from. */
const wordsOf = (parts: NotificationPagesParts) => ({
  levels: NOTIFICATION_LEVELS.map((level) => [level, LEVEL_WORDS[level]]),
  events: eventsOf(parts).map((event) => [event, EVENT_WORDS[event]]),
});

/** The switches of a form: those that are not ticked are off. */
const commandIn = ({ request }: PageContext, events: readonly NotificationEvent[]) => {
  const ticked = new Set(fields(request, 'events'));
  return {
    level: field(request, 'level'),
    events: Object.fromEntries(events.map((event) => [event, ticked.has(event)])),
  };
};

const showGlobal = async (parts: NotificationPagesParts, context: PageContext, extra: object = {}): Promise<void> => {
  const { users, notificationSettings, notificationSettingReader: reader } = parts;
  const { browser, response } = context;
  const { id } = actorOf(browser);
  const emails = (await users.emailsOf(id)).filter(({ confirmedAt }) => confirmedAt !== null);
  const places = await reader.listPlaces(id, SHOWN_PLACES);
  const words = wordsOf(parts);
  sendPage(response, browser, 'notifications', {
    title: 'Notifications',
    ...words,
    levels: words.levels.map(([level, said]) => [level, level === 'global' ? GLOBAL_WORDS : said]),
    setting: await notificationSettings.show(id, { kind: 'global' }),
    emails: emails.map(({ address }) => address),
    email: await reader.notificationEmail(id),
    places: places.items.map((place) => ({ ...place, words: LEVEL_WORDS[place.level] })),
    more: places.hasNext,
    ...extra,
  });
};

const addGlobalSettings = (pages: Pages, parts: NotificationPagesParts): void => {
  const { notificationSettings } = parts;
  pages.get('/profile/notifications', 'signed_in', (context) => showGlobal(parts, context, noticeIn(context)));

  pages.post('/profile/notifications', 'signed_in', async (context) => {
    const address = field(context.request, 'notification_email');
    try {
      await notificationSettings.changeGlobal(actorOf(context.browser).id, {
        ...commandIn(context, eventsOf(parts)),
        ...(address === '' ? {} : { address }),
      });
      context.response.redirect(303, '/profile/notifications?done=saved');
    } catch (error) {
      const problems = problemsOf(error);
      context.response.status(400);
      await showGlobal(parts, context, { problems });
    }
  });
};

/** Whether a path is that of a group or of a project that somebody may see. */
const findKind = async (
  { access }: NotificationPagesParts,
  path: string,
  actor: UserActor,
): Promise<'groups' | 'projects' | undefined> => {
  const attempts = [
    ['projects', () => access.project(actor, path, 'read_project')],
    ['groups', () => access.group(actor, path, 'read_group')],
  ] as const;
  // An address names one of the two; a number would be an id.
  if (path === '' || /^\d+$/.test(path)) return undefined;
  for (const [kind, find] of attempts) {
    try {
      await find();
      return kind;
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
    }
  }
  return undefined;
};

/** The form that leads to the settings of a group or project. */
const addWayToPlaces = (pages: Pages, parts: NotificationPagesParts): void => {
  pages.post('/profile/notifications/places', 'signed_in', async (context) => {
    const path = field(context.request, 'path')
      .split('/', MAX_SEGMENTS)
      .map((segment) => segment.trim())
      .filter((segment) => segment !== '')
      .join('/');
    const kind = await findKind(parts, path, actorOf(context.browser));
    if (kind !== undefined) return void context.response.redirect(303, `/profile/notifications/${kind}/${path}`);
    context.response.status(400);
    await showGlobal(parts, context, { path, problems: { path: ['is no group or project that you may see'] } });
  });
};

interface FoundPlace {
  readonly place: SettingPlace;
  readonly fullPath: string;
  readonly address: string;
}

const findPlace = async (
  { access }: NotificationPagesParts,
  { browser, request }: PageContext,
  kind: 'groups' | 'projects',
): Promise<FoundPlace> => {
  const [actor, path] = [actorOf(browser), joinedPath(request)];
  const addressOf = (fullPath: string) => `/profile/notifications/${kind}/${fullPath}`;
  if (kind === 'groups') {
    const { id, fullPath } = (await access.group(actor, path, 'read_group')).group;
    return { place: { kind: 'group', id }, fullPath, address: addressOf(fullPath) };
  }
  const { id, fullPath } = (await access.project(actor, path, 'read_project')).project;
  return { place: { kind: 'project', id }, fullPath, address: addressOf(fullPath) };
};

const addSettingsOfPlaces = (pages: Pages, parts: NotificationPagesParts, kind: 'groups' | 'projects'): void => {
  const { notificationSettings } = parts;
  const path = `/profile/notifications/${kind}/*path`;

  pages.get(path, 'signed_in', async (context) => {
    const { place, fullPath, address } = await findPlace(parts, context, kind);
    sendPage(context.response, context.browser, 'notifications-of-place', {
      title: `Notifications of ${fullPath}`,
      ...wordsOf(parts),
      ...noticeIn(context),
      kind: place.kind,
      fullPath,
      address,
      setting: await notificationSettings.show(actorOf(context.browser).id, place),
    });
  });

  pages.post(path, 'signed_in', async (context) => {
    const { place, address } = await findPlace(parts, context, kind);
    const command = commandIn(context, eventsOf(parts));
    await notificationSettings.change(actorOf(context.browser).id, place, command);
    context.response.redirect(303, `${address}?done=saved`);
  });
};

/** RFC 8058: a mail program posts, and is done; a person who follows the link is asked first. */
const addUnsubscribePages = (pages: Pages, { unsubscribe }: NotificationPagesParts): void => {
  const show = ({ browser, response }: PageContext, data: object): void =>
    sendPage(response, browser, 'unsubscribe', { title: 'Unsubscribe', ...data });

  pages.get('/-/unsubscribe/:token', 'anyone', (context) => {
    const { request } = context;
    const target = unsubscribe.look(String(request.params['token']));
    if (target === undefined) throw new NotFound();
    show(context, { target, address: request.path, done: request.query['done'] === 'true' });
  });

  pages.postFromAnywhere('/-/unsubscribe/:token', async (context) => {
    const { request, response } = context;
    const target = await unsubscribe.execute(String(request.params['token']));
    if (target === undefined) throw new NotFound();
    // RFC 8058 §3.1: what posts from a mail is not to be redirected.
    if (field(request, 'asked') === '') return show(context, { target, address: request.path, done: true });
    response.redirect(303, `${request.path}?done=true`);
  });
};
