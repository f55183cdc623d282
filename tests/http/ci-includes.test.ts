import { describe, expect, it } from '@jest/globals';
import { jobsOfNewest } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Lint {
  readonly valid: boolean;
  readonly errors: readonly string[];
  readonly merged_yaml: string | null;
}

const MAINTAINER = 40;
const DEVELOPER = 30;
const REPORTER = 20;

describeWriting('CI files of other projects', (writing) => {
  /** What several projects include. */
  const shared = async (visibility: string, job = 'build') => {
    const templates = await writing.newProject({ visibility });
    await templates.write('main', {
      'ci/all.yml': 'include: [ci/steps.yml]\ntest: { script: make test }',
      'ci/steps.yml': `${job}: { script: make ${job} }`,
    });
    return templates;
  };
  const included = ({ project: { path } }: WrittenProject, more = ''): string =>
    `include: [{ project: ${path}, file: /ci/all.yml${more} }]\n`;

  const jobsOf = (loom: WrittenProject) => jobsOfNewest(writing, loom);
  const pipeline = async (loom: WrittenProject, text: string, user = writing.ada) => {
    const file = { file_path: '.gitlab-ci.yml', content: text };
    const branch = 'main';
    const exists = (await loom.call('GET', '/repository/branches/main')).status === 200;
    const answer = await loom.commit(branch, 'Say it', [{ action: exists ? 'update' : 'create', ...file }], {}, user);
    expect(answer.status).toBe(201);
    return jobsOf(loom);
  };

  it('are included with what they include themselves, by branch, tag, commit or as the newest, and several at once', async () => {
    const templates = await shared('private');
    const { id } = (await templates.call<{ id: string }>('GET', '/repository/commits/main')).body;
    await templates.call('POST', '/repository/tags', { tag_name: 'v1', ref: 'main' });
    await templates.commit('main', 'Deploy', [
      { action: 'update', file_path: 'ci/steps.yml', content: 'deploy: { script: make deploy }' },
      { action: 'create', file_path: 'ci/other.yml', content: 'other: { script: make other }' },
    ]);
    const loom = await writing.newProject();
    expect(await pipeline(loom, included(templates))).toEqual(['deploy', 'test']);
    for (const ref of ['v1', id, id.slice(0, 10)])
      expect(await pipeline(loom, included(templates, `, ref: "${ref}"`))).toEqual(['build', 'test']);
    const { path } = templates.project;
    const by = (pattern: string): string => `include: { project: ${path}, file: ${pattern} }`;
    expect(await pipeline(loom, by('ci/*.yml'))).toEqual(['deploy', 'other', 'test']);
    expect(await pipeline(loom, by('"*.yml"'))).toBe(`Project \`${path}\` file \`*.yml\` does not exist!`);
    await loom.write('main', { 'jobs/one.yml': 'one: { script: make }', 'jobs/two.yaml': 'two: { script: make }' });
    expect(await pipeline(loom, 'include: ["**/*.yml", "*.yml"]')).toBe('Local file `*.yml` does not exist!');
    expect(await pipeline(loom, 'include: ["**/*.yml", "{jobs,none}/t*.yaml"]')).toEqual(['one', 'two']);
    const several = `include: { project: /${path}, ref: main, file: [ci/other.yml, ci/steps.yml] }\nown: { script: make }`;
    expect(await pipeline(loom, several)).toEqual(['deploy', 'other', 'own']);
  });

  it('are those of the moment each time that somebody asks, also for one and the same commit', async () => {
    const templates = await shared('private');
    const loom = await writing.newProject();
    expect(await pipeline(loom, included(templates))).toEqual(['build', 'test']);
    await templates.commit('main', 'Deploy', [
      { action: 'update', file_path: 'ci/steps.yml', content: 'deploy: { script: make deploy }' },
    ]);
    expect(await loom.call('POST', '/pipeline', { ref: 'main' })).toMatchObject({ status: 201 });
    expect(await jobsOf(loom)).toEqual(['deploy', 'test']);
  });

  it('are read as whoever pushes, and what they may not read is not told to be there', async () => {
    const templates = await shared('private');
    const loom = await writing.newProject();
    await loom.addMember(writing.grace, MAINTAINER);
    const notFound = (path: string): string =>
      `Project \`${path}\` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.`;
    const file = included(templates);
    expect(await pipeline(loom, file)).toEqual(['build', 'test']);
    expect(await pipeline(loom, `${file}# Grace`, writing.grace)).toBe(notFound(templates.project.path));
    const refused = await loom.call<object>('POST', '/pipeline', { ref: 'main' }, writing.grace);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('access denied')]);
    // Ada's pipeline of the same commit is none of hers.
    expect(await loom.call('POST', '/pipeline', { ref: 'main' })).toMatchObject({ status: 201 });
    expect((await loom.call('POST', '/pipeline', { ref: 'main' }, writing.grace)).status).toBe(400);
    await templates.addMember(writing.grace, REPORTER);
    expect(await loom.call('POST', '/pipeline', { ref: 'main' }, writing.grace)).toMatchObject({ status: 201 });
    expect(await pipeline(loom, included({ project: { path: 'no/where' } } as WrittenProject))).toBe(
      notFound('no/where'),
    );
    expect(await pipeline(loom, `include: { project: "${templates.id}", file: a.yml }`)).toBe(
      notFound(String(templates.id)),
    );
  });

  it('are read as somebody who is no administrator, whoever pushes, asks for a pipeline or for lint', async () => {
    const templates = await shared('private');
    const loom = await writing.newProject();
    const root = await writing.service.addUser('root', { admin: true });
    const file = included(templates);
    expect(await pipeline(loom, file, root)).toContain('not found or access denied');
    expect((await loom.call('POST', '/pipeline', { ref: 'main' }, root)).status).toBe(400);
    for (const path of ['/ci/lint', '/ci/lint?dry_run=true']) {
      const { body } = await loom.call<Lint>('GET', path, undefined, root);
      expect(body).toMatchObject({ valid: false, errors: [expect.stringContaining('access denied')] });
    }
    await templates.addMember(root, REPORTER);
    expect((await loom.call('POST', '/pipeline', { ref: 'main' }, root)).status).toBe(201);
  });

  it('are read as the owner of a trigger or a schedule, for as long as these may', async () => {
    const templates = await shared('private');
    const loom = await writing.newProject();
    await loom.addMember(writing.grace, MAINTAINER);
    await loom.write('main', { '.gitlab-ci.yml': included(templates) });
    const { body: trigger } = await loom.call<{ token: string }>(
      'POST',
      '/triggers',
      { description: 'x' },
      writing.grace,
    );
    const run = () =>
      writing.service.call('POST', `/projects/${loom.id}/trigger/pipeline`, {
        json: { token: trigger.token, ref: 'main' },
      });
    const schedule = { description: 'x', ref: 'main', cron: '0 1 * * *' };
    const { body: nightly } = await loom.call<{ id: number }>('POST', '/pipeline_schedules', schedule, writing.grace);
    const play = () => loom.call('POST', `/pipeline_schedules/${nightly.id}/play`, {}, writing.grace);
    const sources = async () =>
      (await loom.call<{ source: string }[]>('GET', '/pipelines')).body.map(({ source }) => source).sort();
    await pushesFollowed(writing.service);
    expect([(await run()).status, (await play()).status]).toEqual([400, 400]);
    expect(await sources()).toEqual(['push']);
    await templates.addMember(writing.grace, REPORTER);
    expect((await run()).status).toBe(201);
    expect(await sources()).toEqual(['push', 'trigger']);
    await templates.call('DELETE', `/members/${writing.grace.id}`);
    expect((await run()).status).toBe(400);
  });

  it('are included by rules about each pipeline, also of one and the same commit', async () => {
    const loom = await writing.newProject();
    const rule = (condition: string): string => `rules: [{ if: '${condition}' }]`;
    const files = {
      'push.yml': 'push: { script: make }',
      'asked.yml': 'asked: { script: make }',
      '.gitlab-ci.yml': `include: [{ local: push.yml, ${rule('$CI_PIPELINE_SOURCE == "push"')} }, { local: asked.yml, ${rule('$DEPLOY == "yes" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH')} }]\nown: { script: make }`,
    };
    await loom.write('main', files);
    expect(await jobsOf(loom)).toEqual(['own', 'push']);
    const variables = [{ key: 'DEPLOY', value: 'yes' }];
    expect(await loom.call('POST', '/pipeline', { ref: 'main', variables })).toMatchObject({ status: 201 });
    expect(await jobsOf(loom)).toEqual(['asked', 'own']);
    expect(await loom.call('POST', '/pipeline', { ref: 'main' })).toMatchObject({ status: 201 });
    expect(await jobsOf(loom)).toEqual(['own']);
    await loom.call('POST', '/variables', { key: 'DEPLOY', value: 'yes' });
    expect(await loom.call('POST', '/pipeline', { ref: 'main' })).toMatchObject({ status: 201 });
    expect(await jobsOf(loom)).toEqual(['asked', 'own']);
    const told = async (query: string) => (await loom.call<Lint>('GET', `/ci/lint?${query}`)).body.merged_yaml;
    expect(await told('')).toContain('asked:');
    const tried = await told('dry_run=true');
    expect([tried?.includes('asked:'), tried?.includes('push:')]).toEqual([false, true]);
  });

  it('are missed by their project, branch or name, in words', async () => {
    const templates = await shared('public');
    const empty = await writing.newProject();
    const loom = await writing.newProject();
    const { path } = templates.project;
    expect(await pipeline(loom, included(templates, ', ref: none'))).toBe(
      `Project \`${path}\` reference \`none\` does not exist!`,
    );
    expect(await pipeline(loom, included(empty))).toBe(
      `Project \`${empty.project.path}\` reference \`HEAD\` does not exist!`,
    );
    expect(await pipeline(loom, `include: { project: ${path}, file: none.yml }`)).toBe(
      `Project \`${path}\` file \`none.yml\` does not exist!`,
    );
  });

  describe('in what lint says', () => {
    const lint = (loom: WrittenProject, content: string, user = writing.ada) =>
      loom.call<Lint>('POST', '/ci/lint', { content }, user);

    it('are included as far as whoever asks may read them', async () => {
      const [open, closed] = [await shared('public', 'open'), await shared('private', 'closed')];
      const loom = await writing.newProject({ visibility: 'public' });
      await loom.addMember(writing.grace, DEVELOPER);
      await loom.write('main', { '.gitlab-ci.yml': included(closed) });
      expect((await lint(loom, included(closed))).body).toMatchObject({ valid: true });
      expect((await lint(loom, included(open), writing.grace)).body.merged_yaml).toContain('make open');
      const { body } = await lint(loom, included(closed), writing.grace);
      expect(body).toMatchObject({ valid: false, errors: [expect.stringContaining('access denied')] });
      expect(JSON.stringify(body)).not.toContain('make closed');
      const asked = `/projects/${loom.id}/ci/lint`;
      const anybody = await writing.service.call<Lint>('GET', asked);
      expect(anybody.body).toMatchObject({ valid: false, errors: [expect.stringContaining('access denied')] });
      expect((await loom.call<Lint>('GET', '/ci/lint?dry_run=true')).body.merged_yaml).toContain('make closed');
    });

    it('of no project includes nothing', async () => {
      const open = await shared('public');
      const { token } = writing.ada;
      const { body } = await writing.service.call('POST', '/ci/lint', { token, json: { content: included(open) } });
      expect(body).toMatchObject({ status: 'invalid', errors: [expect.stringContaining('access denied')] });
    });
  });
});
