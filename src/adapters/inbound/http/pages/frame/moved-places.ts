import type { Request } from 'express';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { FormerPaths } from '../../../../../application/workspace/ports/former-paths.js';
import { mayRead } from '../../../../../application/workspace/may-read.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';

export interface MovedPlacesParts {
  readonly formerPaths: FormerPaths;
  readonly access: Pick<WorkspaceAccess, 'project' | 'group'>;
  readonly users: Pick<UserReader, 'findByUsername'>;
}

const ADDRESSES = [
  /** What an account did. */
  /^\/(users\/)([\w.-]+)(\/activity)$/,
  /** `/groups/…` or the path of a project or an account, and what follows it: a page, or an attached file. */
  /^\/(groups\/)?([\w.-]+(?:\/[\w.-]+)*?)(\/-(?:\/.*)?|\/uploads\/[0-9a-f]{32}\/[^/]+)?$/,
];

const mayOpen = async (
  { access, users }: MovedPlacesParts,
  actor: Actor,
  { path, isGroup }: { readonly path: string; readonly isGroup: boolean },
): Promise<boolean> => {
  if (isGroup || path.includes('/')) return mayRead(access, actor, isGroup ? 'group' : 'project', path);
  // Who has which name is no secret, but groups have such paths, too.
  return (await users.findByUsername(path)) !== undefined;
};

/**
 * An address of what was renamed or moved, as it is now, one that lacks `/-/`, or the page of a group whose bare path was asked for. Undefined where nothing was
 * there, where somebody has taken the path since, and for whoever may not see it: they learn no more than of a path that never was.
 */
export const addressNow = async (
  parts: MovedPlacesParts,
  actor: Actor,
  { originalUrl }: Request,
): Promise<string | undefined> => {
  const [pathname = '', ...query] = originalUrl.split('?');
  const now =
    (await pathnameNow(parts, actor, pathname)) ??
    (await dashedNow(parts, actor, pathname)) ??
    (await groupAt(parts, actor, pathname));
  return now === undefined ? undefined : [now, ...query].join('?');
};

const pathnameNow = async (parts: MovedPlacesParts, actor: Actor, pathname: string): Promise<string | undefined> => {
  const address = ADDRESSES.find((pattern) => pattern.test(pathname));
  const [, kind = '', former = '', rest = ''] = address?.exec(pathname) ?? [];
  const path = former === '' ? undefined : await parts.formerPaths.pathNow(former);
  if (path === undefined || !(await mayOpen(parts, actor, { path, isGroup: kind === 'groups/' }))) return undefined;
  return `/${kind}${path}${rest}`;
};

/** A page of a project or group as it was addressed before `/-/` stood in between: others' tools write such links, and old texts have them. */
const WITHOUT_DASH =
  /^\/(groups\/)?([\w.-]+(?:\/[\w.-]+)*?)\/((?:badges|blame|blob|boards|branches|commits?|compare|environments|issues|jobs|labels|merge_requests|milestones|pipelines|raw|releases|snippets|tags|tree)(?:\/.*)?)$/;

const dashedNow = async (parts: MovedPlacesParts, actor: Actor, pathname: string): Promise<string | undefined> => {
  const [, kind = '', path = '', page = ''] = WITHOUT_DASH.exec(pathname) ?? [];
  if (page === '' || (kind === '' && !path.includes('/'))) return undefined;
  const dashed = `/${kind}${path}/-/${page}`;
  const isThere = await mayOpen(parts, actor, { path, isGroup: kind === 'groups/' });
  return isThere ? dashed : pathnameNow(parts, actor, dashed);
};

/** The path of a group alone. A number would be an id, and an address is a path. */
const GROUP = /^\/(?!groups\/|\d+$)([\w.-]+(?:\/[\w.-]+)*)$/;

const groupAt = async ({ access }: MovedPlacesParts, actor: Actor, pathname: string): Promise<string | undefined> => {
  const [, path] = GROUP.exec(pathname) ?? [];
  return path !== undefined && (await mayRead(access, actor, 'group', path)) ? `/groups/${path}` : undefined;
};
