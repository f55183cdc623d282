import type { Actor } from '../../../application/shared/actor.js';
import { mayRead } from '../../../application/workspace/may-read.js';
import type { FormerPaths } from '../../../application/workspace/ports/former-paths.js';
import type { WorkspaceAccess } from '../../../application/workspace/workspace-access.js';
import { NotFound } from '../../../domain/shared/domain-error.js';
import { identifierIn } from '../../../domain/shared/identifiers.js';
import { HttpError } from './http-error.js';
import { requestTarget } from './request-target.js';
import type { PathParameters, Route } from './route.js';

export interface MovedAddressesParts {
  readonly formerPaths: FormerPaths;
  readonly access: Pick<WorkspaceAccess, 'project' | 'group'>;
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: () => string;
}

/** A request whose guard did not find what it is about. */
export interface LostRequest {
  readonly route: Route;
  readonly actor: Actor;
  readonly path: PathParameters;
  /** The address as it was sent. */
  readonly originalUrl: string;
}

/** Routes below a project or group, whose path may be a former one. */
const BELOW = /^\/(project|group)s\/:(id|project_id)(?=\/|$)/;
/** Where the path stands in `/api/v4/projects/:id`. */
const SEGMENT = 4;

const addressAt = (originalUrl: string, path: string): string => {
  const [pathname = '', ...query] = requestTarget(originalUrl).split('?');
  const segments = pathname.split('/').with(SEGMENT, encodeURIComponent(path));
  return [segments.join('/'), ...query].join('?');
};

/**
 * What to answer in place of 404 where a project or group was renamed or moved: the address now, for who may read it. Others learn no more
 * than of a path that never was.
 */
export class MovedAddresses {
  constructor(private readonly parts: MovedAddressesParts) {}

  async instead(error: unknown, { route, actor, path, originalUrl }: LostRequest): Promise<unknown> {
    const [, kind, parameter = ''] = BELOW.exec(route.path) ?? [];
    const former = path[parameter];
    if (!(error instanceof NotFound) || kind === undefined || former === undefined) return error;
    const now = await this.#pathNow(actor, kind as 'project' | 'group', former);
    if (now === undefined) return error;
    if (route.method !== 'get')
      return new HttpError(405, `This ${kind} is now at ${now}: only GET requests are redirected there.`, {}, ONLY_GET);
    const location = `${this.parts.baseUrl()}${addressAt(originalUrl, now)}`;
    return new HttpError(301, `This ${kind} is now at ${now}.`, {}, { Location: location });
  }

  async #pathNow(actor: Actor, kind: 'project' | 'group', former: string): Promise<string | undefined> {
    if (identifierIn(former) !== undefined) return undefined;
    const now = await this.parts.formerPaths.pathNow(former);
    return now !== undefined && (await mayRead(this.parts.access, actor, kind, now)) ? now : undefined;
  }
}

const ONLY_GET = { Allow: 'GET, HEAD' };
