import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Gitlab } from '@gitbeaker/rest';
import type { EventBody } from '../support/activity.js';
import { describeEachDeployment, type Deploy, type Deployment } from '../support/deployments.js';
import { PASSWORD } from '../support/form-browser.js';
import { makeKey } from '../support/ssh-keys.js';
import type { TestService, TestUser } from '../support/test-service.js';

/** What gitbeaker throws for an answer of 400 and above. */
const refusal = async (call: Promise<unknown>): Promise<{ status: number; description: unknown }> => {
  const error = await call.then(
    () => {
      throw new Error('The call was expected to be refused.');
    },
    (reason: unknown) => reason as { cause?: { response: Response; description: unknown } },
  );
  if (error.cause === undefined) throw error as Error;
  return { status: error.cause.response.status, description: error.cause.description };
};

/** Everything that a person does, by whichever kind of token. */
const suite = (deploy: Deploy, kind: 'token' | 'oauthToken'): void => {
  let deployment: Deployment;
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;
  let grace: TestUser;
  let asRoot: InstanceType<typeof Gitlab>;
  let asAda: InstanceType<typeof Gitlab>;
  let asGrace: InstanceType<typeof Gitlab>;

  const client = (user: TestUser, sudo?: string) => {
    const options = { host: service.url, ...(sudo === undefined ? {} : { sudo }) };
    return kind === 'token'
      ? new Gitlab({ ...options, token: user.token })
      : new Gitlab({ ...options, oauthToken: user.token });
  };

  const addUser = async (username: string, admin = false): Promise<TestUser> => {
    const scopes = admin ? (['api', 'sudo'] as const) : (['api'] as const);
    const user = await service.addUser(username, { admin, scopes, password: PASSWORD });
    if (kind === 'token') return user;
    return { ...user, token: await service.addOAuthToken(username, PASSWORD, scopes.join(' ')) };
  };

  beforeAll(async () => {
    deployment = await deploy();
    service = deployment.service;
    root = await addUser('root', true);
    ada = await addUser('ada');
    grace = await addUser('grace');
    asRoot = client(root);
    asAda = client(ada);
    asGrace = client(grace);
  });

  afterAll(() => deployment.close());

  describe('keys', () => {
    it('adds, lists and removes its own, and deploy keys and tokens of projects', async () => {
      const own = await asAda.UserSSHKeys.create('laptop', makeKey().line);
      expect(await asAda.UserSSHKeys.all()).toEqual([expect.objectContaining({ id: own.id, title: 'laptop' })]);
      await asAda.UserSSHKeys.remove(own.id);
      const [one, other] = [
        await asAda.Projects.create({ name: 'Keyed' }),
        await asAda.Projects.create({ name: 'Keyed, too' }),
      ];
      const key = await asAda.DeployKeys.create(one.id, 'robot', makeKey().line, { canPush: true });
      await asAda.DeployKeys.enable(other.id, key.id);
      expect(await asAda.DeployKeys.edit(other.id, key.id, { canPush: true })).toMatchObject({ can_push: true });
      expect(await asAda.DeployKeys.all({ projectId: other.id })).toEqual([expect.objectContaining({ id: key.id })]);
      for (const { id } of [one, other]) await asAda.DeployKeys.remove(id, key.id);
      const token = await asAda.DeployTokens.create('ci', ['read_repository'], { projectId: one.id });
      expect(await asAda.DeployTokens.all({ projectId: one.id })).toEqual([expect.objectContaining({ id: token.id })]);
      await asAda.DeployTokens.remove(token.id, { projectId: one.id });
    });
  });

  describe('people', () => {
    it('reads the current user', async () => {
      expect(await asAda.Users.showCurrentUser()).toMatchObject({ id: ada.id, username: 'ada', state: 'active' });
    });

    it('creates, edits, blocks, unblocks and removes a user', async () => {
      const created = await asRoot.Users.create({
        email: 'hedy@example.com',
        username: 'hedy',
        name: 'Hedy Lamarr',
        password: 'frequency-hopping',
        skipConfirmation: true,
      });
      expect(created).toMatchObject({ username: 'hedy', email: 'hedy@example.com' });
      expect(await asRoot.Users.edit(created.id, { name: 'Hedwig Kiesler' })).toMatchObject({ name: 'Hedwig Kiesler' });
      expect(await asRoot.Users.block(created.id)).toBe(true);
      expect(await asRoot.Users.show(created.id)).toMatchObject({ state: 'blocked' });
      expect(await asRoot.Users.unblock(created.id)).toBe(true);
      await asRoot.Users.remove(created.id);
      expect(await refusal(asRoot.Users.show(created.id))).toEqual({ status: 404, description: '404 User Not Found' });
    });

    it('is told that a user name is taken', async () => {
      const again = asRoot.Users.create({
        email: 'x@example.com',
        username: 'Ada',
        name: 'X',
        password: 'a-good-password',
      });
      expect(await refusal(again)).toEqual({ status: 409, description: 'Username has already been taken' });
    });

    it('adds, lists and removes e-mail addresses', async () => {
      const email = await asAda.UserEmails.add('ada@lovelace.example');
      expect((await asAda.UserEmails.all()).map((each) => each.email)).toContain('ada@lovelace.example');
      await asAda.UserEmails.remove(email.id);
      expect((await asAda.UserEmails.all()).map((each) => each.email)).not.toContain('ada@lovelace.example');
    });

    it('makes, lists and revokes personal access tokens', async () => {
      const token = await asRoot.PersonalAccessTokens.create(grace.id, 'ci', ['read_user']);
      const asCi = new Gitlab({ host: service.url, token: String(token.token) });
      expect(await asCi.Users.showCurrentUser()).toMatchObject({ username: 'grace' });
      expect((await asGrace.PersonalAccessTokens.all()).map(({ name }) => name)).toContain('ci');
      await asGrace.PersonalAccessTokens.remove({ tokenId: token.id });
      expect(await refusal(asCi.Users.showCurrentUser())).toMatchObject({ status: 401 });
    });

    it('makes, rotates and revokes access tokens of projects and groups, but not as an application', async () => {
      const project = await asAda.Projects.create({ name: 'Automated' });
      const group = await asAda.Groups.create('Robots', 'robots');
      const lasting = '2999-01-01';
      for (const [tokens, { id }] of [
        [asAda.ProjectAccessTokens, project],
        [asAda.GroupAccessTokens, group],
      ] as const) {
        const make = () => tokens.create(id, 'ci', ['api'], lasting, { accessLevel: 30 });
        if (kind === 'oauthToken') {
          expect(await refusal(make())).toMatchObject({ status: 403 });
          continue;
        }
        const made = await make();
        const rotated = await tokens.rotate(id, made.id, { expiresAt: lasting });
        const bot = await new Gitlab({ host: service.url, token: String(rotated.token) }).Users.showCurrentUser();
        expect([bot.bot, bot.id, (await tokens.show(id, rotated.id)).access_level]).toEqual([true, made.user_id, 30]);
        await tokens.revoke(id, rotated.id);
        expect((await tokens.all(id)).map(({ active }) => active)).toEqual([false, false]);
      }
    });

    it('acts as somebody else with sudo', async () => {
      expect(await client(root, 'ada').Users.showCurrentUser()).toMatchObject({ username: 'ada' });
    });

    it('walks through all pages', async () => {
      for (let number = 1; number <= 25; number += 1) await service.addUser(`walker-${number}`);
      const walked = await asAda.Users.all({ perPage: 10, search: 'walker-' });
      expect(new Set(walked.map(({ id }) => id)).size).toBe(25);
      expect(walked).toHaveLength(25);
    });
  });

  describe('groups and projects', () => {
    it('creates, nests, lists, edits and removes groups', async () => {
      const parent = await asAda.Groups.create('Engines', 'engines');
      const child = await asAda.Groups.create('Analytical', 'analytical', {
        parentId: parent.id,
        visibility: 'private',
      });
      expect(child).toMatchObject({ full_path: 'engines/analytical', parent_id: parent.id });
      expect((await asAda.Groups.all({ owned: true })).map(({ full_path }) => full_path)).toEqual(
        expect.arrayContaining(['engines', 'engines/analytical']),
      );
      expect(await asAda.Groups.edit(child.id, { description: 'Cogs' })).toMatchObject({ description: 'Cogs' });
      expect(await asAda.Groups.show('engines/analytical')).toMatchObject({ id: child.id });
      await asAda.Groups.remove(child.id);
      expect(await refusal(asAda.Groups.show(child.id))).toEqual({ status: 404, description: '404 Group Not Found' });
    });

    it('creates, finds, edits and removes projects', async () => {
      const project = await asAda.Projects.create({ name: 'Notes on the Engine', visibility: 'public' });
      expect(project).toMatchObject({ path_with_namespace: 'ada/notes-on-the-engine', visibility: 'public' });
      expect((await asAda.Projects.all({ search: 'notes', owned: true })).map(({ id }) => id)).toEqual([project.id]);
      expect(await asAda.Projects.show('ada/notes-on-the-engine')).toMatchObject({ id: project.id });
      expect(await asAda.Projects.edit(project.id, { description: 'Note G' })).toMatchObject({ description: 'Note G' });
      await asAda.Projects.remove(project.id);
      expect(await refusal(asAda.Projects.show(project.id))).toEqual({
        status: 404,
        description: '404 Project Not Found',
      });
    });

    it('creates a project for somebody else as an administrator', async () => {
      expect(await asRoot.Projects.create({ userId: grace.id, name: 'Compiler' })).toMatchObject({
        path_with_namespace: 'grace/compiler',
      });
    });

    it('is told that an invisible project does not exist', async () => {
      const hidden = await asAda.Projects.create({ name: 'Hidden', visibility: 'private' });
      expect(await refusal(asGrace.Projects.show(hidden.id))).toEqual({
        status: 404,
        description: '404 Project Not Found',
      });
      expect((await asGrace.Projects.all()).map(({ id }) => id)).not.toContain(hidden.id);
    });

    it('walks through all projects', async () => {
      for (let number = 1; number <= 23; number += 1) {
        await asAda.Projects.create({ name: `Card ${number}`, visibility: 'internal' });
      }
      const walked = await asGrace.Projects.all({ perPage: 5, search: 'card' });
      expect(new Set(walked.map(({ id }) => id)).size).toBe(23);
    });
  });

  describe('members', () => {
    it('adds, reads, changes and removes a member of a project', async () => {
      const project = await asAda.Projects.create({ name: 'Shared' });
      const added = await asAda.ProjectMembers.add(project.id, 30, { userId: grace.id, expiresAt: '2099-01-31' });
      expect(added).toMatchObject({ id: grace.id, access_level: 30, expires_at: '2099-01-31' });
      expect((await asAda.ProjectMembers.all(project.id)).map(({ id }) => id)).toContain(grace.id);
      expect(await asAda.ProjectMembers.edit(project.id, grace.id, 40)).toMatchObject({ access_level: 40 });
      await asAda.ProjectMembers.remove(project.id, grace.id);
      expect(await refusal(asAda.ProjectMembers.show(project.id, grace.id))).toMatchObject({ status: 404 });
    });

    it('is told 409 for an existing member and 400 for whatever else is wrong', async () => {
      const project = await asAda.Projects.create({ name: 'Strict' });
      await asAda.ProjectMembers.add(project.id, 30, { userId: grace.id });
      expect(await refusal(asAda.ProjectMembers.add(project.id, 30, { userId: grace.id }))).toEqual({
        status: 409,
        description: 'Member already exists',
      });
      const notALevel = 31 as 30;
      expect(await refusal(asAda.ProjectMembers.edit(project.id, grace.id, notALevel))).toMatchObject({ status: 400 });
      expect(await refusal(asAda.ProjectMembers.add(project.id, 50, { userId: root.id }))).toMatchObject({
        status: 400,
      });
      const badDay = asAda.ProjectMembers.add(project.id, 30, { userId: root.id, expiresAt: '2026-02-30' });
      expect(await refusal(badDay)).toMatchObject({ status: 400 });
    });

    it('asks for access, takes that back, and is let in or not', async () => {
      const group = await asAda.Groups.create('Club', 'club', { visibility: 'public' });
      const project = await asAda.Projects.create({ name: 'Club house', namespaceId: group.id, visibility: 'public' });
      for (const [asking, deciding, members, id] of [
        [asGrace.ProjectAccessRequests, asAda.ProjectAccessRequests, asAda.ProjectMembers, project.id],
        [asGrace.GroupAccessRequests, asAda.GroupAccessRequests, asAda.GroupMembers, group.id],
      ] as const) {
        for (const decider of [asking, deciding]) {
          expect(await asking.request(id)).toMatchObject({ id: grace.id, username: 'grace' });
          expect(await refusal(asking.request(id))).toMatchObject({ status: 409 });
          expect((await deciding.all(id)).map(({ username }) => username)).toEqual(['grace']);
          await decider.deny(id, grace.id);
        }
        await asking.request(id);
        expect(await refusal(asking.approve(id, grace.id))).toMatchObject({ status: 403 });
        expect(await deciding.approve(id, grace.id, { accessLevel: 20 })).toMatchObject({ access_level: 20 });
        expect(await members.show(id, grace.id)).toMatchObject({ access_level: 20 });
        await members.remove(id, grace.id);
      }
    });

    it('inherits the level of a group for the projects below it', async () => {
      const group = await asAda.Groups.create('Navy', 'navy');
      const project = await asAda.Projects.create({ name: 'Mark I', namespaceId: group.id, visibility: 'private' });
      expect(await refusal(asGrace.Projects.show(project.id))).toMatchObject({ status: 404 });
      await asAda.GroupMembers.add(group.id, 30, { userId: grace.id });
      expect(await asGrace.Projects.show(project.id)).toMatchObject({ id: project.id });
      expect(await refusal(asGrace.Projects.edit(project.id, { description: 'mine' }))).toMatchObject({ status: 403 });
      await asAda.GroupMembers.edit(group.id, grace.id, 40);
      expect(await asGrace.Projects.edit(project.id, { description: 'ours' })).toMatchObject({ description: 'ours' });
    });
  });

  describe('error tracking', () => {
    it('is read, enabled and disabled, once it is configured', async () => {
      const { id } = await asAda.Projects.create({ name: 'Watched Engine' });
      const missing = { status: 404, description: '404 Error Tracking Setting Not Found' };
      expect(await refusal(asAda.ErrorTrackingSettings.show(id))).toMatchObject(missing);
      expect(await refusal(asAda.ErrorTrackingSettings.edit(id, true))).toMatchObject(missing);
      const api_url = 'https://errors.example/api/0/projects/team/engine';
      const headers = { Authorization: `Bearer ${ada.token}` };
      await service.call('PUT', `/projects/${id}/error_tracking/settings`, { headers, json: { api_url } });
      const expected = {
        active: true,
        project_name: 'Engine',
        sentry_external_url: 'https://errors.example/team/engine',
        api_url,
      };
      expect(await asAda.ErrorTrackingSettings.show(id)).toMatchObject(expected);
      const disabled = await asAda.ErrorTrackingSettings.edit(id, false);
      expect(disabled).toMatchObject({ ...expected, active: false });
      expect(await asAda.ErrorTrackingSettings.edit(id, true)).toMatchObject(expected);
      expect(await refusal(asGrace.ErrorTrackingSettings.show(id))).toMatchObject({ status: 404 });
    });
  });

  describe('milestones', () => {
    it('are made, listed, changed and removed, and issues are planned for them', async () => {
      const { id } = await asAda.Projects.create({ name: 'Planned' });
      const made = await asAda.ProjectMilestones.create(id, '1.0', { startDate: '2026-03-01', dueDate: '2026-03-31' });
      expect(made).toMatchObject({ iid: 1, state: 'active', start_date: '2026-03-01', due_date: '2026-03-31' });
      await asAda.ProjectMilestones.create(id, '2.0');
      const listed = await asAda.ProjectMilestones.all(id, { iids: [made.iid] });
      expect(listed.map(({ title }) => title)).toEqual(['1.0']);
      expect(await asAda.ProjectMilestones.all(id, { state: 'closed' })).toEqual([]);
      const issue = await asAda.Issues.create(id, 'Write it down', { milestoneId: made.id });
      expect(issue.milestone).toMatchObject({ id: made.id, title: '1.0' });
      await asAda.Issues.create(id, 'Some day');
      const planned = await asAda.Issues.all({ projectId: id, milestone: '1.0' });
      expect(planned.map(({ title }) => title)).toEqual(['Write it down']);
      expect((await asAda.ProjectMilestones.allAssignedIssues(id, made.id)).map(({ iid }) => iid)).toEqual([issue.iid]);
      expect(await asAda.ProjectMilestones.edit(id, made.id, { stateEvent: 'close' })).toMatchObject({
        state: 'closed',
      });
      expect(await refusal(asAda.ProjectMilestones.create(id, '1.0'))).toMatchObject({ status: 400 });
      await asAda.ProjectMilestones.remove(id, made.id);
      expect(await refusal(asAda.ProjectMilestones.show(id, made.id))).toMatchObject({ status: 404 });
      expect(await asAda.Issues.show(issue.iid, { projectId: id })).toMatchObject({ milestone: null });
    });
  });

  describe('activity events', () => {
    /** A project of its own, where grace opened and closed an issue and ada made a milestone. */
    const addBusyProject = async (name: string) => {
      const project = await asAda.Projects.create({ name, visibility: 'public' });
      await asAda.ProjectMembers.add(project.id, 30, { userId: grace.id });
      const issue = await asGrace.Issues.create(project.id, 'Leak');
      await asGrace.IssueNotes.create(project.id, issue.iid, 'Here, too');
      await asGrace.Issues.edit(project.id, issue.iid, { stateEvent: 'close' });
      await asAda.ProjectMilestones.create(project.id, '1.0');
      return project;
    };
    /** What a list says; the types of this client leave open in which case it names the fields. */
    const entries = async (call: Promise<unknown>) => (await call) as EventBody[];
    const told = async (call: Promise<unknown>, projectId: number) =>
      (await entries(call))
        .filter(({ project_id }) => project_id === projectId)
        .map(({ action_name, target_type }) => `${action_name} ${target_type}`)
        .sort();
    const ofGrace = ['closed Issue', 'commented on Note', 'joined Project', 'opened Issue'];

    it('are listed of the caller, of a person and of a project', async () => {
      const { id } = await addBusyProject('Busy');
      expect(await told(asGrace.Events.all(), id)).toEqual(ofGrace);
      expect(await told(asAda.Users.allEvents(grace.id), id)).toEqual(ofGrace);
      expect(await told(asAda.Events.all({ userId: 'grace' }), id)).toEqual(ofGrace);
      const everything = [...ofGrace, 'created Project', 'opened Milestone'].sort();
      expect(await told(asAda.Events.all({ projectId: id }), id)).toEqual(everything);
      expect(await told(asAda.Events.all({ projectId: 'ada/busy' }), id)).toEqual(everything);
      expect(await told(asGrace.Events.all({ scope: 'all' }), id)).toEqual(everything);
      const [comment] = await entries(asAda.Events.all({ projectId: id, action: 'commented' }));
      expect(comment).toMatchObject({
        target_title: 'Leak',
        author: { username: 'grace' },
        note: { body: 'Here, too', noteable_type: 'Issue' },
      });
    });

    it('are narrowed by every filter and sorted', async () => {
      const { id: projectId } = await addBusyProject('Filtered');
      const [today, tomorrow] = [0, 1].map((days) => {
        const day = new Date(service.clock.now().getTime() + days * 86_400_000);
        return day.toISOString().slice(0, 10);
      });
      const list = (options: object) => told(asAda.Events.all({ projectId, ...options }), projectId);
      expect(await list({ action: 'closed' })).toEqual(['closed Issue']);
      expect(await list({ targetType: 'milestone' })).toEqual(['opened Milestone']);
      expect(await list({ before: today })).toEqual([]);
      expect(await list({ before: tomorrow, action: 'joined', targetType: 'project' })).toEqual(['joined Project']);
      expect(await list({ after: today })).toEqual([]);
      const ids = async (sort: 'asc' | 'desc') =>
        (await entries(asAda.Events.all({ projectId, sort }))).map(({ id }) => id);
      expect(await ids('asc')).toEqual((await ids('desc')).reverse());
      expect(await refusal(asAda.Events.all({ projectId, action: 'Closed' as 'closed' }))).toEqual({
        status: 400,
        description: 'action does not have a valid value',
      });
    });

    it('are walked through by number and by cursor', async () => {
      const { id: projectId } = await asAda.Projects.create({ name: 'Walked' });
      for (let number = 1; number <= 11; number += 1) await asAda.Issues.create(projectId, `Step ${number}`);
      const steps = { projectId, targetType: 'issue', sort: 'asc', perPage: 4 } as const;
      const byNumber = await asAda.Events.all({ ...steps, showExpanded: true });
      expect(byNumber.paginationInfo).toMatchObject({ total: 11, totalPages: 3, perPage: 4 });
      const byCursor = await asAda.Events.all<false, 'keyset'>({ ...steps, pagination: 'keyset', orderBy: 'id' });
      for (const walked of [byNumber.data, byCursor])
        expect(new Set(walked.map(({ target_title }) => target_title)).size).toBe(11);
      expect(byCursor).toEqual(byNumber.data);
    });

    it('of what is not visible are none', async () => {
      const hidden = await asAda.Projects.create({ name: 'Unseen', visibility: 'private' });
      expect(await refusal(asGrace.Events.all({ projectId: hidden.id }))).toEqual({
        status: 404,
        description: '404 Project Not Found',
      });
      expect(await told(asGrace.Users.allEvents(ada.id), hidden.id)).toEqual([]);
      expect(await refusal(asGrace.Users.allEvents(999_999))).toMatchObject({ status: 404 });
    });
  });

  describe('applications', () => {
    it('are registered, listed without their secret and removed by administrators', async () => {
      const created = await asRoot.Applications.create('Dashboard', 'https://app.example/callback', 'api read_user');
      expect(created).toMatchObject({ application_name: 'Dashboard', secret: expect.any(String) });
      const listed = await asRoot.Applications.all();
      expect(listed.find(({ id }) => id === created.id)).not.toHaveProperty('secret');
      await asRoot.Applications.remove(created.id);
      expect(await refusal(asAda.Applications.all())).toMatchObject({ status: 403 });
    });
  });
};

describeEachDeployment('gitbeaker, unmodified, with a personal access token', (deploy) => suite(deploy, 'token'));
describeEachDeployment('gitbeaker, unmodified, with an OAuth token', (deploy) => suite(deploy, 'oauthToken'));
