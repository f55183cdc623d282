import type { TSchema } from '@sinclair/typebox';
import type { Request } from 'express';
import type { TokenSource } from '../authentication/presented-token.js';
import type { BoundedObject } from '../validation/parameters.js';

export interface OAuthAnswer {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How the caller of an endpoint proves who he is. */
export type OAuthSecurity = 'client' | 'bearer' | 'person' | 'none';

/** An endpoint beside the REST API, as it is documented. Its own checks, in the words of the protocol, guard what comes in. */
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
