import { createHash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { SaidPosition } from '../../../../../application/collaboration/ports/subject-ports.js';
import type { DiffPosition, LineNumbers } from '../../../../../domain/shared/diff-position.js';
import { BadRequest } from '../../../../../domain/shared/domain-error.js';
import { component } from '../../openapi/component.js';
import {
  integer,
  nullable,
  objectOf,
  oneOf,
  requiredText,
  text,
  type ParametersOf,
} from '../../validation/parameters.js';

const MOST_LINES = 100_000_000;
const LONGEST_PATH = 4_096;
const LONGEST_ID = 64;
const LONGEST_CODE = 128;

const line = (description: string) =>
  Type.Optional(nullable(integer({ minimum: 1, maximum: MOST_LINES, description })));
const path = (description: string) => Type.Optional(nullable(text(LONGEST_PATH, description)));

const END = {
  line_code: Type.Optional(nullable(text(LONGEST_CODE, 'What the line is called: its numbers are taken from it'))),
  type: Type.Optional(nullable(text(LONGEST_CODE, '`new` or `old`; not needed'))),
  old_line: line('Its number before'),
  new_line: line('Its number after'),
};

const POSITION = {
  base_sha: requiredText(LONGEST_ID, 'As in `diff_refs`'),
  start_sha: requiredText(LONGEST_ID, 'As in `diff_refs`'),
  head_sha: requiredText(LONGEST_ID, 'As in `diff_refs`'),
  position_type: oneOf(['text', 'image', 'file'], { default: 'text', description: 'Only lines of text are taken' }),
  old_path: path('Of the file before'),
  new_path: path('Of the file after'),
  old_line: line('The number of a removed line; of one that is unchanged, both'),
  new_line: line('The number of an added line; of one that is unchanged, both'),
  line_range: Type.Optional(
    nullable(
      objectOf(
        { start: objectOf(END, 'The first line'), end: objectOf(END, 'The last, which is that of the position') },
        'Several lines',
      ),
    ),
  ),
};

/** The parameter that says which lines of a diff a discussion is about. */
export const POSITION_PARAMETER = Type.Optional(objectOf(POSITION, 'Lines of the diff that it is about'));

type Sent = ParametersOf<typeof POSITION>;
type SentEnd = ParametersOf<typeof END>;

const CODE = /^[0-9a-f]{40}_(\d{0,9})_(\d{0,9})$/;

const numbersOf = ({ line_code: code, old_line, new_line }: SentEnd): LineNumbers => {
  if (old_line != null || new_line != null) return { oldLine: old_line ?? null, newLine: new_line ?? null };
  const [whole, before, after] = CODE.exec(code ?? '') ?? [];
  if (whole === undefined) throw incomplete('line_range is of lines that are not told');
  return { oldLine: Number(before) || null, newLine: Number(after) || null };
};

const incomplete = (why: string): BadRequest => new BadRequest(`Note {:position=>["is incomplete: ${why}"]}`);

/** Null where the range is of one line. @throws BadRequest. */
const firstOf = ({ line_range: range }: Sent, { oldLine, newLine }: LineNumbers): LineNumbers | null => {
  const first = range == null ? null : numbersOf(range.start);
  return first?.oldLine === oldLine && first.newLine === newLine ? null : first;
};

/** @throws BadRequest. */
export const saidPosition = (sent: Sent): SaidPosition => {
  if (sent.position_type !== 'text')
    throw new BadRequest('Note {:position=>["must have the position_type text: only lines can be talked about"]}');
  const { old_path: oldPath = null, new_path: newPath = null } = sent;
  const { old_line: oldLine = null, new_line: newLine = null } = sent;
  if (oldPath === null && newPath === null) throw incomplete('old_path or new_path is needed');
  if (oldLine === null && newLine === null) throw incomplete('old_line or new_line is needed');
  const commits = { baseSha: sent.base_sha, startSha: sent.start_sha, headSha: sent.head_sha };
  return { ...commits, oldPath, newPath, oldLine, newLine, first: firstOf(sent, { oldLine, newLine }) };
};

const EndSchema = Type.Object({
  line_code: Type.String(),
  type: nullable(Type.String()),
  old_line: nullable(Type.Integer()),
  new_line: nullable(Type.Integer()),
});

export const PositionSchema = component(
  'schemas/DiffPosition',
  Type.Object({
    base_sha: Type.String(),
    start_sha: Type.String(),
    head_sha: Type.String(),
    old_path: Type.String(),
    new_path: Type.String(),
    position_type: Type.Literal('text'),
    old_line: nullable(Type.Integer()),
    new_line: nullable(Type.Integer()),
    line_range: nullable(Type.Object({ start: EndSchema, end: EndSchema })),
  }),
);

/** What clients call a line: the digest of the path of its file, and its numbers. */
export const lineCode = ({ newPath, oldLine, newLine }: LineNumbers & Pick<DiffPosition, 'newPath'>): string =>
  `${createHash('sha1').update(newPath).digest('hex')}_${oldLine ?? 0}_${newLine ?? 0}`;

const presentEnd = ({ newPath }: DiffPosition, { oldLine, newLine }: LineNumbers) => ({
  line_code: lineCode({ newPath, oldLine, newLine }),
  type: oldLine === null ? 'new' : newLine === null ? 'old' : null,
  old_line: oldLine,
  new_line: newLine,
});

export const presentPosition = (position: DiffPosition) => ({
  base_sha: position.baseSha,
  start_sha: position.startSha,
  head_sha: position.headSha,
  old_path: position.oldPath,
  new_path: position.newPath,
  position_type: 'text' as const,
  old_line: position.oldLine,
  new_line: position.newLine,
  line_range: position.first && {
    start: presentEnd(position, position.first),
    end: presentEnd(position, position),
  },
});
