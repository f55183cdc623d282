import { invitedTo, type Invitations } from '../../../../../application/invitations/invitations.js';
import type { InvitationReader } from '../../../../../application/invitations/ports/invitation-ports.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { PermittedGroup, PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import {
  ACCESS_LEVEL_NAMES,
  GROUP_MEMBER_LEVELS,
  PROJECT_MEMBER_LEVELS,
  type AccessLevel,
} from '../../../../../domain/shared/access-level.js';
import { Forbidden, Invalid, TooManyRequests } from '../../../../../domain/shared/domain-error.js';
import { tell } from '../frame/notice.js';
import { sendGroupPage, sendProjectPage } from '../frame/send-place-page.js';
import { field, fieldNumber, pathNumber, type PageContext, type Pages } from '../page.js';
import { actorFor, pageRequest } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { projectOfPage } from '../project-of-page.js';
import { joinedPath } from '../project-path.js';

export interface InvitationPagesParts {
  readonly access: WorkspaceAccess;
  readonly invitations: Invitations;
  readonly invitationReader: InvitationReader;
  readonly clock: Clock;
  readonly mailIsSetUp: boolean;
  /** False while nobody may get an account by an invitation. */
  readonly invitesByMail: boolean;
}

type Manager = PermittedProject<'manage_project_members'> | PermittedGroup<'manage_group_members'>;
type FindManager = (context: PageContext) => Promise<Manager>;

const TAB = 'invitations';

/** Inviting people by mail, and the invitations that nobody has accepted yet: of groups, and of projects. */
export const addInvitationPages = (pages: Pages, parts: InvitationPagesParts): void => {
  const { access } = parts;
  const tab = { name: TAB, label: 'Invitations', to: TAB, order: 85, within: 'settings' } as const;
  pages.tabs.addToProjects({ ...tab, permission: 'manage_project_members' });
  pages.tabs.addToGroups({ ...tab, permission: 'manage_group_members' });
  addPlace(pages, parts, `/groups/*path/-/${TAB}`, ({ browser, request }) =>
    access.group(actorFor(browser), joinedPath(request), 'manage_group_members'),
  );
  addPlace(pages, parts, `/*path/-/${TAB}`, (context) => projectOfPage(access, context, 'manage_project_members'));
};

const addressOf = (manager: Manager): string =>
  'project' in manager ? `/${manager.project.fullPath}/-/${TAB}` : `/groups/${manager.group.fullPath}/-/${TAB}`;

const show = async (context: PageContext, parts: InvitationPagesParts, manager: Manager, extra: object = {}) => {
  const { invitationReader, clock, mailIsSetUp, invitesByMail } = parts;
  const request = pageRequest(context);
  const page = await invitationReader.list(invitedTo(manager), clock.now(), request);
  const levels = 'project' in manager ? PROJECT_MEMBER_LEVELS : GROUP_MEMBER_LEVELS;
  const name = 'project' in manager ? manager.project.name : manager.group.name;
  const nameOf = (level: number) => ACCESS_LEVEL_NAMES[level as AccessLevel];
  const data = {
    tab: TAB,
    title: `Invitations to ${name}`,
    address: addressOf(manager),
    page,
    request,
    invitations: page.items.map((each) => ({ ...each, role: nameOf(each.membership?.accessLevel ?? 0) })),
    levels: levels.filter((level) => level <= manager.level).map((level) => [level, nameOf(level)]),
    form: { email: '', accessLevel: 30, expiresAt: '' },
    mailIsSetUp,
    invitesByMail,
    ...extra,
  };
  if ('project' in manager) await sendProjectPage(context, manager, 'invitations/list', data);
  else await sendGroupPage(context, manager, 'invitations/list', data);
};

const refusalOf = (error: unknown, { response }: PageContext): object => {
  if (error instanceof TooManyRequests) {
    response.status(429).set('Retry-After', String(error.retryAfterSeconds));
    return { problem: error.message };
  }
  response.status(400);
  if (error instanceof Invalid) return { problems: error.problems };
  if (error instanceof Forbidden && error.reason !== undefined) return { problem: error.reason };
  throw error;
};

const addPlace = (pages: Pages, parts: InvitationPagesParts, path: string, find: FindManager): void => {
  const { invitations, mailIsSetUp } = parts;

  pages.get(path, 'signed_in', async (context) => show(context, parts, await find(context)));

  pages.post(path, 'signed_in', async (context) => {
    const { browser, request, response } = context;
    const manager = await find(context);
    const form = {
      email: field(request, 'email').trim(),
      accessLevel: fieldNumber(request, 'access_level'),
      expiresAt: field(request, 'expires_at'),
    };
    try {
      const { email: address, accessLevel, expiresAt } = form;
      const command = { address, accessLevel, expiresAt: expiresAt === '' ? null : expiresAt };
      await invitations.invite(manager, actorOf(browser), command);
      const waits = mailIsSetUp ? '' : ' It waits until mail is set up.';
      tell(response, browser, `An invitation to ${address} is in the queue.${waits}`);
      response.redirect(303, addressOf(manager));
    } catch (error) {
      const refusal = refusalOf(error, context);
      await show(context, parts, manager, { form, ...refusal });
    }
  });

  pages.post(`${path}/:id/withdraw`, 'signed_in', async (context) => {
    const manager = await find(context);
    await invitations.withdraw(manager, pathNumber(context.request));
    tell(context.response, context.browser, 'The invitation was withdrawn. Its link is refused from now on.');
    context.response.redirect(303, addressOf(manager));
  });
};
