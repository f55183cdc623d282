import { Type } from '@sinclair/typebox';
import type { OAuthEndpointDeclaration } from '../oauth/oauth-endpoint.js';
import { route, type Route } from '../route.js';
import { parameters } from '../validation/parameters.js';
import { KeptJson } from '../kept-json.js';
import { openApiDocument } from './openapi-document.js';

/** The route that publishes all the others, and itself. */
export const withOpenApiRoute = (
  routes: readonly Route[],
  endpoints: readonly OAuthEndpointDeclaration[],
  baseUrl: () => string,
  version: string,
): readonly Route[] => {
  const all: Route[] = [...routes];
  let made: { readonly address: string; readonly kept: KeptJson } | undefined;
  all.push(
    route({
      method: 'get',
      path: '/openapi.json',
      operationId: 'getOpenApi',
      summary: 'This document',
      tag: 'Version',
      access: 'anyone',
      scopes: 'any',
      parameters: parameters({}),
      responses: { 200: Type.Object({}, { additionalProperties: true }) },
      handle: () => {
        const address = baseUrl();
        if (made?.address !== address)
          made = { address, kept: new KeptJson(openApiDocument(all, endpoints, address, version)) };
        return Promise.resolve({ kept: made.kept });
      },
    }),
  );
  return all;
};
