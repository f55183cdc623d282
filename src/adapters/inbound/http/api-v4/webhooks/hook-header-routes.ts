import { MAX_HEADER_VALUE } from '../../../../../domain/webhooks/custom-headers.js';
import { route, type Route } from '../../route.js';
import { parameters, pathId, text } from '../../validation/parameters.js';
import { HOOKS_TAG, IN_HOOK_PATH, inHook, ONE_HOOK, type HookRoutesParts } from './hook-parts.js';

const ONE = `${ONE_HOOK}/custom_headers/:key`;
const IN_PATH = { ...IN_HOOK_PATH, key: pathId('The name of the header') };

const setHeader = (parts: HookRoutesParts) =>
  route({
    method: 'put',
    path: ONE,
    operationId: 'setProjectHookHeader',
    summary: 'Have each delivery of a webhook carry a header',
    description: 'Gives another value to one that it has. 400 for a header of every delivery, or of the connection.',
    tag: HOOKS_TAG,
    access: 'user',
    parameters: parameters({
      ...IN_PATH,
      value: text(MAX_HEADER_VALUE, 'Sealed, and never answered', { writeOnly: true }),
    }),
    responses: { 204: null },
    guard: inHook(parts),
    handle: async ({ subject: { manager, webhook }, parameters: { key: name, value } }) => {
      await parts.webhooks.setHeader(manager, webhook, { name, value });
      return { status: 204 };
    },
  });

const removeHeader = (parts: HookRoutesParts) =>
  route({
    method: 'delete',
    path: ONE,
    operationId: 'removeProjectHookHeader',
    summary: 'Have the deliveries of a webhook carry a header no more',
    tag: HOOKS_TAG,
    access: 'user',
    parameters: parameters(IN_PATH),
    responses: { 204: null },
    guard: inHook(parts),
    handle: async ({ subject: { manager, webhook }, parameters: { key } }) => {
      await parts.webhooks.removeHeader(manager, webhook, key);
      return { status: 204 };
    },
  });

/** Headers that the deliveries of a webhook carry, one by one. */
export const createHookHeaderRoutes = (parts: HookRoutesParts): readonly Route[] =>
  [setHeader, removeHeader].map((make) => make(parts));
