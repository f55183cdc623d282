import { excerptOf } from '../../domain/review/placed-line.js';
import { BadRequest } from '../../domain/shared/domain-error.js';
import type { DiffPosition, DiscussionPlace } from '../../domain/shared/diff-position.js';
import type { SaidPosition } from '../collaboration/ports/subject-ports.js';
import type { Diff } from '../repositories/ports/object-stores.js';

export const refusedNote = (attribute: string, ...problems: readonly string[]): BadRequest =>
  new BadRequest(`Note {:${attribute}=>[${problems.map((problem) => JSON.stringify(problem)).join(', ')}]}`);

/** Where a discussion of lines begins. @throws BadRequest where the diff doesn't show them. */
export const placeLines = (
  { files }: Pick<Diff, 'files'>,
  said: SaidPosition,
  commits: Pick<DiffPosition, 'baseSha' | 'startSha' | 'headSha'>,
): DiscussionPlace => {
  const path = said.newPath ?? said.oldPath;
  const file = files.find(
    ({ oldPath, newPath }) => newPath === path && [null, oldPath, newPath].includes(said.oldPath),
  );
  const excerpt = file && excerptOf(file.patch, said);
  if (file === undefined || excerpt === undefined)
    throw refusedNote('line_code', "can't be blank", 'must be a valid line code');
  const { oldPath, newPath } = file;
  const { oldLine, newLine, first } = said;
  const position = { ...commits, oldPath, newPath, oldLine, newLine, first };
  return { position, original: position, excerpt, outdated: false };
};
