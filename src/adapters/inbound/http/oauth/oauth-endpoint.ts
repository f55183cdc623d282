import type { TSchema } from '@sinclair/typebox';
import type { Request } from 'express';
import type { TokenSource } from '../authentication/presented-token.js';
import { parameters, type BoundedObject, type BoundedProperties } from '../validation/parameters.js';
import { OAuthFields } from './oauth-fields.js';

export interface OAuthAnswer {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How the caller of an endpoint proves who they are. */
export type OAuthSecurity = 'client' | 'bearer' | 'person' | 'none';

/** An endpoint beside the REST API, as it is documented. What comes in is refused in the words of the protocol. */
export interface OAuthEndpointDeclaration {
  readonly method: 'get' | 'post';
  /** The whole path. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security: OAuthSecurity;
  readonly parameters: BoundedObject;
  /** The schema of the body by status. */
  readonly responses: Readonly<Record<number, TSchema | null>>;
}

export interface OAuthEndpoint extends OAuthEndpointDeclaration {
  /** @throws OAuthError. */
  readonly handle: (request: Request) => Promise<OAuthAnswer>;
  /** The same for a GET without a query, where it is asked so often that it does not go through Express. */
  readonly handleLean?: (request: TokenSource) => Promise<OAuthAnswer>;
}

interface Form<Properties extends BoundedProperties> extends Omit<OAuthEndpointDeclaration, 'method' | 'parameters'> {
  readonly parameters: Properties;
  /** @throws OAuthError. */
  readonly take: (fields: OAuthFields<keyof Properties & string>, request: Request) => Promise<OAuthAnswer>;
}

/** An endpoint that takes a form or JSON: what it declares is what it can read, within the declared bounds. */
export const formEndpoint = <Properties extends BoundedProperties>({
  take,
  parameters: declared,
  ...declaration
}: Form<Properties>): OAuthEndpoint => ({
  ...declaration,
  method: 'post',
  parameters: parameters<BoundedProperties>(declared),
  handle: (request) => take(new OAuthFields(request, declared), request),
});
