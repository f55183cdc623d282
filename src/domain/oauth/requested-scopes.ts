import { refusal, type OAuthRefusal } from './oauth-error.js';
import { isScope, type Scope } from '../shared/scope.js';

/**
 * Scopes as a client writes them, separated by single spaces (RFC 6749 §3.3); undefined when one is unknown or named twice, or
 * there is none.
 */
export const readScopes = (text: string): readonly Scope[] | undefined => {
  const names = text.split(' ').filter((name) => name !== '');
  const scopes = names.filter(isScope);
  const sound = names.length > 0 && scopes.length === names.length && new Set(names).size === names.length;
  return sound ? scopes : undefined;
};

/** Why somebody can't give all of these: `sudo` would wake once they are made an administrator. */
export const refusedScopes = (
  scopes: readonly Scope[],
  { admin }: { readonly admin: boolean },
): OAuthRefusal | undefined =>
  admin || !scopes.includes('sudo')
    ? undefined
    : refusal('invalid_scope', 'Only an administrator can give the scope sudo. Ask without it.');

/** Whether everything asked for is among what is allowed, by name. */
export const isAmong = (wanted: readonly string[], allowed: readonly string[]): boolean =>
  wanted.every((scope) => allowed.includes(scope));
