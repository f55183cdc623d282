import { Type } from '@sinclair/typebox';
import type { Languages } from '../../../../../application/repositories/browse/languages.js';
import { PROJECT_ID } from '../../kit/guards.js';
import { route, type Route } from '../../route.js';
import { parameters } from '../../validation/parameters.js';
import { inCode, type CodeRoutesParts } from './code-routes-parts.js';

export const getLanguages = (parts: CodeRoutesParts & { readonly languages: Languages }): Route =>
  route({
    method: 'get',
    path: '/projects/:id/languages',
    operationId: 'getLanguages',
    summary: 'What the code is written in, in per cent',
    description: 'By the extensions of the files on the default branch, without data, prose and what others wrote.',
    tag: 'Repositories',
    access: 'anyone',
    parameters: parameters({ id: PROJECT_ID }),
    responses: { 200: Type.Record(Type.String(), Type.Number()) },
    guard: inCode(parts),
    handle: async ({ subject }) => ({ body: await parts.languages.of(subject) }),
  });
