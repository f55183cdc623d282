import { addressOfNobody } from '../../../../../domain/identity/bot.js';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import type { CodeAuthor, CodeWriter } from '../../../../../application/repositories/commit-to-branch.js';
import type { Ref } from '../../../../../application/repositories/ports/repository-repositories.js';
import { Unauthenticated } from '../../../../../domain/shared/domain-error.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { ORDINARY_BODY, type BodyBounds } from '../../body/read-body.js';

const MEBIBYTE = 1_048_576;

/**
 * What a file sent as JSON may take, four thirds of it for what is written as base64. All of it is read and parsed while others wait,
 * up to eight milliseconds a mebibyte; what is larger comes by `git push`, which nobody waits for.
 */
export const MAX_FILE_TEXT = 5 * MEBIBYTE;

/** A body that brings files, as text or base64. */
export const FILES_BODY: BodyBounds = {
  ...ORDINARY_BODY,
  bytes: MAX_FILE_TEXT,
  formBytes: 3 * MEBIBYTE,
  json: { depth: 10, keys: 10_000, containers: 10_000, separators: 20_000 },
};

export const MAX_MESSAGE = 100_000;
export const MAX_REF = 1_000;

/** How commits name somebody, with the address that people know them by; undefined once they are gone. */
export const signatureOf = async (users: UserReader, id: UserId): Promise<CodeAuthor | undefined> => {
  const user = await users.find(id);
  return user && { name: user.name, email: user.email ?? addressOfNobody(user) };
};

/** Commits name whoever makes them. */
export const writerOf = async (
  users: UserReader,
  { id, admin }: Pick<UserActor, 'id' | 'admin'>,
): Promise<CodeWriter> => {
  const signature = await signatureOf(users, id);
  if (signature === undefined) throw new Unauthenticated();
  return { id, admin, ...signature };
};

/** The author that a request names; whatever it leaves out is the writer's own. */
export const authorOf = (
  writer: CodeWriter,
  { author_name: name, author_email: email }: { readonly author_name?: string; readonly author_email?: string },
): { readonly author?: CodeAuthor } =>
  name === undefined && email === undefined
    ? {}
    : { author: { name: name ?? writer.name, email: email ?? writer.email } };

/** When the commit was made that a branch or tag leads to. What is no commit says nothing of when: as long ago as can be. */
export const committedAtOf = ({ committedAt }: Pick<Ref, 'committedAt'>): Date => committedAt ?? new Date(0);

export const FILE_ENCODINGS = ['text', 'base64'] as const;
export type FileEncoding = (typeof FILE_ENCODINGS)[number];

const NOT_BASE64 = 'is not valid base64';
const PADDING = ['', '=', '=='];

/** Standard base64 with its padding. Mail wraps it into lines, so whitespace doesn't count. Undefined for anything else. */
const fromBase64 = (content: string): Uint8Array | undefined => {
  const digits = content.replace(/[ \t\r\n]+/g, '');
  // Not one pattern for all of it: that would be tried again from every digit of a few megabytes.
  const end = digits.search(/[^A-Za-z0-9+/]/);
  const padding = end === -1 ? '' : digits.slice(end);
  return digits.length % 4 === 0 && PADDING.includes(padding) ? Buffer.from(digits, 'base64') : undefined;
};

/** @param refuse is told what is wrong with the content, and throws. */
export const bytesOf = (content: string, encoding: FileEncoding, refuse: (problem: string) => never): Uint8Array =>
  encoding === 'text' ? Buffer.from(content) : (fromBase64(content) ?? refuse(NOT_BASE64));
