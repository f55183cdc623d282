import { Type, type TSchema } from '@sinclair/typebox';
import type { VisibleSubject } from '../../../../../application/collaboration/subjects.js';
import type {
  ResourceEvent,
  ResourceEventReader,
} from '../../../../../application/planning/ports/resource-event-ports.js';
import type { ResourceEventKind } from '../../../../../domain/planning/resource-event.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { SUBJECT_TYPES } from '../../../../../domain/shared/subject.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import type { GuardContext, Route } from '../../route.js';
import { nullable, oneOf, pathId } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import {
  findSubject,
  parametersOf,
  pathOf,
  type SubjectOfApi,
  type SubjectRoutesParts,
} from '../collaboration/subject-of-api.js';
import { LabelSchema, presentLabel } from '../labels/label-schema.js';
import { MilestoneSchema, presentMilestone } from '../milestones/milestone-schema.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';

export type ResourceEventRoutesParts = SubjectRoutesParts & { readonly resourceEventReader: ResourceEventReader };

type Parts = ResourceEventRoutesParts;
type Of = SubjectOfApi;

const { list, get } = routesOf({ tag: 'Resource events' });

const schemaOf = (name: string, more: Readonly<Record<string, TSchema>>) =>
  component(
    `schemas/${name}Event`,
    Type.Object({
      id: Type.Integer(),
      user: BasicUserSchema,
      created_at: Type.String({ format: 'date-time' }),
      resource_type: oneOf(Object.values(SUBJECT_TYPES)),
      resource_id: Type.Integer(),
      ...more,
    }),
  );

const ACTION = oneOf(['add', 'remove']);

/** What each kind of event is called, and shows beside what all show. */
interface Shape {
  readonly kind: ResourceEventKind;
  readonly name: string;
  readonly words: string;
  readonly schema: TSchema;
  readonly present: (event: ResourceEvent, urls: WebUrls) => object;
}

const SHAPES: readonly Shape[] = [
  {
    kind: 'label',
    name: 'Label',
    words: 'Which labels came and went',
    schema: schemaOf('Label', { label: nullable(LabelSchema), action: ACTION }),
    present: ({ label, action }) => ({ label: label && presentLabel(label), action }),
  },
  {
    kind: 'state',
    name: 'State',
    words: 'When it was closed and opened again',
    schema: schemaOf('State', {
      source_commit: nullable(Type.String({ description: 'The commit that closed the issue' })),
      source_merge_request_id: nullable(Type.Integer({ description: 'Id of the merge request that closed the issue' })),
      state: oneOf(['closed', 'reopened', 'merged']),
    }),
    present: ({ action, commit, mergeRequestId }) => ({
      source_commit: commit,
      source_merge_request_id: mergeRequestId,
      state: action,
    }),
  },
  {
    kind: 'milestone',
    name: 'Milestone',
    words: 'Which milestones it was planned for',
    schema: schemaOf('Milestone', { milestone: nullable(MilestoneSchema), action: ACTION }),
    present: ({ milestone, action }, urls) => ({ milestone: milestone && presentMilestone(milestone, urls), action }),
  },
];

const present = (event: ResourceEvent, { subject }: VisibleSubject, shape: Shape, urls: WebUrls) => ({
  id: event.id,
  user: presentPerson(event.user, urls),
  created_at: event.createdAt.toISOString(),
  resource_type: SUBJECT_TYPES[subject.kind],
  resource_id: subject.id,
  ...shape.present(event, urls),
});

interface FoundEvent {
  readonly visible: VisibleSubject;
  readonly event: ResourceEvent;
}

const findEvent =
  (parts: Parts, of: Of, { kind }: Shape) =>
  async (context: GuardContext): Promise<FoundEvent> => {
    const visible = await findSubject(parts, of)(context);
    const id = orNotFound(identifierIn(context.path['event_id']));
    return { visible, event: orNotFound(await parts.resourceEventReader.find(visible.subject.id, kind, id)) };
  };

const listEvents = (parts: Parts, of: Of, shape: Shape) =>
  list(`${pathOf(of)}/resource_${shape.kind}_events`, `list${of.name}${shape.name}Events`, {
    summary: `${shape.words}, the oldest first`,
    access: 'user',
    parameters: parametersOf(of),
    items: shape.schema,
    guard: findSubject(parts, of),
    read: ({ subject: { subject }, page }) => parts.resourceEventReader.list(subject.id, shape.kind, page),
    present: (event, { subject: visible }) => present(event, visible, shape, parts.urls),
  });

const getEvent = (parts: Parts, of: Of, shape: Shape) =>
  get(`${pathOf(of)}/resource_${shape.kind}_events/:event_id`, `get${of.name}${shape.name}Event`, {
    summary: 'One of them',
    access: 'user',
    parameters: { ...parametersOf(of), event_id: pathId('Numeric id of the event') },
    answer: shape.schema,
    guard: findEvent(parts, of, shape),
    handle: ({ subject: { visible, event } }) => present(event, visible, shape, parts.urls),
  });

export const createResourceEventRoutes = (parts: Parts, of: Of): readonly Route[] =>
  SHAPES.flatMap((shape) => [listEvents(parts, of, shape), getEvent(parts, of, shape)]);
