import type { UserId } from '../../domain/shared/identifiers.js';
import { OfferedPassword } from './ports/password-hasher.js';
import { isAdmin, type Actor } from '../shared/actor.js';

/** Whoever has a shell on the machine: the command line acts for them. */
export const OPERATOR = { kind: 'operator' } as const;
export type Operator = typeof OPERATOR;

/** A password that the operator sets; whoever has a shell waits behind nobody else. */
export const operatorsPassword = (text: string): OfferedPassword => new OfferedPassword(text, 'operator');

/** Somebody over HTTP, or the operator at the command line. */
export type Requester = Actor | Operator;

/** Whether somebody asks for their own account, or for that in whose name they act. */
export const isSelf = (requester: Requester, id: UserId): boolean =>
  requester.kind === 'user' && (requester.id === id || requester.impersonator === id);

export const isPrivileged = (requester: Requester): boolean => requester.kind === 'operator' || isAdmin(requester);
