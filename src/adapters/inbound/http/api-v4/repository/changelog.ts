import { Type } from '@sinclair/typebox';
import { NoChangelog, type Changelogs } from '../../../../../application/repositories/browse/changelogs.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import { given } from '../../kit/given.js';
import { PROJECT_ID } from '../../kit/guards.js';
import { route, type Route } from '../../route.js';
import { day, parameters, requiredText, text } from '../../validation/parameters.js';
import { inCode, MAX_NAME, type CodeRoutesParts } from './code-routes-parts.js';

type Parts = CodeRoutesParts & { readonly changelogs: Changelogs; readonly clock: Clock };

export const getChangelog = (parts: Parts): Route =>
  route({
    method: 'get',
    path: '/projects/:id/repository/changelog',
    operationId: 'getChangelog',
    summary: 'Release notes made of the trailers of commits',
    description: 'A commit is a change of the category that its trailer names, as in `Changelog: added`.',
    tag: 'Repositories',
    access: 'anyone',
    parameters: parameters({
      id: PROJECT_ID,
      version: requiredText(255, 'The version that is released, such as 1.2.3'),
      from: Type.Optional(text(MAX_NAME, 'The commit before the first; the tag of the release before when absent')),
      to: Type.Optional(text(MAX_NAME, 'The last commit; the default branch when absent')),
      date: Type.Optional(day('When it is released; today when absent')),
      trailer: text(255, 'The trailer that names the category', { default: 'Changelog' }),
    }),
    responses: { 200: Type.Object({ notes: Type.String() }), 422: Type.Object({ message: Type.String() }) },
    guard: inCode(parts),
    handle: async ({ subject, parameters: { version, from, to, date, trailer } }) => {
      const today = parts.clock.now().toISOString().slice(0, 10);
      const request = { version, date: date ?? today, trailer, ...given({ from, to }) };
      try {
        return { body: { notes: await parts.changelogs.write(subject, request) } };
      } catch (error) {
        if (!(error instanceof NoChangelog)) throw error;
        return { status: 422, body: { message: `Failed to generate the changelog: ${error.message}` } };
      }
    },
  });
