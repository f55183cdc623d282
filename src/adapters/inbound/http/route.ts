import type { Static, TSchema } from '@sinclair/typebox';
import type { Request } from 'express';
import type { AnonymousActor, UserActor } from '../../../application/shared/actor.js';
import type { ByteSpan } from '../../../domain/shared/byte-span.js';
import { SCOPES, type Scope } from '../../../domain/shared/scope.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { GroupPermission, ProjectPermission } from '../../../domain/workspace/workspace-policy.js';
import type { MachineTokens } from './authentication/machine-tokens.js';
import type { BodyBounds } from './body/read-body.js';
import type { KeptJson } from './kept-json.js';
import type { BoundedObject } from './validation/parameters.js';

/** Where every declared route stands. */
export const API_PREFIX = '/api/v4';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Who may call a route at all; what they may do to its subject is the guard's affair. */
export type Access = 'anyone' | 'user' | 'admin';

/** The segments of the path as sent, decoded and not yet validated. */
export type PathParameters = Readonly<Record<string, string>>;

/** What a handler answers. `page` makes it a paged list: the array is `body` and the headers follow from the page. */
export interface RouteResult {
  readonly status?: number;
  readonly body?: unknown;
  /** In place of `body`: one that is the same for everybody. */
  readonly kept?: KeptJson;
  /** In place of `body`: a list that may be large, read and sent in pieces (`send-list.ts`). */
  readonly batches?: AsyncIterable<readonly unknown[]>;
  /** In place of `body`: bytes that are sent as they come (`send-bytes.ts`); not asked for where only headers are. */
  readonly bytes?: (span?: ByteSpan) => Promise<AsyncIterable<Uint8Array>>;
  /** Whether these are read in part, too: whoever asks for a part of them is sent that alone. */
  readonly ranged?: true;
  readonly headers?: Readonly<Record<string, string>>;
  /** The same for a list that is paged by cursors: that of the next page, if there is one, and what its parameter is called. */
  readonly keyset?: { readonly perPage: number; readonly cursor?: string; readonly parameter?: string };
  readonly page?: { readonly request: PageRequest; readonly of: Pick<Page<unknown>, 'total' | 'hasNext'> };
}

type ActorOf<A extends Access> = A extends 'anyone' ? AnonymousActor | UserActor : UserActor;

/** What a guard decides by. */
export interface GuardContext<A extends Access = Access> extends MachineTokens {
  readonly actor: ActorOf<A>;
  readonly path: PathParameters;
  /** What was sent in path, query and body, not yet validated: for what a parameter beside the path names. */
  readonly sent: Readonly<Record<string, unknown>>;
}

/** Finds what a request is about, for callers who may do to it what they ask (404, 403). */
export type Decide<Subject, A extends Access = Access> = (context: GuardContext<A>) => Promise<Subject>;

/** The same as the kit makes it, with what it asks for. */
export interface Guard<Subject> {
  readonly decide: Decide<Subject>;
  /** What callers need, where it is one of the permissions of projects and groups. */
  readonly permission?: ProjectPermission | GroupPermission;
}

export interface RouteDeclaration<
  Parameters extends BoundedObject = BoundedObject,
  Subject = unknown,
  A extends Access = Access,
> {
  readonly method: Method;
  /** Express path under `/api/v4`, as in `/users/:id`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** The release of the API that brought the route, as in `8.12`; else that of version 4 as a whole. */
  readonly since?: string;
  readonly access: A;
  /**
   * Scopes that are enough beside `api`, and `read_api` where the method only reads; `any` for what every token may: to read what is the
   * same for everybody, and to see and end itself.
   */
  readonly scopes?: readonly Scope[] | 'any';
  /**
   * What it does that pages ask for the password again for, as in `create users`: no session of a browser may, which has proved nothing
   * for this call. Every route that does what a sensitive form does is declared so, unless that is for what the path names to say
   * (`refuseSession`).
   */
  readonly sensitive?: string;
  /** Path, query and body in one: path beats body beats query. */
  readonly parameters: Parameters;
  /** How large its body may be, where that differs from `ORDINARY_BODY`; the declaration says why. */
  readonly body?: BodyBounds;
  /** Whether a token of a job, sent in the head, is good: then the body may be as large as anybody's who is signed in. */
  readonly isFromJob?: (token: string) => Promise<boolean>;
  /** The field of a file: its request is a multipart form, and `sentFile` reads it. */
  readonly file?: string;
  /** Its handler reads the body itself, as bytes, once it knows who sends them: the caller is known by the head alone. */
  readonly ownBody?: true;
  /** The schema of the body by status; `null` for an answer without one. */
  readonly responses: Readonly<Record<number, TSchema | null>>;
  /**
   * Finds what the path names and decides whether the caller may do this to it (404, 403), before parameters are validated:
   * who may not see a thing learns nothing from the errors of its parameters.
   */
  readonly guard?: Guard<Subject> | Decide<Subject, A>;
  /** Hears of a token that asks and is no longer good, which is refused all the same. */
  readonly tokenRefused?: (secret: string) => Promise<void>;
  /** When the subject changed last: a request that is not to go on if that is after its `If-Unmodified-Since` is answered 412. */
  readonly lastChanged?: (subject: Subject) => Date;
  readonly handle: (context: RouteContext<Parameters, Subject, A>) => Promise<RouteResult>;
}

export interface RouteContext<Parameters extends BoundedObject, Subject, A extends Access> {
  readonly actor: ActorOf<A>;
  readonly parameters: Static<Parameters>;
  /** What the guard answered. */
  readonly subject: Subject;
  readonly request: Request;
}

/** A declaration whose types its handler no longer shows: what the application mounts and documents. */
export type Route = RouteDeclaration<BoundedObject, never>;

/** Infers the types of a declaration. */
export const route = <Parameters extends BoundedObject, A extends Access, Subject = undefined>(
  declaration: RouteDeclaration<Parameters, Subject, A>,
): Route => declaration as unknown as Route;

/** The scopes any one of which suffices for a route, in the order in which a refusal names them. */
export const sufficientScopes = ({ method, scopes = [] }: Pick<Route, 'method' | 'scopes'>): readonly Scope[] => {
  if (scopes === 'any') return SCOPES;
  return method === 'get' ? [...scopes, 'api', 'read_api'] : ['api'];
};
