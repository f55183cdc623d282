import { Type } from '@sinclair/typebox';
import type { VisibleMergeRequest } from '../../../../../application/review/visible-merge-request.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import { mayApprove } from '../../../../../domain/review/merge-request.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import type { Route } from '../../route.js';
import { text } from '../../validation/parameters.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';
import {
  findMergeRequest,
  findMergeRequestToChange,
  IN_PATH,
  ONE,
  type MergeRequestRoutesParts,
} from './merge-request-parts.js';

type Parts = MergeRequestRoutesParts;

const { get, post } = routesOf({ tag: 'Merge request approvals' });

const ApprovalsSchema = component(
  'schemas/MergeRequestApprovals',
  Type.Object({
    id: Type.Integer(),
    iid: Type.Integer(),
    project_id: Type.Integer(),
    title: Type.String(),
    description: Type.String(),
    state: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    merge_status: Type.String(),
    approved: Type.Boolean({ description: 'Whether as many approved it as its project asks for' }),
    approvals_required: Type.Integer(),
    approvals_left: Type.Integer(),
    user_has_approved: Type.Boolean(),
    user_can_approve: Type.Boolean(),
    approved_by: Type.Array(Type.Object({ user: BasicUserSchema, approved_at: Type.String({ format: 'date-time' }) })),
  }),
);

const present = async (parts: Parts, actor: Actor, { mergeRequest: { id }, place }: VisibleMergeRequest) => {
  const mergeRequest = orNotFound(await parts.mergeRequestReader.findById(id));
  const approvals = await parts.mergeRequestReader.approvals(id);
  const required = mergeRequest.rules.approvalsRequired;
  const me = actor.kind === 'user' ? actor.id : undefined;
  const mine = approvals.some(({ person }) => person.id === me);
  const left = Math.max(0, required - approvals.length);
  return {
    id,
    iid: mergeRequest.iid,
    project_id: mergeRequest.projectId,
    title: mergeRequest.title,
    description: mergeRequest.description,
    state: mergeRequest.state,
    created_at: mergeRequest.createdAt.toISOString(),
    updated_at: mergeRequest.updatedAt.toISOString(),
    merge_status: mergeRequest.status,
    approved: left === 0 && (required > 0 || approvals.length > 0),
    approvals_required: required,
    approvals_left: left,
    user_has_approved: mine,
    user_can_approve: me !== undefined && !mine && mayApprove(mergeRequest, { userId: me, level: place.level }),
    approved_by: approvals.map(({ person, at }) => ({
      user: presentPerson(person, parts.urls),
      approved_at: at.toISOString(),
    })),
  };
};

export const getApprovals = (parts: Parts) =>
  get(`${ONE}/approvals`, 'getMergeRequestApprovals', {
    summary: 'Who approved a merge request, and how many more are asked for',
    access: 'anyone',
    parameters: IN_PATH,
    answer: ApprovalsSchema,
    guard: findMergeRequest(parts),
    handle: ({ actor, subject }) => present(parts, actor, subject),
  });

export const approveMergeRequest = (parts: Parts) =>
  post(`${ONE}/approve`, 'approveMergeRequest', {
    summary: 'Approve a merge request that somebody else opened',
    description: '401 for who may not, or has approved it already; 409 where its commits are others than `sha`.',
    access: 'user',
    parameters: { ...IN_PATH, sha: Type.Optional(text(64, 'The commit that you looked at')) },
    answer: ApprovalsSchema,
    guard: findMergeRequestToChange(parts),
    handle: async ({ actor, subject, parameters: { sha } }) => {
      await parts.approvals.approve(actor, subject, sha === '' ? undefined : sha);
      return present(parts, actor, subject);
    },
  });

export const unapproveMergeRequest = (parts: Parts) =>
  post(`${ONE}/unapprove`, 'unapproveMergeRequest', {
    summary: 'Take an approval back',
    access: 'user',
    parameters: IN_PATH,
    answer: ApprovalsSchema,
    guard: findMergeRequestToChange(parts),
    handle: async ({ actor, subject }) => {
      await parts.approvals.unapprove(actor, subject);
      return present(parts, actor, subject);
    },
  });

const RuleSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  rule_type: Type.String(),
  eligible_approvers: Type.Array(BasicUserSchema),
  approvals_required: Type.Integer(),
  users: Type.Array(BasicUserSchema),
  groups: Type.Array(Type.Object({})),
  contains_hidden_groups: Type.Boolean(),
  approved_by: Type.Array(BasicUserSchema),
  approved: Type.Boolean(),
});

export const getApprovalState = (parts: Parts) =>
  get(`${ONE}/approval_state`, 'getMergeRequestApprovalState', {
    summary: 'The one rule by which a merge request is approved: whoever may change the code',
    access: 'anyone',
    parameters: IN_PATH,
    answer: Type.Object({ approval_rules_overwritten: Type.Boolean(), rules: Type.Array(RuleSchema) }),
    guard: findMergeRequest(parts),
    handle: async ({ subject: { mergeRequest } }) => {
      const approvals = await parts.mergeRequestReader.approvals(mergeRequest.id);
      const rule = {
        id: mergeRequest.id,
        name: 'All Members',
        rule_type: 'any_approver',
        eligible_approvers: [],
        approvals_required: mergeRequest.rules.approvalsRequired,
        users: [],
        groups: [],
        contains_hidden_groups: false,
        approved_by: approvals.map(({ person }) => presentPerson(person, parts.urls)),
        approved: approvals.length >= mergeRequest.rules.approvalsRequired,
      };
      return { approval_rules_overwritten: false, rules: [rule] };
    },
  });

export const createApprovalRoutes = (parts: Parts): readonly Route[] =>
  [getApprovals, approveMergeRequest, unapproveMergeRequest, getApprovalState].map((make) => make(parts));
