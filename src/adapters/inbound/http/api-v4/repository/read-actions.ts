import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { FILE_ACTIONS, type FileAction } from '../../../../../domain/repositories/file-action.js';
import { HttpError } from '../../http-error.js';
import { given } from '../../kit/given.js';
import { coerceParameters } from '../../validation/coerce-parameters.js';
import { compileSchema } from '../../validation/schema-compiler.js';
import { isStorable } from '../../validation/storable-text.js';
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

const refuse = (index: number, name: string, problem: string): never => {
  throw new HttpError(400, `actions[${index}][${name}] ${problem}`);
};

/**
 * The actions of a commit, as JSON or as a form (`actions[][action]=…`) sends them.
 * @throws HttpError 400 naming the first fault.
 */
export const readActions = (sent: readonly unknown[]): readonly FileAction[] => {
  if (sent.length === 0) throw new HttpError(400, 'actions is empty');
  return sent.map((each, index) => toAction(readAction(each, index), index));
};

const readAction = (sent: unknown, index: number): SentAction => {
  if (typeof sent !== 'object' || sent === null) throw new HttpError(400, `actions[${index}] is invalid`);
  const fields = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
  const action = coerceParameters(fields, ActionSchema.properties);
  const broken = Object.keys(action).find((name) => !isStorable(action[name]));
  if (broken !== undefined) refuse(index, broken, 'is invalid');
  const validate = compileSchema(ActionSchema);
  const [problem] = validate(action) ? [] : (validate.errors ?? []);
  if (problem === undefined) return action as unknown as SentAction;
  if (problem.keyword === 'required')
    return refuse(index, (problem.params as { missingProperty: string }).missingProperty, 'is missing');
  const name = problem.instancePath.slice(1);
  if (problem.keyword === 'enum') return refuse(index, name, 'does not have a valid value');
  return refuse(index, name, problem.keyword === 'minLength' ? 'is empty' : 'is invalid');
};

const toAction = (sent: SentAction, index: number): FileAction => {
  const { action: kind, file_path: path, previous_path: previousPath, content, encoding } = sent;
  const seen = given({ lastCommitId: sent.last_commit_id });
  const executable = sent.execute_filemode;
  switch (kind) {
    case 'create':
      return { kind, path, content: bytesOf(content ?? '', encoding), executable: executable ?? false };
    case 'update':
      if (content === undefined) return refuse(index, 'content', 'is missing');
      return { kind, path, content: bytesOf(content, encoding), ...seen };
    case 'delete':
      return { kind, path, ...seen };
    case 'move': {
      if (previousPath === undefined) return refuse(index, 'previous_path', 'is missing');
      const changed = content === undefined ? {} : { content: bytesOf(content, encoding) };
      return { kind, path, previousPath, ...changed, ...seen };
    }
    case 'chmod':
      if (executable === undefined) return refuse(index, 'execute_filemode', 'is missing');
      return { kind, path, executable, ...seen };
  }
};
