import { Type } from '@sinclair/typebox';
import {
  isProtectionLevel,
  MAINTAINERS,
  type ProtectionLevel,
} from '../../../../../domain/repositories/protected-ref.js';
import { Unprocessable } from '../../../../../domain/shared/domain-error.js';
import { HttpError, ParametersInvalid } from '../../http-error.js';
import { integer, jsonList, MAX_LIST_ITEMS } from '../../validation/parameters.js';

/** A parameter that is one of the levels of protections. */
export const protectionLevel = (description: string) =>
  integer({
    minimum: 0,
    maximum: 60,
    description: `${description}: 0 no one, 30 developers, 40 maintainers, 60 administrators`,
  });

/** The same as a list of who may, of which a level is all that there is here. */
export const allowedTo = (level: string) =>
  jsonList(
    MAX_LIST_ITEMS,
    `The same as \`${level}\`, sent as one object that has \`access_level\` and nothing else. More of them, and users, groups or keys are refused`,
  );

/** @throws ParametersInvalid for a level that protections don't have. */
const levelIn = (parameter: string, level: unknown): ProtectionLevel => {
  const number = typeof level === 'string' && /^\d{1,2}$/.test(level) ? Number(level) : level;
  if (typeof number === 'number' && isProtectionLevel(number)) return number;
  throw new ParametersInvalid([{ parameter, problem: 'does not have a valid value' }]);
};

/** @throws Unprocessable for a rule that can't be kept: nobody must believe that it is there. */
const levelInList = (name: string, [entry, ...more]: readonly unknown[]): ProtectionLevel | undefined => {
  if (entry === undefined) return undefined;
  const fields = Object.entries(typeof entry === 'object' && entry !== null ? entry : { entry });
  const [[key, level] = [], ...others] = fields.filter(([, value]) => value !== null);
  if (more.length > 0 || others.length > 0 || key !== 'access_level')
    throw new Unprocessable(
      `${name} supports one entry that has access_level and nothing else: there are no rules for users, groups or deploy keys`,
    );
  return levelIn(`${name}[0][access_level]`, level);
};

/** The two ways to send a level, by the names of their parameters. */
type SentLevel = readonly [
  one: readonly [name: string, level: number | undefined],
  list: readonly [name: string, entries: readonly unknown[] | undefined],
];

/** Undefined where neither was sent. @throws HttpError for both at once. */
export const sentLevel = ([[name, level], [listName, entries = []]]: SentLevel): ProtectionLevel | undefined => {
  const listed = levelInList(listName, entries);
  if (level === undefined) return listed;
  if (listed !== undefined) throw new HttpError(400, `${name}, ${listName} are mutually exclusive`);
  return levelIn(name, level);
};

/** What clients send of rules that are the same for every branch here. */
export const UNCHANGING = {
  unprotect_access_level: Type.Optional(protectionLevel('Who may unprotect: nothing but 40')),
  allowed_to_unprotect: Type.Optional(allowedTo('unprotect_access_level')),
  code_owner_approval_required: Type.Optional(Type.Boolean({ description: 'Nothing but false' })),
};

interface Unchanging {
  readonly unprotect_access_level?: number;
  readonly allowed_to_unprotect?: readonly unknown[];
  readonly code_owner_approval_required?: boolean;
}

/** @throws Unprocessable for another rule than there is. */
export const requireUnchanged = (sent: Unchanging): void => {
  const unprotect = sentLevel([
    ['unprotect_access_level', sent.unprotect_access_level],
    ['allowed_to_unprotect', sent.allowed_to_unprotect],
  ]);
  if (unprotect !== undefined && unprotect !== MAINTAINERS)
    throw new Unprocessable('Branches are unprotected by maintainers (access level 40), which cannot be changed');
  if (sent.code_owner_approval_required === true)
    throw new Unprocessable('code_owner_approval_required is not supported: there are no code owners');
};
