import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Gitlab } from '@gitbeaker/rest';
import { describeEachDatabase } from '../support/databases.js';
import { runPythonGitlab, withoutPythonGitlab } from '../support/python-gitlab.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeEachDatabase('stock clients with templates', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada');
  });

  afterAll(() => service.close());

  it('python-gitlab, unmodified, reads templates', async () => {
    if (withoutPythonGitlab()) return;
    expect(await runPythonGitlab('templates.py', service.url, ada.token)).toEqual({
      gitignores: [true, 'Python', true],
      ci: [true, 'Nodejs', true],
      dockerfiles: [true, 'Node', true],
      licenses: true,
      license: ['mit', true],
      none: [404, '404 License Not Found'],
    });
  });

  it('gitbeaker, unmodified, reads templates', async () => {
    const client = new Gitlab({ host: service.url, token: ada.token });
    expect(await client.GitignoreTemplates.all()).toContainEqual({ key: 'Go', name: 'Go' });
    expect(await client.GitignoreTemplates.show('Go')).toMatchObject({ name: 'Go' });
    expect(await client.GitLabCIYMLTemplates.show('Rust')).toMatchObject({ name: 'Rust' });
    expect(await client.DockerfileTemplates.all()).toContainEqual({ key: 'Golang', name: 'Golang' });
    const { id } = await client.Projects.create({ name: 'Mill' });
    expect(await client.ProjectTemplates.all(id, 'gitlab_ci_ymls')).toContainEqual({ key: 'Rust', name: 'Rust' });
    expect(await client.ProjectTemplates.all(id, 'licenses')).toContainEqual({ key: 'mit', name: 'MIT License' });
    expect(await client.ProjectTemplates.show(id, 'licenses', 'mit', { fullname: 'Ada Lovelace' })).toMatchObject({
      content: expect.stringContaining('Ada Lovelace'),
    });
  });
});
