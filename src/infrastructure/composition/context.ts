import type { ContainerModule } from 'inversify';
import type { TokenResolver } from '../../application/identity/ports/token-resolver.js';
import type { HandlersByKind, JobHandlers } from '../../application/shared/jobs/job-runner.js';
import type { SubjectActions } from '../../application/collaboration/ports/action-ports.js';
import type { ForgetGroup, ForgetProject } from '../../application/workspace/ports/forget-project.js';
import type { SubjectOfApi } from '../../adapters/inbound/http/api-v4/collaboration/subject-of-api.js';
import type { Route } from '../../adapters/inbound/http/route.js';
import type { Pages } from '../../adapters/inbound/http/pages/page.js';
import type { JobLoop } from '../../adapters/inbound/scheduler/job-loop.js';
import type { ScheduledTask } from '../../adapters/inbound/scheduler/scheduler.js';
import type { LeftWork, Storage, SubjectsOf } from './storage.js';
import type { Repositories } from './storages.js';
import type { Token } from './token.js';

/** What the clock starts; `stopping` ends it early. */
export type ScheduledWork = (stopping?: AbortSignal) => Promise<unknown>;

/** What is done beside requests. */
export interface WorkLoop {
  /** What it does, and so which commits wake it. */
  readonly does: LeftWork;
  readonly loop: JobLoop;
  /** Lets what runs end early. */
  readonly hurryUp?: () => void;
}

/** Finds what is bound in the container. */
export type Get = <T>(token: Token<T>) => T;

/** All that a part of the product brings, named in one place. What is central is made of the list of them. */
export interface AnyContext {
  /** Its half that works inside transactions. */
  readonly storage: Storage;
  /** Its readers and use cases, by its own tokens. */
  readonly modules: readonly ContainerModule[];
  readonly routes?: (get: Get) => readonly Route[];
  readonly pages?: (get: Get) => (pages: Pages) => void;
  /** Pages that catch every path that no other page has: those of groups and projects. */
  readonly pagesOfAnyPath?: (get: Get) => (pages: Pages) => void;
  /** What the kinds of jobs of its storage do. */
  readonly jobs?: (get: Get) => HandlersByKind<Repositories>;
  /** Know the tokens that it hands out, for sign-in. */
  readonly tokenResolvers?: (get: Get) => readonly TokenResolver[];
  /** The kinds of what people talk about that it brings to the API. */
  readonly subjects?: (get: Get) => readonly SubjectOfApi[];
  /** How texts below those kinds change them. */
  readonly actions?: (get: Get) => readonly SubjectActions<Repositories>[];
  /** What it removes of a project before the project itself is removed. */
  readonly forgetProject?: readonly ForgetProject<Repositories>[];
  /** The same of a group. */
  readonly forgetGroup?: readonly ForgetGroup<Repositories>[];
  /** What runs by the clock, on every node. */
  readonly tasks?: (get: Get) => readonly ScheduledTask[];
  /** What it does beside requests from the start of the service to its end. */
  readonly loops?: (get: Get) => readonly WorkLoop[];
  /** What it removes every few minutes, on one node at a time, beyond rows that expire. */
  readonly cleanUp?: (get: Get) => ScheduledWork;
}

/** The context of a storage. It doesn't compile without a handler for each of its kinds of jobs. */
export type Context<S extends Storage> = Omit<AnyContext, 'storage' | 'jobs'> & {
  readonly storage: S;
} & (S extends { readonly jobs: object }
    ? { readonly jobs: (get: Get) => JobHandlers<Repositories, SubjectsOf<S>> }
    : { readonly jobs?: never });
