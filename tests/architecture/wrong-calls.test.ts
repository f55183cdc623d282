import { describe, expect, it } from '@jest/globals';
import { errorsIn } from '../support/compile-in-memory.js';

const ROUTES = 'src/adapters/inbound/http/api-v4';

const declaring = (parameter: string): string => `
import { Type } from '@sinclair/typebox';
import { route } from '../route.js';
import { anyJson, listOf, oneOf, nullable, parameters, text } from '../validation/parameters.js';
export const used = [Type, anyJson, listOf, oneOf, nullable, text];
export const planted = route({
  method: 'post', path: '/planted', operationId: 'planted', summary: 'Planted', tag: 'Planted', access: 'user',
  parameters: parameters({ given: ${parameter} }),
  responses: { 204: null },
  handle: () => Promise.resolve({ status: 204 }),
});
`;

const UNBOUNDED = {
  text: 'Type.String()',
  number: 'Type.Integer()',
  list: 'Type.Array(text(255))',
  'list-of-unbounded': 'listOf(Type.String())',
  object: 'Type.Object({})',
  record: 'Type.Record(Type.String(), Type.String())',
  'nullable-text': 'nullable(Type.String())',
  'optional-text': 'Type.Optional(Type.String())',
  anything: 'Type.Unknown()',
};

const BOUNDED = {
  'bounded-text': 'text(255)',
  'bounded-list': 'Type.Optional(listOf(nullable(oneOf(["a"]))))',
  flag: 'Type.Optional(Type.Boolean())',
};

const PERMISSION_TAKERS = `
import type { Actor, UserActor } from '../../../../application/shared/actor.js';
import type { Permitted, PermittedNamespace } from '../../../../application/shared/permitted.js';
import type { AlertIntegrations } from '../../../../application/alerts/alert-integrations.js';
import type { Alerts } from '../../../../application/alerts/alerts.js';
import type { Notes } from '../../../../application/collaboration/notes.js';
import type { Subjects, VisibleSubject } from '../../../../application/collaboration/subjects.js';
import type { ErrorTracking } from '../../../../application/error-tracking/error-tracking.js';
import type { Issues } from '../../../../application/planning/issues.js';
import type { VisibleIssue } from '../../../../application/planning/visible-issue.js';
import type { Labels } from '../../../../application/planning/labels.js';
import type { Milestones } from '../../../../application/planning/milestones.js';
import type { Groups } from '../../../../application/workspace/groups.js';
import type { Members } from '../../../../application/workspace/members.js';
import type { Projects } from '../../../../application/workspace/projects.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
export interface Parts {
  actor: UserActor; anybody: Actor; access: WorkspaceAccess; projects: Projects; groups: Groups; members: Members;
  labels: Labels; milestones: Milestones; issues: Issues; alerts: Alerts; alertIntegrations: AlertIntegrations;
  errorTracking: ErrorTracking; notes: Notes; subjects: Subjects; shown: VisibleSubject; seen: VisibleIssue; reader: Permitted<'read_project'>; place: PermittedNamespace;
}
`;

/** A use of the parts that has to be refused, or accepted. */
const calling = (call: string): string =>
  `${PERMISSION_TAKERS}
export const planted = async (parts: Parts): Promise<unknown> => {
  const { actor, access, projects, groups, members, labels, milestones, issues, alerts, alertIntegrations, errorTracking, notes, subjects, shown, seen, reader, place } = parts;
  return [actor, access, projects, groups, members, labels, milestones, issues, alerts, alertIntegrations, errorTracking, notes, subjects, shown, seen, reader, place, ${call}];
};`;

const WITHOUT_PERMISSION = {
  'a project is removed by who may read it':
    "await projects.requestRemoval(await access.project(actor, '1', 'read_project'))",
  'a project is changed by who may read it': "await projects.edit(reader, { name: 'Mine' })",
  'a project is transferred by who may remove it':
    "await projects.transfer(await access.project(actor, '1', 'remove_project'), place, actor.id)",
  'a project is created in a group that was only read':
    "await projects.create((await access.group(actor, '1', 'read_group')).group, { creatorId: actor.id, description: null, visibility: 'private', defaultBranch: null, mergeWhenPipelineSucceeds: false })",
  'a group is removed by who may create subgroups':
    "await groups.requestRemoval(await access.group(actor, '1', 'create_subgroups'))",
  'a milestone is made with a user for a project': "await milestones.create(actor, actor.id, { title: '1.0' })",
  'a milestone is made by who manages labels':
    "await milestones.create(actor, await access.project(actor, '1', 'manage_labels'), { title: '1.0' })",
  'a label is added to a number': "await labels.add(1, { name: 'bug' })",
  'a label is added to a project that was only read': "await labels.add(reader, { name: 'bug' })",
  'a permission is made of its parts':
    "await labels.add({ project: reader.project, level: 50, directLevel: 50, groupLevel: 50 }, { name: 'bug' })",
  'one of two permissions is enough':
    "await labels.add(await access.project(actor, '1', actor.admin ? 'manage_labels' : 'read_project'), { name: 'bug' })",
  'a member is added by who may read':
    "await members.add(await access.group(actor, '1', 'read_group'), { userId: actor.id, accessLevel: 50 })",
  'an alert is changed by who may read the project': "await alerts.changeStatus(reader, 1, 'resolved', actor.id)",
  'an integration is removed by who manages alerts':
    "await alertIntegrations.remove(await access.project(actor, '1', 'manage_alerts'), 1)",
  'error tracking is switched by a number': 'await errorTracking.setActive(1, true)',
  'a member is added by a number':
    "await members.add(await access.group(actor, '1', 'manage_group_members'), { userId: 7, accessLevel: 10 })",
  'a person is taken for a namespace': 'await access.namespaceForProjects(actor, actor.id)',
  'an issue is removed by who may see it': 'await issues.remove(actor, reader, seen)',
  'an issue is opened by who may only read': "await issues.open(actor, reader, { title: 'Mine' })",
  'an issue is changed by who may only read': 'await issues.edit(actor, seen, {})',
  'a subject is commented on by who may only see it': "await notes.add(actor, shown, 'Mine')",
  'a subject is commented on that nobody found':
    "await notes.add(actor, { subject: shown.subject, level: shown.level }, 'Mine')",
  'a subject is found to be discussed by who may only read':
    "await subjects.findToDiscuss(actor, reader, 'issue', '1')",
  'an issue is commented on by who may discuss the code':
    "await subjects.findToDiscuss(actor, await access.project(actor, '1', 'discuss_code'), 'issue', '1')",
  'an issue is changed that nobody found': 'await issues.edit(actor, { issue: seen.issue, party: seen.party }, {})',
};

