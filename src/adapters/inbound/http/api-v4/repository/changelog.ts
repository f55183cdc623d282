import { Type } from '@sinclair/typebox';
import { NoChangelog, type Changelogs } from '../../../../../application/repositories/browse/changelogs.js';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { WriteChangelog } from '../../../../../application/repositories/write-changelog.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { given } from '../../kit/given.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { route, type Route } from '../../route.js';
import { day, parameters, requiredText, text } from '../../validation/parameters.js';
import { MAX_MESSAGE, MAX_REF, writerOf } from './code-writing.js';
import { inCode, MAX_NAME, type CodeRoutesParts } from './code-routes-parts.js';

type Parts = CodeRoutesParts & { readonly changelogs: Changelogs; readonly clock: Clock };

const PATH = '/projects/:id/repository/changelog';
const TAG = 'Repositories';

const VERSION = {
  id: PROJECT_ID,
  version: requiredText(255, 'The version that is released, such as 1.2.3'),
  from: Type.Optional(text(MAX_NAME, 'The commit before the first; the tag of the release before when absent')),
  to: Type.Optional(text(MAX_NAME, 'The last commit; that of the branch when absent')),
  date: Type.Optional(day('When it is released; today when absent')),
  trailer: text(255, 'The trailer that names the category', { default: 'Changelog' }),
};

const ReasonSchema = Type.Object({ message: Type.String() });

const dateOr = (date: string | undefined, clock: Clock): string => date ?? clock.now().toISOString().slice(0, 10);

/** Answers 422 where there is nothing to tell. */
const orReason = async <Answer>(
  work: () => Promise<Answer>,
): Promise<Answer | { readonly status: 422; readonly body: { readonly message: string } }> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NoChangelog)) throw error;
    return { status: 422, body: { message: `Failed to generate the changelog: ${error.message}` } };
  }
};

export const getChangelog = (parts: Parts): Route =>
  route({
    method: 'get',
    path: PATH,
    operationId: 'getChangelog',
    summary: 'Release notes made of the trailers of commits',
    description: 'A commit is a change of the category that its trailer names, as in `Changelog: added`.',
    tag: TAG,
    access: 'anyone',
    parameters: parameters(VERSION),
    responses: { 200: Type.Object({ notes: Type.String() }), 422: ReasonSchema },
    guard: inCode(parts),
    handle: ({ subject, parameters: { version, from, to, date, trailer } }) =>
      orReason(async () => {
        const request = { version, date: dateOr(date, parts.clock), trailer, ...given({ from, to }) };
        return { body: { notes: await parts.changelogs.write(subject, request) } };
      }),
  });

export interface ChangelogWritingParts {
  readonly access: WorkspaceAccess;
  readonly users: UserReader;
  readonly writeChangelog: WriteChangelog;
  readonly clock: Clock;
}

export const addChangelog = ({ access, users, writeChangelog, clock }: ChangelogWritingParts): Route =>
  route({
    method: 'post',
    path: PATH,
    operationId: 'addChangelog',
    summary: 'Commit release notes to the changelog',
    description: 'The notes go before those of the releases that the version follows.',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      ...VERSION,
      branch: Type.Optional(text(MAX_REF, 'Where it is committed; the default branch when absent')),
      file: text(MAX_NAME, 'The file of the changelog', { default: 'CHANGELOG.md' }),
      message: Type.Optional(text(MAX_MESSAGE, 'What the commit is about; the version when absent')),
    }),
    responses: { 200: Type.Null(), 422: ReasonSchema },
    guard: inProject(access, 'push_code'),
    handle: ({ actor, subject, parameters: { version, from, to, date, trailer, branch, file, message } }) =>
      orReason(async () => {
        await writeChangelog.execute(subject, await writerOf(users, actor), {
          version,
          date: dateOr(date, clock),
          trailer,
          file,
          message: message ?? `Add changelog for version ${version}`,
          ...given({ from, to, branch }),
        });
        return { body: null };
      }),
  });
