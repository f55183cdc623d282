import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface TemplateName {
  readonly key: string;
  readonly name: string;
}
interface LicenseBody {
  readonly key: string;
  readonly popular: boolean;
  readonly content: string;
}

describeEachDatabase('templates', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada');
  });

  afterAll(() => service.close());

  const get = <Body>(path: string, who?: TestUser) =>
    service.call<Body>('GET', path, who === undefined ? {} : { token: who.token });

  describe.each([
    ['gitignores', 'gitignore', 'Node', 'node_modules/'],
    ['platform_ci_ymls', 'platform_ci_yml', 'Nodejs', 'npm test'],
    ['gitlab_ci_ymls', 'gitlab_ci_yml', 'Nodejs', 'npm test'],
    ['dockerfiles', 'dockerfile', 'Python', 'FROM python'],
  ])('/templates/%s', (kind, noun, key, content) => {
    it('are listed for everybody, page by page', async () => {
      const { status, body, headers } = await get<TemplateName[]>(`/templates/${kind}?per_page=3&page=2`);
      expect([status, body.length, headers.get('x-page')]).toEqual([200, 3, '2']);
      const all = await get<TemplateName[]>(`/templates/${kind}?per_page=100`);
      expect(all.body).toContainEqual({ key, name: key });
      expect(headers.get('x-total')).toBe(String(all.body.length));
    });

    it('one has its name and its text', async () => {
      const { status, body } = await get<{ name: string; content: string }>(`/templates/${kind}/${key}`);
      expect([status, body.name]).toEqual([200, key]);
      expect(body.content).toContain(content);
    });

    it.each(['none', '..', '%2e%2e%2fpackage.json', 'node', 'constructor'])('%s is none', async (unknown) => {
      const { status, body } = await get(`/templates/${kind}/${unknown}`);
      expect(status).toBe(404);
      if (!unknown.startsWith('.')) expect(body).toEqual({ message: `404 ${noun} Not Found` });
    });
  });

  it('each that is listed can be read', async () => {
    for (const kind of ['gitignores', 'platform_ci_ymls', 'dockerfiles']) {
      const { body } = await get<TemplateName[]>(`/templates/${kind}?per_page=100`);
      for (const { key } of body) {
        const one = await get<{ content: string }>(`/templates/${kind}/${encodeURIComponent(key)}`);
        expect([key, one.status, one.body.content.endsWith('\n')]).toEqual([key, 200, true]);
      }
    }
  });

  describe('/templates/licenses', () => {
    it('are listed with their texts as they were written, and narrowed down to the popular', async () => {
      const all = await get<LicenseBody[]>('/templates/licenses?per_page=100');
      const popular = await get<LicenseBody[]>('/templates/licenses?popular=true&per_page=100');
      const others = await get<LicenseBody[]>('/templates/licenses?popular=0&per_page=100');
      expect(all.headers.get('x-total')).toBe(String(all.body.length));
      expect(popular.body.every((license) => license.popular)).toBe(true);
      expect(popular.body.length + others.body.length).toBe(all.body.length);
      expect(all.body.find(({ key }) => key === 'mit')?.content).toContain('<year> <copyright holders>');
    });

    it('one has its blanks filled in, with whom and what the caller says', async () => {
      const path = '/templates/licenses/gpl-3.0?project=Engine&fullname=Charles%20Babbage';
      const { status, body } = await get<LicenseBody>(path);
      expect([status, body.key]).toEqual([200, 'gpl-3.0']);
      expect(body.content).toContain(`Engine  Copyright (C) ${service.clock.now().getUTCFullYear()}  Charles Babbage`);
    });

    it('names the caller where nobody else is named, and nobody for strangers', async () => {
      expect((await get<LicenseBody>('/templates/licenses/MIT', ada)).body.content).toContain('ada Example');
      expect((await get<LicenseBody>('/templates/licenses/mit')).body.content).toContain('<copyright holders>');
    });

    it('has everything that clients decode', async () => {
      expect((await get('/templates/licenses/apache-2.0')).body).toEqual({
        key: 'apache-2.0',
        name: 'Apache License 2.0',
        nickname: null,
        html_url: 'https://spdx.org/licenses/Apache-2.0.html',
        source_url: null,
        popular: true,
        description: expect.any(String),
        conditions: ['include-copyright', 'document-changes'],
        permissions: ['commercial-use', 'modifications', 'distribution', 'private-use', 'patent-use'],
        limitations: ['trademark-use', 'liability', 'warranty'],
        content: expect.stringContaining('TERMS AND CONDITIONS'),
      });
    });

    it('unknown is 404, and what is too long 400', async () => {
      expect(await get('/templates/licenses/none')).toMatchObject({
        status: 404,
        body: { message: '404 License Not Found' },
      });
      expect((await get(`/templates/licenses/mit?fullname=${'a'.repeat(256)}`)).status).toBe(400);
    });
  });

  it('those of a project are for whoever sees it', async () => {
    const { body } = await service.call<{ id: number }>('POST', '/projects', {
      token: ada.token,
      json: { name: 'mill' },
    });
    const path = `/projects/${body.id}/templates`;
    expect((await get<TemplateName[]>(`${path}/dockerfiles`, ada)).body).toContainEqual({ key: 'PHP', name: 'PHP' });
    const license = await get<LicenseBody>(`${path}/licenses/gpl-3.0`, ada);
    expect(license.body.content).toContain(`mill  Copyright (C) ${service.clock.now().getUTCFullYear()}  ada Example`);
    expect((await get(`${path}/licenses/none`, ada)).body).toEqual({ message: '404 Template Not Found' });
    expect((await get(`${path}/wikis`, ada)).status).toBe(400);
    expect((await get(`${path}/licenses`)).body).toEqual({ message: '404 Project Not Found' });
  });

  it('row "Templates": those at the root are gone', async () => {
    for (const path of ['/licenses', '/licenses/mit', '/gitignores', '/platform_ci_ymls', '/dockerfiles/Node'])
      expect((await get(path)).status).toBe(404);
  });
});
