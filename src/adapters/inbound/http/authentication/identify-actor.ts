import type { Request } from 'express';
import type { Authenticate } from '../../../../application/identity/authenticate.js';
import type { Actor, UserActor } from '../../../../application/shared/actor.js';
import { Forbidden, TokenScopeInsufficient, Unauthenticated } from '../../../../domain/shared/domain-error.js';
import { presentedToken } from './presented-token.js';

export type IdentifyActor = (request: Request) => Promise<Actor>;

/** The user of a signed-in browser, where the request may act for it; see the pages. */
export type IdentifyBySession = (request: Request) => Promise<Actor>;

const sudoTarget = (request: Request): string | undefined => {
  const fields = { ...(request.query as object), ...(request.body as object | undefined) } as Record<string, unknown>;
  const target = request.get('sudo') ?? fields['sudo'];
  return typeof target === 'string' || typeof target === 'number' ? String(target) : undefined;
};

const refuseSudo = (actor: Actor): UserActor => {
  if (actor.kind === 'anonymous') throw new Unauthenticated();
  if (!actor.admin) throw new Forbidden('Must be admin to use sudo');
  if (actor.credential.kind === 'session') {
    throw new Forbidden('Must be authenticated using an OAuth or Personal Access Token to use sudo');
  }
  if (!actor.credential.scopes.includes('sudo')) throw new TokenScopeInsufficient(['sudo']);
  return actor;
};

/** Who asks: by token, else by the session of a browser; then in whose name, where an administrator uses sudo. */
export const createIdentifyActor =
  (authenticate: Authenticate, bySession: IdentifyBySession): IdentifyActor =>
  async (request) => {
    const token = presentedToken(request);
    const actor = token === undefined ? await bySession(request) : await authenticate.byToken(token);
    const target = sudoTarget(request);
    return target === undefined ? actor : authenticate.impersonate(refuseSudo(actor), target);
  };
