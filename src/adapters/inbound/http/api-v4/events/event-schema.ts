import { Type } from '@sinclair/typebox';
import type { ActivityEventWithAuthor } from '../../../../../application/activity/ports/activity-reader.js';
import {
  phraseOf,
  type Comment,
  type Push,
  type Target,
  type TargetType,
} from '../../../../../domain/activity/activity-event.js';
import { given } from '../../kit/given.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';

const PushDataSchema = component(
  'schemas/PushData',
  Type.Object({
    commit_count: Type.Integer(),
    action: Type.String({ description: 'created, removed or pushed' }),
    ref_type: Type.String({ description: 'branch or tag' }),
    commit_from: Type.String(),
    commit_to: Type.String(),
    ref: Type.String(),
    commit_title: Type.String(),
    ref_count: Type.Optional(Type.Integer({ description: 'Of a push of many refs: `ref` is empty then' })),
  }),
);

const EventNoteSchema = component(
  'schemas/EventNote',
  Type.Object({
    id: Type.Integer(),
    body: Type.String(),
    attachment: Type.Null(),
    author: BasicUserSchema,
    created_at: Type.String({ format: 'date-time' }),
    system: Type.Boolean(),
    noteable_id: nullable(Type.Integer()),
    noteable_type: Type.String(),
    noteable_iid: nullable(Type.Integer()),
  }),
);

export const EventSchema = component(
  'schemas/Event',
  Type.Object({
    id: Type.Integer(),
    title: Type.Null(),
    project_id: Type.Integer(),
    action_name: Type.String({ description: 'A phrase; docs/activity.md has them all' }),
    target_id: nullable(Type.Integer()),
    target_iid: nullable(Type.Integer()),
    target_type: nullable(Type.String()),
    author_id: Type.Integer(),
    target_title: nullable(Type.String()),
    created_at: Type.String({ format: 'date-time' }),
    author: BasicUserSchema,
    author_username: Type.String(),
    data: Type.Null(),
    push_data: Type.Optional(PushDataSchema),
    note: Type.Optional(EventNoteSchema),
  }),
);

const TYPE_NAMES: Readonly<Record<TargetType, string>> = {
  issue: 'Issue',
  milestone: 'Milestone',
  merge_request: 'MergeRequest',
  note: 'Note',
  project: 'Project',
  snippet: 'Snippet',
  user: 'User',
};

/** The side of a ref that is not there. */
const NO_COMMIT = '0'.repeat(40);

const presentPush = (push: Push) => ({
  commit_count: push.commitCount,
  action: push.action,
  ref_type: push.refType,
  commit_from: push.commitFrom ?? NO_COMMIT,
  commit_to: push.commitTo ?? NO_COMMIT,
  ref: push.ref,
  commit_title: push.commitTitle ?? '',
  ...given({ ref_count: push.refCount }),
});

const presentComment = ({ body, noteableType, noteableId, noteableIid }: Comment) => ({
  body,
  attachment: null,
  system: false,
  noteable_id: noteableId,
  noteable_type: noteableType,
  noteable_iid: noteableIid,
});

const presentTarget = (target: Target | null) => ({
  target_id: target?.id ?? null,
  target_iid: target === null ? null : (target.iid ?? target.id),
  target_type: target === null ? null : TYPE_NAMES[target.type],
  target_title: target?.title ?? null,
});

/** Of something that is not for whoever asks. */
const WITHHELD = 'updated';

export const presentEvent = (event: ActivityEventWithAuthor, urls: WebUrls) => {
  const author = presentPerson(event.author, urls);
  const created_at = event.createdAt.toISOString();
  return {
    id: event.id,
    title: null,
    project_id: event.projectId,
    action_name: event.withheld === true ? WITHHELD : phraseOf(event),
    ...presentTarget(event.target),
    author_id: event.authorId,
    created_at,
    author,
    author_username: author.username,
    data: null,
    ...(event.push === null ? {} : { push_data: presentPush(event.push) }),
    ...(event.comment === null
      ? {}
      : { note: { id: event.target?.id ?? 0, ...presentComment(event.comment), author, created_at } }),
  };
};
