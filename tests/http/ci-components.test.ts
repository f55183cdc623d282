import { expect, it } from '@jest/globals';
import { CI_FILE, jobsOfNewest } from '../support/ci-project.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Lint {
  readonly valid: boolean;
  readonly errors: readonly string[];
}

const [REPORTER, MAINTAINER] = [20, 40];
const COMPONENT = (job: string): string =>
  `spec: {inputs: {what: {default: all}}}\n---\n${job}: {script: "make $[[ inputs.what ]]"}`;

describeWriting('components and templates of CI files', (writing) => {
  const components = async (fields: object = { visibility: 'private' }) => {
    const loom = await writing.newProject(fields);
    await loom.write('main', {
      'templates/one.yml': COMPONENT('first'),
      'templates/two/template.yml': COMPONENT('two'),
    });
    return loom;
  };
  const lint = async (loom: WrittenProject, content: string, user = loom.owner, more: object = {}) =>
    (await loom.call<Lint>('POST', '/ci/lint', { content, ...more }, user)).body;
  const include = ({ project }: WrittenProject, name: string): string =>
    `include: [{ component: $CI_SERVER_FQDN/${project.path}/${name} }]\n`;

  it('are of a tag, a branch, a commit or the newest release of their project', async () => {
    const shared = await components();
    await shared.call('POST', '/repository/tags', { tag_name: 'v1', ref: 'main' });
    const { id } = (await shared.call<{ id: string }>('GET', '/repository/commits/main')).body;
    const update = { action: 'update', file_path: 'templates/one.yml', content: COMPONENT('later') };
    await shared.commit('main', 'Later', [update]);
    const loom = await writing.newProject();
    const newest = include(shared, 'one@~latest');
    expect(await lint(loom, newest)).toMatchObject({
      errors: [`Project \`${shared.project.path}\` reference \`~latest\` does not exist!`],
    });
    expect((await shared.call('POST', '/releases', { tag_name: 'v1', description: 'First' })).status).toBe(201);
    const jobsOf = async (text: string) => {
      const { body } = await loom.call<{ jobs: { name: string }[]; errors: unknown }>('POST', '/ci/lint', {
        ...{ content: text, include_jobs: true },
      });
      return [body.errors, body.jobs.map(({ name }) => name)];
    };
    for (const version of ['v1', id, '~latest'])
      expect(await jobsOf(include(shared, `one@${version}`))).toEqual([[], ['first']]);
    expect(await jobsOf(include(shared, 'one@main'))).toEqual([[], ['later']]);
    expect(await jobsOf(include(shared, 'two@v1'))).toEqual([[], ['two']]);
    expect(await jobsOf(include(shared, 'three@v1'))).toMatchObject([
      [expect.stringMatching(/^Component `.+\/three@v1` does not exist!$/)],
      [],
    ]);
    await loom.write('main', { [CI_FILE]: newest });
    expect(await jobsOfNewest(writing, loom)).toEqual(['first']);
  });

  it('are of the highest version that begins as it is asked for: of releases that are out, else of tags', async () => {
    const shared = await components();
    const versions = ['1.9.0', 'v1.10.0', '2.0.0', '3.0.0-rc1'];
    for (const [place, tag] of versions.entries()) {
      const content = COMPONENT(`job-${tag}`);
      await shared.commit('main', tag, [{ action: 'update', file_path: 'templates/one.yml', content }]);
      const { status } = await shared.call('POST', '/repository/tags', { tag_name: tag, ref: 'main' });
      expect([place, status]).toEqual([place, 201]);
    }
    const loom = await writing.newProject();
    const jobOf = async (version: string) => {
      const answer = await loom.call<{ jobs: { name: string }[]; errors: unknown[] }>('POST', '/ci/lint', {
        ...{ content: include(shared, `one@${version}`), include_jobs: true },
      });
      return answer.body.jobs[0]?.name ?? answer.body.errors[0];
    };
    const missing = (version: string) => `Project \`${shared.project.path}\` reference \`${version}\` does not exist!`;
    expect(await Promise.all(['1', '1.9', '2', '~latest', '3.0.0-rc1'].map(jobOf))).toEqual([
      ...['job-v1.10.0', 'job-1.9.0', 'job-2.0.0', 'job-2.0.0', 'job-3.0.0-rc1'],
    ]);
    for (const version of ['3', '1.1', '0']) expect(await jobOf(version)).toBe(missing(version));
    const release = (tag_name: string, more: object = {}) =>
      shared.call('POST', '/releases', { tag_name, description: tag_name, ...more });
    await release('1.9.0');
    await release('2.0.0', { released_at: '2999-01-01T00:00:00Z' });
    expect(await Promise.all(['1', '2', '~latest'].map(jobOf))).toEqual(['job-1.9.0', 'job-2.0.0', 'job-1.9.0']);
    // Nobody puts a branch in their place.
    await shared.call('POST', '/repository/branches', { branch: '1', ref: '2.0.0' });
    expect(await jobOf('1')).toBe('job-1.9.0');
  });

  it('may be named by what is known of their own project', async () => {
    const own = await components();
    const text = 'include: [{component: $CI_SERVER_FQDN/$CI_PROJECT_PATH/one@$CI_COMMIT_SHA}]';
    for (const dry_run of [false, true])
      expect(await lint(own, text, own.owner, { dry_run })).toMatchObject({ valid: true, errors: [] });
    await own.write('main', { [CI_FILE]: text });
    expect(await jobsOfNewest(writing, own)).toEqual(['first']);
  });

  it('are out of reach for whoever may not read the code of their project, as if it were not there', async () => {
    const hidden = await components();
    const gone = await writing.newProject();
    const loom = await writing.newProject();
    const [maintainer, knowing] = [await writing.service.addUser('maint'), await writing.service.addUser('knowing')];
    for (const user of [maintainer, knowing]) await loom.addMember(user, MAINTAINER);
    await hidden.addMember(knowing, REPORTER);
    await gone.call('DELETE', '');
    const text = include(hidden, 'one@main');
    expect(await lint(loom, text, knowing)).toMatchObject({ valid: true });
    const refused = (path: string) => [
      `Project \`${path}\` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.`,
    ];
    expect((await lint(loom, text, maintainer)).errors).toEqual(refused(hidden.project.path));
    expect((await lint(loom, include(hidden, 'one@~latest'), maintainer)).errors).toEqual(refused(hidden.project.path));
    expect((await lint(loom, include(gone, 'one@main'), maintainer)).errors).toEqual(refused(gone.project.path));
  });

  it('come with the service, as other clients call them', async () => {
    const loom = await writing.newProject();
    for (const name of ['Go', 'Go.yml', 'Go.gitlab-ci.yml', 'Go.platform-ci.yml'])
      expect(await lint(loom, `include: [{ template: ${name} }]`)).toMatchObject({ valid: true, errors: [] });
    for (const name of ['Security/SAST.gitlab-ci.yml', '../ci/Go.yml', 'go'])
      expect((await lint(loom, `include: [{ template: ${name} }]`)).errors).toEqual([
        `Template \`${name}\` does not exist! \`GET /templates/gitlab_ci_ymls\` tells which there are.`,
      ]);
    await loom.write('main', { [CI_FILE]: 'include: [{ template: Go.gitlab-ci.yml }]' });
    expect(await jobsOfNewest(writing, loom)).toEqual(['build', 'test']);
  });
});
