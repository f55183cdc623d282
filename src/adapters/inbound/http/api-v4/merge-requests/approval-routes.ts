import { Type } from '@sinclair/typebox';
import type { VisibleMergeRequest } from '../../../../../application/review/visible-merge-request.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import { mayApprove, MOST_APPROVALS } from '../../../../../domain/review/merge-request.js';
import { Unauthenticated } from '../../../../../domain/shared/domain-error.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { given } from '../../kit/given.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import { pageOfList } from '../../pagination/page-of-list.js';
import { route, type Route } from '../../route.js';
import { integer, parameters, text } from '../../validation/parameters.js';
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

const TAG = 'Merge request approvals';
const SETTINGS = '/projects/:id/approvals';

const { list, get, post } = routesOf({ tag: TAG });

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

const present = async (parts: Parts, actor: Actor, { mergeRequest, place }: VisibleMergeRequest) => {
  const { id } = mergeRequest;
  const approvals = await parts.mergeRequestReader.approvals(id);
  const required = mergeRequest.rules.approvalsRequired;
  const me = actor.kind === 'user' ? actor.id : undefined;
  const mine = approvals.some(({ person }) => person.id === me);
  const left = Math.max(0, required - mergeRequest.approvals);
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
    approved: left === 0 && (required > 0 || mergeRequest.approvals > 0),
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
      return present(parts, actor, await parts.mergeRequests.again(subject));
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
      return present(parts, actor, await parts.mergeRequests.again(subject));
    },
  });

export const resetApprovals = (parts: Parts) =>
  route({
    method: 'put',
    path: `${ONE}/reset_approvals`,
    operationId: 'resetMergeRequestApprovals',
    summary: 'Take all approvals back: for accounts of programs alone',
    description:
      'Nobody has such an account: everybody gets 401. New commits and another target branch take approvals back, where the project has it so.',
    tag: TAG,
    access: 'user',
    parameters: parameters(IN_PATH),
    responses: { 202: Type.Object({}) },
    guard: findMergeRequestToChange(parts),
    handle: () => Promise.reject(new Unauthenticated()),
  });

const RULE = {
  id: Type.Integer(),
  name: Type.String(),
  rule_type: Type.String(),
  eligible_approvers: Type.Array(BasicUserSchema),
  approvals_required: Type.Integer(),
  users: Type.Array(BasicUserSchema),
  groups: Type.Array(Type.Object({})),
  contains_hidden_groups: Type.Boolean(),
};
const RuleSchema = component('schemas/ApprovalRule', Type.Object(RULE));

/** There is one, which is the project's. */
const ruleOf = (id: number, required: number) => ({
  id,
  name: 'All Members',
  rule_type: 'any_approver',
  eligible_approvers: [],
  approvals_required: required,
  users: [],
  groups: [],
  contains_hidden_groups: false,
});

export const getApprovalState = (parts: Parts) =>
  get(`${ONE}/approval_state`, 'getMergeRequestApprovalState', {
    summary: 'The one rule by which a merge request is approved: whoever may change the code',
    access: 'anyone',
    parameters: IN_PATH,
    answer: Type.Object({
      approval_rules_overwritten: Type.Boolean(),
      rules: Type.Array(Type.Object({ ...RULE, approved_by: Type.Array(BasicUserSchema), approved: Type.Boolean() })),
    }),
    guard: findMergeRequest(parts),
    handle: async ({ subject: { mergeRequest } }) => {
      const approvals = await parts.mergeRequestReader.approvals(mergeRequest.id);
      const required = mergeRequest.rules.approvalsRequired;
      const rule = {
        ...ruleOf(mergeRequest.projectId, required),
        approved_by: approvals.map(({ person }) => presentPerson(person, parts.urls)),
        approved: mergeRequest.approvals >= required,
      };
      return { approval_rules_overwritten: false, rules: [rule] };
    },
  });

export const listApprovalRules = (parts: Parts) =>
  list(`${ONE}/approval_rules`, 'listMergeRequestApprovalRules', {
    summary: 'The one rule by which a merge request is approved',
    access: 'anyone',
    parameters: IN_PATH,
    items: RuleSchema,
    guard: findMergeRequest(parts),
    read: ({ subject: { mergeRequest }, page }) => Promise.resolve(pageOfList([mergeRequest], page)),
    present: ({ projectId, rules }) => ruleOf(projectId, rules.approvalsRequired),
  });

export const listProjectApprovalRules = (parts: Parts) =>
  list('/projects/:id/approval_rules', 'listProjectApprovalRules', {
    summary: 'The one rule by which merge requests of a project are approved',
    access: 'user',
    parameters: { id: PROJECT_ID },
    items: RuleSchema,
    guard: inProject(parts.access, 'read_merge_requests'),
    read: ({ subject: { project }, page }) => Promise.resolve(pageOfList([project], page)),
    present: ({ id, merging }) => ruleOf(id, merging.approvalsRequired),
  });

const SettingsSchema = component(
  'schemas/ApprovalSettings',
  Type.Object({
    approvals_before_merge: Type.Integer(),
    reset_approvals_on_push: Type.Boolean(),
    disable_overriding_approvers_per_merge_request: Type.Boolean(),
    merge_requests_author_approval: Type.Boolean(),
    merge_requests_disable_committers_approval: Type.Boolean(),
    approvers: Type.Array(Type.Object({})),
    approver_groups: Type.Array(Type.Object({})),
  }),
);

const presentSettings = ({ merging }: Pick<Project, 'merging'>) => ({
  approvals_before_merge: merging.approvalsRequired,
  reset_approvals_on_push: merging.resetApprovalsOnPush,
  disable_overriding_approvers_per_merge_request: true,
  merge_requests_author_approval: false,
  merge_requests_disable_committers_approval: false,
  approvers: [],
  approver_groups: [],
});

export const getApprovalSettings = (parts: Parts) =>
  get(SETTINGS, 'getApprovalSettings', {
    summary: 'How merge requests of a project are approved',
    access: 'user',
    parameters: { id: PROJECT_ID },
    answer: SettingsSchema,
    guard: inProject(parts.access, 'read_merge_requests'),
    handle: ({ subject: { project } }) => Promise.resolve(presentSettings(project)),
  });

export const editApprovalSettings = (parts: Parts) =>
  post(SETTINGS, 'editApprovalSettings', {
    summary: 'Change how merge requests of a project are approved (maintainers)',
    description: 'Who wrote a merge request never approves it, and who committed to it may: that can’t be changed.',
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      approvals_before_merge: Type.Optional(
        integer({ minimum: 0, maximum: MOST_APPROVALS, description: 'How many must approve' }),
      ),
      reset_approvals_on_push: Type.Optional(
        Type.Boolean({ description: 'Whether new commits, or another target branch, take approvals back' }),
      ),
    },
    answer: SettingsSchema,
    guard: inProject(parts.access, 'manage_project'),
    handle: async ({ subject, parameters: sent }) => {
      const { approvals_before_merge: approvalsRequired, reset_approvals_on_push: resetApprovalsOnPush } = sent;
      const merging = given({ approvalsRequired, resetApprovalsOnPush });
      await parts.projects.edit(subject, { merging });
      return presentSettings({ merging: { ...subject.project.merging, ...merging } });
    },
  });

export const createApprovalRoutes = (parts: Parts): readonly Route[] =>
  [
    getApprovals,
    approveMergeRequest,
    unapproveMergeRequest,
    resetApprovals,
    getApprovalState,
    listApprovalRules,
    listProjectApprovalRules,
    getApprovalSettings,
    editApprovalSettings,
  ].map((make) => make(parts));
