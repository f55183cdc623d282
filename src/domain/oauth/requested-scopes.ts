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

/** Whether everything asked for is among what is allowed, by name. */
export const isAmong = (wanted: readonly string[], allowed: readonly string[]): boolean =>
  wanted.every((scope) => allowed.includes(scope));
