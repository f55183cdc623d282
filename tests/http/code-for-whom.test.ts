import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pushCodeProject, type CodeProject } from '../support/code-project.js';
import { describeEachDatabase } from '../support/databases.js';
import { withGit } from '../support/git.js';
import { TestService, type TestUser } from '../support/test-service.js';

/** Every address that reads code, of things that are there: `<sha>` and `<blob>` stand for ids. */
const ADDRESSES = [
  '/repository/tree',
  '/repository/tree?recursive=true&pagination=keyset',
  '/repository/blobs/<blob>',
  '/repository/blobs/<blob>/raw',
  '/repository/archive',
  '/repository/archive.zip',
  '/repository/compare?from=main&to=old.fix',
  '/repository/merge_base?refs=main,old.fix',
  '/repository/contributors',
  '/repository/changelog?version=1.0.1&from=v1.0',
  '/languages',
  '/repository/files/README.md?ref=main',
  '/repository/files/README.md/raw',
  '/repository/files/README.md/blame?ref=main',
  '/repository/commits',
  '/repository/commits?all=true',
  '/repository/commits/<sha>',
  '/repository/commits/<sha>/diff',
  '/repository/commits/<sha>/refs',
  '/repository/commits/<sha>/sequence',
  '/repository/commits/<sha>/comments',
  '/repository/commits/<sha>/merge_requests',
  '/repository/commits/<sha>/statuses',
  '/repository/branches',
  '/repository/branches/main',
  '/repository/tags',
  '/repository/tags/v1.0',
  '/releases',
];

/** The same addresses for what is not there. */
const NOWHERE = [
  '/repository/blobs/0000000000000000000000000000000000000000',
  '/repository/files/none?ref=none',
  '/repository/commits/none',
  '/repository/branches/none',
  '/repository/tags/none',
  '/repository/tree?ref=none',
  '/repository/commits/none/signature',
  '/releases/none',
];

const SEEN = 200;
const REFUSED = 403;
const HIDDEN = 404;

const WHO = ['visitor', 'stranger', 'guest', 'reporter', 'owner', 'administrator'] as const;
type Who = (typeof WHO)[number];

const EXPECTED: Readonly<Record<string, Readonly<Record<Who, number>>>> = {
  private: {
    visitor: HIDDEN,
    stranger: HIDDEN,
    guest: REFUSED,
    reporter: SEEN,
    owner: SEEN,
    administrator: SEEN,
  },
  internal: { visitor: HIDDEN, stranger: SEEN, guest: SEEN, reporter: SEEN, owner: SEEN, administrator: SEEN },
  public: { visitor: SEEN, stranger: SEEN, guest: SEEN, reporter: SEEN, owner: SEEN, administrator: SEEN },
};

withGit('who reads code by REST', () => {
  describeEachDatabase('who reads code by REST', (openTestDatabase) => {
    let service: TestService;
    const tokens: Partial<Record<Who, string>> = {};
    const projects: Record<string, { readonly project: CodeProject; readonly blob: string }> = {};

    const addMember = (id: number, user: TestUser, level: number, token: string) =>
      service.call('POST', `/projects/${id}/members`, { token, json: { user_id: user.id, access_level: level } });

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      const owner = await service.addUser('owner');
      const [guest, reporter] = [await service.addUser('guest'), await service.addUser('reporter')];
      tokens.stranger = (await service.addUser('stranger')).token;
      tokens.administrator = (await service.addUser('root', { admin: true })).token;
      Object.assign(tokens, { owner: owner.token, guest: guest.token, reporter: reporter.token });
      for (const visibility of Object.keys(EXPECTED)) {
        const project = await pushCodeProject(service, owner, { name: `mill-${visibility}`, visibility });
        await addMember(project.id, guest, 10, owner.token);
        await addMember(project.id, reporter, 20, owner.token);
        const { body } = await project.get<{ id: string; name: string }[]>('/repository/tree');
        projects[visibility] = { project, blob: body.find(({ name }) => name === 'README.md')!.id };
      }
    });

    afterAll(() => service.close());

    const statusOf = async (visibility: string, who: Who, address: string) => {
      const { project, blob } = projects[visibility]!;
      const path = address.replace('<sha>', project.commits[0]!).replace('<blob>', blob);
      const token = tokens[who];
      return project.get<{ message?: string }>(path, token === undefined ? {} : { token });
    };

    const cases = Object.entries(EXPECTED).flatMap(([visibility, statuses]) =>
      WHO.map((who) => [visibility, who, statuses[who]] as const),
    );

    it.each(cases)('code of a %s project answers a %s by %i, at every address', async (visibility, who, expected) => {
      for (const address of ADDRESSES) {
        const { status } = await statusOf(visibility, who, address);
        expect(`${address}: ${status}`).toBe(`${address}: ${expected}`);
      }
    });

    it.each(cases.filter(([, , expected]) => expected !== SEEN))(
      'of a %s project a %s is told the same by %i, whether a thing is there or not',
      async (visibility, who, expected) => {
        const message = expected === HIDDEN ? '404 Project Not Found' : '403 Forbidden';
        for (const address of [...ADDRESSES, ...NOWHERE])
          expect(await statusOf(visibility, who, address)).toMatchObject({ status: expected, body: { message } });
      },
    );

    it('comments on commits are written by whoever reads the code and is signed in', async () => {
      const post = (visibility: string, who: Who) => {
        const { project } = projects[visibility]!;
        const token = tokens[who];
        const path = `/projects/${project.id}/repository/commits/main/comments`;
        return service.call('POST', path, { json: { note: 'x' }, ...(token === undefined ? {} : { token }) });
      };
      for (const [visibility, statuses] of Object.entries(EXPECTED))
        for (const who of WHO) {
          const wanted = who === 'visitor' ? 401 : statuses[who] === SEEN ? 201 : statuses[who];
          expect(`${visibility} ${who} ${(await post(visibility, who)).status}`).toBe(`${visibility} ${who} ${wanted}`);
        }
    });

    it('a token for repositories reads files and archives, and nothing else', async () => {
      const { project } = projects['private']!;
      const { id } = (await service.call<{ id: TestUser['id'] }>('GET', '/user', { token: tokens.owner! })).body;
      const token = await service.addToken(id, ['read_repository']);
      for (const path of [
        '/repository/files/README.md?ref=main',
        '/repository/files/README.md/raw',
        '/repository/archive',
      ])
        expect((await project.get(path, { token })).status).toBe(200);
      for (const path of ['/repository/tree', '/repository/commits', '/repository/branches'])
        expect(await project.get(path, { token })).toMatchObject({
          status: 403,
          body: { error: 'insufficient_scope' },
        });
    });
  });
});
