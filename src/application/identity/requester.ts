import { isAdmin, type Actor } from '../shared/actor.js';

/** Whoever has a shell on the machine: the command line acts for him. */
export const OPERATOR = { kind: 'operator' } as const;
export type Operator = typeof OPERATOR;

/** Somebody over HTTP, or the operator at the command line. */
export type Requester = Actor | Operator;

export const isPrivileged = (requester: Requester): boolean => requester.kind === 'operator' || isAdmin(requester);
