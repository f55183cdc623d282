import type { TSchema } from '@sinclair/typebox';
import type { UserActor } from '../../../../../application/shared/actor.js';
import { route, type Guard, type Route } from '../../route.js';
import { parameters as bounded, type BoundedProperties } from '../../validation/parameters.js';

export const SUBSCRIBE = {
  verb: 'subscribe',
  subscribed: true,
  summary: 'Be mailed about what gets a label',
} as const;

export const UNSUBSCRIBE = {
  verb: 'unsubscribe',
  subscribed: false,
  summary: 'Be mailed about what gets a label no more',
} as const;

interface Change<Subject> {
  readonly verb: 'subscribe' | 'unsubscribe';
  readonly subscribed: boolean;
  /** Of the label. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: BoundedProperties;
  /** The schema of the label. */
  readonly answer: TSchema;
  readonly guard: Guard<Subject>;
  /** False where it is so already. */
  readonly change: (actor: UserActor, subject: Subject, subscribed: boolean) => Promise<boolean>;
  readonly present: (subject: Subject, subscribed: boolean) => unknown;
}

/** A route by which somebody follows a label, or does so no more. */
export const changeSubscription = <Subject>({
  verb,
  subscribed,
  path,
  operationId,
  summary,
  parameters,
  answer,
  guard,
  change,
  present,
}: Change<Subject>): Route =>
  route({
    method: 'post',
    path: `${path}/${verb}`,
    operationId,
    summary,
    description:
      'You are mailed when an issue or merge request that you may read gets the label: of one of a group, in any project. ' +
      '304 where it is so already.',
    tag: 'Subscriptions',
    access: 'user',
    parameters: bounded(parameters),
    responses: { 201: answer, 304: null },
    guard,
    handle: async ({ actor, subject }) =>
      (await change(actor, subject, subscribed))
        ? { status: 201, body: present(subject, subscribed) }
        : { status: 304 },
  });