const WITH_PERMISSION = {
  'a label is added by who manages labels':
    "await labels.add(await access.project(actor, '1', 'manage_labels'), { name: 'bug' })",
  'a project is removed by who may remove it':
    "await projects.requestRemoval(await access.project(actor, '1', 'remove_project'))",
  'a subject is commented on by who may take part':
    "await notes.add(actor, await subjects.findToDiscuss(actor, await access.project(actor, '1', 'write_issues'), 'issue', '1'), 'Mine')",
  'members of a group are managed':
    "await members.remove(await access.group(actor, '1', 'manage_group_members'), actor.id)",
};

describe('what the compiler refuses without the permission', () => {
  const errors = errorsIn(
    ROUTES,
    Object.fromEntries(
      Object.entries({ ...WITHOUT_PERMISSION, ...WITH_PERMISSION }).map(([name, call]) => [
        name.replaceAll(' ', '-'),
        calling(call),
      ]),
    ),
  );
  const errorsOf = (name: string) => errors.get(name.replaceAll(' ', '-'));

  it.each(Object.keys(WITHOUT_PERMISSION))('does not compile when %s', (name) => {
    expect(errorsOf(name)).toEqual([expect.stringMatching(/is not assignable to/)]);
  });

  it.each(Object.keys(WITH_PERMISSION))('compiles when %s', (name) => {
    expect(errorsOf(name)).toEqual([]);
  });
});

describe('what the compiler refuses', () => {
  const errors = errorsIn(
    ROUTES,
    Object.fromEntries(
      Object.entries({ ...UNBOUNDED, ...BOUNDED }).map(([name, parameter]) => [name, declaring(parameter)]),
    ),
  );

  it.each(Object.keys(UNBOUNDED))('refuses a route with an unbounded parameter: %s', (name) => {
    expect(errors.get(name)).toEqual([expect.stringContaining('BoundedSchema')]);
  });

  it.each(Object.keys(BOUNDED))('accepts a route with a bounded parameter: %s', (name) => {
    expect(errors.get(name)).toEqual([]);
  });
});

describe('what the compiler refuses of counters', () => {
  const counting = (call: string): string => `
import type { SharedCounters } from './ports/shared-counters.js';
export const planted = (counters: SharedCounters): void => counters.count(${call});
`;
  const errors = errorsIn('src/application/shared', {
    undeclared: counting("'teapots_total'"),
    'undeclared-value': counting("'jobs_total', { kind: 'remove_project', outcome: 'lost' }"),
    'missing-label': counting("'jobs_total', { outcome: 'done' }"),
    declared: counting("'jobs_total', { kind: 'remove_project', outcome: 'done' }"),
  });

  it.each(['undeclared', 'undeclared-value', 'missing-label'])(
    'refuses one that would not be there from the start: %s',
    (name) => {
      expect(errors.get(name)).toHaveLength(1);
    },
  );

  it('accepts one that is declared', () => {
    expect(errors.get('declared')).toEqual([]);
  });
});

describe('what the compiler refuses at an endpoint of OAuth', () => {
  const taking = (parameters: string, name: string): string => `
import { formEndpoint } from './oauth-endpoint.js';
import { oauthText } from './oauth-text.js';
import { Type } from '@sinclair/typebox';
export const used = [Type, oauthText];
export const planted = formEndpoint({
  path: '/oauth/planted', operationId: 'planted', summary: 'Planted', security: 'client', responses: {},
  parameters: { token: ${parameters} },
  take: (fields) => Promise.resolve({ body: fields.text('${name}') }),
});
`;
  const errors = errorsIn('src/adapters/inbound/http/oauth', {
    undeclared: taking('oauthText()', 'code'),
    unbounded: taking('Type.String()', 'token'),
    declared: taking('oauthText()', 'token'),
  });

  it('refuses to read what is not declared, and to declare what has no bound', () => {
    expect(errors.get('undeclared')).toEqual([expect.stringMatching(/is not assignable to/)]);
    expect(errors.get('unbounded')).toEqual([expect.stringContaining('BoundedSchema')]);
    expect(errors.get('declared')).toEqual([]);
  });
});
