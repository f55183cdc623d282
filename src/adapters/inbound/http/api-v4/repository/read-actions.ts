import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { FILE_ACTIONS, type FileAction } from '../../../../../domain/repositories/file-action.js';
import { HttpError } from '../../http-error.js';
import { given } from '../../kit/given.js';
import { readItem, refuseItem, type ItemPlace } from '../../validation/read-item.js';
import { bytesOf, FILE_ENCODINGS } from './code-writing.js';

/** Actions of one commit at most. */
export const MAX_ACTIONS = 1_000;
const literals = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] });

const ActionSchema = Type.Object({
  action: literals(FILE_ACTIONS),
  file_path: Type.String({ minLength: 1 }),
  previous_path: Type.Optional(Type.String({ minLength: 1 })),
  content: Type.Optional(Type.String()),
  encoding: Type.Unsafe<(typeof FILE_ENCODINGS)[number]>({
    type: 'string',
    enum: [...FILE_ENCODINGS],
    default: 'text',
  }),
  last_commit_id: Type.Optional(Type.String()),
  execute_filemode: Type.Optional(Type.Boolean()),
});
type SentAction = Static<typeof ActionSchema>;

const placeOf = (index: number): ItemPlace => ({ list: 'actions', index });

/**
 * The actions of a commit, as JSON or as a form (`actions[][action]=…`) sends them.
 * @throws HttpError 400 naming the first fault.
 */
export const readActions = (
  sent: readonly unknown[] | undefined,
  { mayBeNone }: { readonly mayBeNone: boolean },
): readonly FileAction[] => {
  if (mayBeNone && (sent === undefined || sent.length === 0)) return [];
  if (sent === undefined) throw new HttpError(400, 'actions is missing');
  if (sent.length === 0) throw new HttpError(400, 'actions is empty');
  return sent.map((each, index) => toAction(readItem(placeOf(index), each, ActionSchema), placeOf(index)));
};

const toAction = (sent: SentAction, place: ItemPlace): FileAction => {
  const { action: kind, file_path: path, previous_path: previousPath, content, encoding } = sent;
  const seen = given({ lastCommitId: sent.last_commit_id });
  const executable = sent.execute_filemode;
  const bytes = (text: string) => bytesOf(text, encoding, (problem) => refuseItem(place, 'content', problem));
  switch (kind) {
    case 'create':
      return { kind, path, content: bytes(content ?? ''), executable: executable ?? false };
    case 'update':
      if (content === undefined) return refuseItem(place, 'content', 'is missing');
      return { kind, path, content: bytes(content), ...seen };
    case 'delete':
      return { kind, path, ...seen };
    case 'move': {
      if (previousPath === undefined) return refuseItem(place, 'previous_path', 'is missing');
      const changed = content === undefined ? {} : { content: bytes(content) };
      return { kind, path, previousPath, ...changed, ...seen };
    }
    case 'chmod':
      if (executable === undefined) return refuseItem(place, 'execute_filemode', 'is missing');
      return { kind, path, executable, ...seen };
  }
};
